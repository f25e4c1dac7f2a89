#include "linux/temperatures.h"

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

void AddZones(const SystemRoot& root, std::vector<Thermometer>& found) {
  const path zones = "/sys/class/thermal";
  for (const std::string& zone : root.Names(zones)) {
    if (!NumberAfter(zone, "thermal_zone")) continue;
    auto type = root.Line(zones / zone / "type");
    // Jetsons list this zone without a sensor; it always reports 100.
    if (!type || *type == "PMIC-Die") continue;
    found.push_back(
        {zone + "/" + *type, WatchedFile(root, zones / zone / "temp")});
  }
}

void AddChips(const SystemRoot& root, std::vector<Thermometer>& found) {
  const path chips = "/sys/class/hwmon";
  constexpr std::string_view kSuffix = "_input";
  for (const std::string& chip : root.Names(chips)) {
    auto name = root.Line(chips / chip / "name");
    if (!name) continue;
    for (const std::string& file : root.Names(chips / chip)) {
      // "temp1_input", with or without a "temp1_label".
      if (file.compare(0, 4, "temp") != 0 || file.size() <= kSuffix.size()) {
        continue;
      }
      const std::string sensor = file.substr(0, file.size() - kSuffix.size());
      if (sensor + std::string(kSuffix) != file) continue;
      auto label = root.Line(chips / chip / (sensor + "_label"));
      found.push_back({chip + "/" + *name + "/" + label.value_or(sensor),
                       WatchedFile(root, chips / chip / file)});
    }
  }
}

}  // namespace

std::vector<Thermometer> FindThermometers(const SystemRoot& root) {
  std::vector<Thermometer> found;
  AddZones(root, found);
  AddChips(root, found);
  return found;
}

std::vector<Temperature> ReadTemperatures(std::vector<Thermometer>& found) {
  std::vector<Temperature> read;
  for (Thermometer& thermometer : found) {
    auto degrees = Celsius(thermometer.file.Number());
    if (degrees) read.push_back({thermometer.source, *degrees});
  }
  return read;
}

std::vector<Temperature> ReadTemperatures(const SystemRoot& root) {
  std::vector<Thermometer> found = FindThermometers(root);
  return ReadTemperatures(found);
}

std::optional<double> Celsius(std::optional<int64_t> thousandths) {
  if (!thousandths || *thousandths <= -40000 || *thousandths >= 150000) {
    return std::nullopt;
  }
  return static_cast<double>(*thousandths) / 1000;
}

}  // namespace mete
