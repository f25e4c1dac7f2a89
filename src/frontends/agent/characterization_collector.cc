#include "agent/characterization_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "agent/characterization_metrics.h"
#include "linux/file_systems.h"
#include "linux/numbers.h"
#include "support/text.h"

namespace mete {
namespace {

// Whether the GPU is part of a processor or a board.
bool IsIntegrated(const std::string& gpu) {
  constexpr std::array<std::string_view, 8> kWords = {
      "Broadcom", "VideoCore", "Tegra",  "Jetson",
      "Intel",    "Mali",      "Adreno", "Integrated"};
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return gpu.find(word) != std::string::npos;
  });
}

// Returns the CPU rail of a Jetson, whose name depends on the board family, or
// the rail of the whole board.
std::optional<PowerRail> CpuRail(const std::vector<PowerRail>& rails) {
  constexpr std::array<std::string_view, 4> kNames = {
      "/POM_5V_CPU", "/VDD_CPU_GPU_CV", "/VDD_SYS_CPU", "/CPU"};
  for (std::string_view name : kNames) {
    for (const PowerRail& rail : rails) {
      if (rail.source.ends_with(name)) return rail;
    }
  }
  return WholeMachineRail(rails, {});
}

Status CheckDegrees(const char* name, const std::string& text, double most) {
  if (text.empty()) return {};
  auto degrees = Decimal(text);
  if (degrees && std::abs(*degrees) <= most) return {};
  return InvalidInput(
      fmt::format("{}={} is not between -{} and {}", name, text, most, most));
}

}  // namespace

Result<NodeLocation> ParseLocation(std::string_view text) {
  NodeLocation location;
  const std::array<std::pair<std::string, std::string*>, 5> places = {
      {{"city", &location.city},
       {"country", &location.country},
       {"continent", &location.continent},
       {"latitude", &location.latitude},
       {"longitude", &location.longitude}}};
  for (const std::string& part : SplitAt(text, ',')) {
    size_t equals = part.find('=');
    std::string key = part.substr(0, equals);
    auto place = std::ranges::find(
        places, key, &std::pair<std::string, std::string*>::first);
    if (equals == std::string::npos || place == places.end()) {
      return InvalidInput(fmt::format(
          "'{}' is not a location; write it like city=Athens,country=Greece",
          part));
    }
    *place->second = part.substr(equals + 1);
  }
  RETURN_IF_ERROR(CheckDegrees("latitude", location.latitude, 90));
  RETURN_IF_ERROR(CheckDegrees("longitude", location.longitude, 180));
  return location;
}

OsName SplitOsName(const std::string& pretty) {
  size_t digit = pretty.find_first_of("0123456789");
  if (digit == std::string::npos || digit == 0) return {pretty, ""};
  std::string name = pretty.substr(0, digit);
  while (name.ends_with(' ')) name.pop_back();
  return {name, pretty.substr(digit)};
}

CharacterizationCollector::CharacterizationCollector(DeviceIdentity identity,
                                                     NodeLocation location,
                                                     const SystemRoot& root,
                                                     const Clock& clock)
    : identity_(std::move(identity)),
      location_(std::move(location)),
      root_(root),
      clock_(clock),
      batteries_(FindBatteries(root)),
      energy_(FindEnergyMeters(root)),
      rails_(FindPowerMeters(root)) {}

MetricLabels CharacterizationCollector::Labels() const {
  return {{"char_node_name", identity_.node},
          {"char_node_class", identity_.Class()},
          {"char_node_uuid", identity_.uuid}};
}

MetricLabels CharacterizationCollector::CpuLabels() const {
  const std::string& architecture = identity_.facts.architecture;
  // Other names, such as i686 and armv7l, are 32-bit.
  bool wide =
      architecture.find("64") != std::string::npos || architecture == "s390x";
  return Labels()
      .Add("char_node_brand", identity_.facts.cpu_model)
      .Add("char_node_arch", architecture)
      .Add("char_node_bits", wide ? "64" : "32");
}

Status CharacterizationCollector::Collect(MetricBatch& batch) {
  AddFacts(batch);
  AddGpus(batch);
  AddBattery(batch);
  AddPower(batch);
  auto disk = ReadSpace(root_, "/");
  if (!disk) return Unavailable("read the size of /: statvfs failed");
  batch.Add(kCharDisk, Labels(), static_cast<double>(disk->size.count));
  return {};
}

void CharacterizationCollector::AddFacts(MetricBatch& batch) const {
  const DeviceFacts& facts = identity_.facts;
  batch.Add(kCharModel,
            Labels().Add("char_node_device_model_name", facts.board),
            facts.board.empty() ? 0 : 1);
  batch.Add(kCharRam, Labels(), static_cast<double>(facts.ram.count));
  batch.Add(kCharCores, CpuLabels(), facts.cores);
  OsName os = SplitOsName(facts.os);
  batch.Add(kCharOs,
            Labels()
                .Add("char_node_os_name", os.name)
                .Add("char_node_os_version", os.version),
            os.name.empty() ? 0 : 1);
  batch.Add(kCharLocation,
            Labels()
                .Add("char_node_city", location_.city)
                .Add("char_node_country", location_.country)
                .Add("char_node_continent", location_.continent)
                .Add("char_node_latitude", location_.latitude)
                .Add("char_node_longitude", location_.longitude),
            location_.known() ? 1 : 0);
}

void CharacterizationCollector::AddGpus(MetricBatch& batch) const {
  auto add = [&](const std::string& model, const char* type,
                 const std::string& id, double count) {
    batch.Add(kCharGpu,
              Labels()
                  .Add("char_node_gpu_model", model)
                  .Add("char_node_gpu_type", type)
                  .Add("char_node_gpu_id", id),
              count);
  };
  const std::vector<std::string>& gpus = identity_.facts.gpus;
  if (gpus.empty()) add("", "not available GPU", "", 0);
  for (size_t i = 0; i < gpus.size(); ++i) {
    add(gpus[i],
        IsIntegrated(gpus[i]) ? "Integrated graphics processing"
                              : "Dedicated graphics processing",
        std::to_string(i), 1);
  }
}

void CharacterizationCollector::AddBattery(MetricBatch& batch) {
  std::optional<double> charge;
  for (const Battery& battery : ReadBatteries(batteries_)) {
    if (battery.charge) charge = battery.charge;
  }
  batch.Add(kCharBattery,
            Labels().Add("char_node_plugged_battery",
                         batteries_.empty() ? "false" : "true"),
            charge.value_or(0) * 100);
}

// Prefers energy counters: the mean power since the last collection.
std::optional<Watts> CharacterizationCollector::CpuPower() {
  std::vector<EnergyCounter> packages = ReadEnergyCounters(energy_);
  std::erase_if(packages, [](const EnergyCounter& counter) {
    return counter.part != EnergyPart::kPackage;
  });
  const Energy before = std::exchange(reported_, {});
  reported_.at = clock_.Now();
  reported_.joules = sum_.Add(packages, std::nullopt, reported_.at);
  const double seconds = Seconds(reported_.at - before.at).count();
  if (reported_.joules && before.joules && seconds > 0) {
    return Watts{(*reported_.joules - *before.joules) / seconds};
  }
  auto rail = CpuRail(ReadPowerRails(rails_));
  return rail ? std::optional(rail->power) : std::nullopt;
}

void CharacterizationCollector::AddPower(MetricBatch& batch) {
  auto power = CpuPower();
  if (power) batch.Add(kCharPower, CpuLabels(), power->count);
}

}  // namespace mete
