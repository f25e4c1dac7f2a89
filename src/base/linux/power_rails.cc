#include "linux/power_rails.h"

#include <array>
#include <cmath>
#include <set>

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr const char* kChips = "/sys/class/hwmon";
constexpr const char* kIioDevices = "/sys/bus/iio/devices";
constexpr const char* kSupplies = "/sys/class/power_supply";

std::optional<double> Scaled(std::optional<int64_t> number, double unit) {
  if (!number) return std::nullopt;
  return static_cast<double>(*number) * unit;
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

// In microwatts. Graphics cards report only a short-term average.
void AddPower(const SystemRoot& root, const path& folder,
              const std::string& prefix, std::vector<PowerMeter>& meters) {
  for (uint64_t channel : PowerChannels(root, folder)) {
    const std::string stem = "power" + std::to_string(channel);
    path file = folder / (stem + "_input");
    if (!root.Number(file)) file = folder / (stem + "_average");
    auto label = root.Line(folder / (stem + "_label"));
    meters.emplace_back(prefix + label.value_or(stem), 1e-6,
                        WatchedFile(root, file));
  }
}

// Millivolts and milliamperes of the three channels; in4 and above are shunt
// voltages. A channel without a label is not connected.
void AddIna3221(const SystemRoot& root, const path& folder,
                const std::string& prefix, std::vector<PowerMeter>& meters) {
  for (const char* channel : {"1", "2", "3"}) {
    const std::string in = std::string("in") + channel;
    const std::string current = std::string("curr") + channel + "_input";
    auto label = root.Line(folder / (in + "_label"));
    if (!label) continue;
    meters.emplace_back(prefix + *label, 1e-6,
                        WatchedFile(root, folder / (in + "_input")),
                        WatchedFile(root, folder / current));
  }
}

void AddChips(const SystemRoot& root, std::vector<PowerMeter>& meters) {
  for (const std::string& chip : root.Names(kChips)) {
    const path folder = path(kChips) / chip;
    auto name = root.Line(folder / "name");
    if (!name) continue;
    const std::string prefix = chip + "/" + *name + "/";
    AddPower(root, folder, prefix, meters);
    if (*name == "ina3221") AddIna3221(root, folder, prefix, meters);
  }
}

// The JetPack 4 driver (Nano, TX2, Xavier), in milliwatts.
void AddIio(const SystemRoot& root, std::vector<PowerMeter>& meters) {
  for (const std::string& device : root.Names(kIioDevices)) {
    const path folder = path(kIioDevices) / device;
    if (root.Line(folder / "name") != "ina3221x") continue;
    for (const char* channel : {"0", "1", "2"}) {
      auto label = root.Line(folder / (std::string("rail_name_") + channel));
      if (!label) continue;
      meters.emplace_back(device + "/ina3221x/" + *label, 1e-3,
                          WatchedFile(root, folder / (std::string("in_power") +
                                                      channel + "_input")));
    }
  }
}

// From microwatt hours.
std::optional<Microjoules> Stored(std::optional<int64_t> energy) {
  constexpr int64_t kMost = int64_t{1} << 50;
  if (!energy || *energy < 0 || *energy > kMost) return std::nullopt;
  return Microjoules{static_cast<uint64_t>(*energy) * 3600};
}

}  // namespace

std::optional<Watts> PowerMeter::Read() {
  auto power = Scaled(file_.Number(), unit_);
  if (power && current_) power = Scaled(current_->Number(), *power);
  return power ? std::optional(Watts{*power}) : std::nullopt;
}

std::vector<PowerMeter> FindPowerMeters(const SystemRoot& root) {
  std::vector<PowerMeter> meters;
  AddChips(root, meters);
  AddIio(root, meters);
  return meters;
}

std::vector<PowerRail> ReadPowerRails(std::vector<PowerMeter>& meters) {
  std::vector<PowerRail> rails;
  for (PowerMeter& meter : meters) {
    if (auto power = meter.Read()) rails.push_back({meter.source(), *power});
  }
  return rails;
}

std::vector<PowerRail> ReadPowerRails(const SystemRoot& root) {
  std::vector<PowerMeter> meters = FindPowerMeters(root);
  return ReadPowerRails(meters);
}

BatteryMeter::BatteryMeter(const SystemRoot& root, const std::string& supply)
    : source_("battery/" + supply),
      status_(root, path(kSupplies) / supply / "status"),
      power_(root, path(kSupplies) / supply / "power_now"),
      voltage_(root, path(kSupplies) / supply / "voltage_now"),
      current_(root, path(kSupplies) / supply / "current_now"),
      energy_(root, path(kSupplies) / supply / "energy_now"),
      capacity_(root, path(kSupplies) / supply / "capacity") {}

// Some drivers report a discharging current as negative.
std::optional<Watts> BatteryMeter::Draw() {
  auto power = Scaled(power_.Number(), 1e-6);
  if (power) return Watts{std::abs(*power)};
  auto amperes = Scaled(current_.Number(), 1e-6);
  auto volts = Scaled(voltage_.Number(), 1e-6);
  if (!amperes || !volts) return std::nullopt;
  return Watts{*volts * std::abs(*amperes)};
}

Battery BatteryMeter::Read() {
  Battery battery{.source = source_,
                  .stored = Stored(energy_.Number()),
                  .charge = Scaled(capacity_.Number(), 0.01)};
  if (status_.Line() == "Discharging") battery.draw = Draw();
  return battery;
}

std::vector<BatteryMeter> FindBatteries(const SystemRoot& root) {
  std::vector<BatteryMeter> found;
  for (const std::string& supply : root.Names(kSupplies)) {
    const path folder = path(kSupplies) / supply;
    if (root.Line(folder / "type") != "Battery") continue;
    if (root.Line(folder / "scope") == "Device") continue;
    found.emplace_back(root, supply);
  }
  return found;
}

std::vector<Battery> ReadBatteries(std::vector<BatteryMeter>& found) {
  std::vector<Battery> batteries;
  batteries.reserve(found.size());
  for (BatteryMeter& meter : found) batteries.push_back(meter.Read());
  return batteries;
}

std::vector<Battery> ReadBatteries(const SystemRoot& root) {
  std::vector<BatteryMeter> found = FindBatteries(root);
  return ReadBatteries(found);
}

std::optional<PowerRail> WholeMachineRail(
    const std::vector<PowerRail>& rails,
    const std::vector<Battery>& batteries) {
  // Names of the input rail on Jetson Nano, Xavier and Orin.
  constexpr std::array kInputs = {"POM_5V_IN", "VDD_IN", "VIN_SYS_5V0"};
  for (const char* name : kInputs) {
    for (const PowerRail& rail : rails) {
      if (rail.source.ends_with(std::string("/") + name)) return rail;
    }
  }
  for (const Battery& battery : batteries) {
    if (battery.draw) {
      return PowerRail{.source = battery.source, .power = *battery.draw};
    }
  }
  return std::nullopt;
}

}  // namespace mete
