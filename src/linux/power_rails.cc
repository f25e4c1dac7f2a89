#include "linux/power_rails.h"

#include <cmath>
#include <set>

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr const char* kChips = "/sys/class/hwmon";
constexpr const char* kIioDevices = "/sys/bus/iio/devices";
constexpr const char* kSupplies = "/sys/class/power_supply";

std::optional<double> Scaled(const SystemRoot& root, const path& file,
                             double unit) {
  auto number = root.Number(file);
  if (!number) return std::nullopt;
  return static_cast<double>(*number) * unit;
}

std::optional<Watts> Product(std::optional<double> volts,
                             std::optional<double> amperes) {
  if (!volts || !amperes) return std::nullopt;
  return Watts{*volts * *amperes};
}

// The N of every file "powerN_input" or "powerN_average".
std::set<uint64_t> PowerChannels(const SystemRoot& root, const path& folder) {
  std::set<uint64_t> channels;
  for (const std::string& file : root.Names(folder)) {
    const std::string stem = file.substr(0, file.find('_'));
    if (file != stem + "_input" && file != stem + "_average") continue;
    if (auto channel = NumberAfter(stem, "power")) channels.insert(*channel);
  }
  return channels;
}

// Microwatts; graphics cards tell only the average of the last moments.
void AddPower(const SystemRoot& root, const path& folder,
              const std::string& prefix, std::vector<PowerRail>& rails) {
  for (uint64_t channel : PowerChannels(root, folder)) {
    const std::string stem = "power" + std::to_string(channel);
    auto watts = Scaled(root, folder / (stem + "_input"), 1e-6);
    if (!watts) watts = Scaled(root, folder / (stem + "_average"), 1e-6);
    if (!watts) continue;
    auto label = root.Line(folder / (stem + "_label"));
    rails.push_back({prefix + label.value_or(stem), Watts{*watts}});
  }
}

// Millivolts and milliamperes of the three channels; in4 and above are the
// voltages over its shunts. A channel without a label is not connected.
void AddIna3221(const SystemRoot& root, const path& folder,
                const std::string& prefix, std::vector<PowerRail>& rails) {
  for (const char* channel : {"1", "2", "3"}) {
    const std::string in = std::string("in") + channel;
    const std::string current = std::string("curr") + channel + "_input";
    auto label = root.Line(folder / (in + "_label"));
    auto power = Product(Scaled(root, folder / (in + "_input"), 1e-3),
                         Scaled(root, folder / current, 1e-3));
    if (label && power) rails.push_back({prefix + *label, *power});
  }
}

void AddChips(const SystemRoot& root, std::vector<PowerRail>& rails) {
  for (const std::string& chip : root.Names(kChips)) {
    const path folder = path(kChips) / chip;
    auto name = root.Line(folder / "name");
    if (!name) continue;
    const std::string prefix = chip + "/" + *name + "/";
    AddPower(root, folder, prefix, rails);
    if (*name == "ina3221") AddIna3221(root, folder, prefix, rails);
  }
}

// The driver of JetPack 4 (Nano, TX2, Xavier): milliwatts.
void AddIio(const SystemRoot& root, std::vector<PowerRail>& rails) {
  for (const std::string& device : root.Names(kIioDevices)) {
    const path folder = path(kIioDevices) / device;
    if (root.Line(folder / "name") != "ina3221x") continue;
    for (const char* channel : {"0", "1", "2"}) {
      auto label = root.Line(folder / (std::string("rail_name_") + channel));
      auto watts = Scaled(
          root, folder / (std::string("in_power") + channel + "_input"), 1e-3);
      if (!label || !watts) continue;
      rails.push_back({device + "/ina3221x/" + *label, Watts{*watts}});
    }
  }
}

// Some drivers tell a current that leaves the battery as negative.
std::optional<Watts> Draw(const SystemRoot& root, const path& folder) {
  auto power = Scaled(root, folder / "power_now", 1e-6);
  if (power) return Watts{std::abs(*power)};
  auto amperes = Scaled(root, folder / "current_now", 1e-6);
  if (amperes) amperes = std::abs(*amperes);
  return Product(Scaled(root, folder / "voltage_now", 1e-6), amperes);
}

// Microwatt hours.
std::optional<Microjoules> Stored(const SystemRoot& root, const path& folder) {
  auto energy = root.Number(folder / "energy_now");
  constexpr int64_t kMost = int64_t{1} << 50;
  if (!energy || *energy < 0 || *energy > kMost) return std::nullopt;
  return Microjoules{static_cast<uint64_t>(*energy) * 3600};
}

}  // namespace

std::vector<PowerRail> ReadPowerRails(const SystemRoot& root) {
  std::vector<PowerRail> rails;
  AddChips(root, rails);
  AddIio(root, rails);
  return rails;
}

std::vector<Battery> ReadBatteries(const SystemRoot& root) {
  std::vector<Battery> batteries;
  for (const std::string& supply : root.Names(kSupplies)) {
    const path folder = path(kSupplies) / supply;
    if (root.Line(folder / "type") != "Battery") continue;
    if (root.Line(folder / "scope") == "Device") continue;
    Battery battery{.source = "battery/" + supply,
                    .stored = Stored(root, folder)};
    if (root.Line(folder / "status") == "Discharging") {
      battery.draw = Draw(root, folder);
    }
    batteries.push_back(battery);
  }
  return batteries;
}

}  // namespace mete
