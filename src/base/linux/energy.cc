#include "linux/energy.h"

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr const char* kZones = "/sys/class/powercap";

std::optional<Microjoules> EnergyIn(WatchedFile& file) {
  auto count = file.Count();
  if (!count) return std::nullopt;
  return Microjoules{*count};
}

// Adds nothing when the counter cannot be read.
void AddMeter(const SystemRoot& root, const path& folder, EnergyCounter counter,
              std::vector<EnergyMeter>& meters) {
  EnergyMeter meter{.counter = std::move(counter),
                    .file = WatchedFile(root, folder / "energy_uj")};
  auto total = EnergyIn(meter.file);
  if (!total) return;
  WatchedFile range(root, folder / "max_energy_range_uj");
  meter.counter.total = *total;
  meter.counter.range = EnergyIn(range);
  meters.push_back(std::move(meter));
}

// "intel-rapl:0" contains "intel-rapl:0:0", "intel-rapl:0:1", …
void AddDram(const SystemRoot& root, const std::string& package_zone,
             const std::string& source, std::vector<EnergyMeter>& meters) {
  for (const std::string& zone : root.Names(kZones)) {
    if (!NumberAfter(zone, package_zone + ":")) continue;
    if (root.Line(path(kZones) / zone / "name") != "dram") continue;
    AddMeter(root, path(kZones) / zone,
             {.source = source + "/dram", .part = EnergyPart::kDram}, meters);
  }
}

}  // namespace

std::vector<EnergyMeter> FindEnergyMeters(const SystemRoot& root) {
  std::vector<EnergyMeter> meters;
  for (const std::string& zone : root.Names(kZones)) {
    if (!NumberAfter(zone, "intel-rapl:")) continue;
    auto name = root.Line(path(kZones) / zone / "name");
    // "package-0", or "package-0-die-1".
    if (!name || name->compare(0, 7, "package") != 0) continue;
    const std::string source = "rapl/" + *name;
    AddMeter(root, path(kZones) / zone, {.source = source}, meters);
    AddDram(root, zone, source, meters);
  }
  return meters;
}

std::vector<EnergyCounter> ReadEnergyCounters(
    std::vector<EnergyMeter>& meters) {
  std::vector<EnergyCounter> counters;
  for (EnergyMeter& meter : meters) {
    auto total = EnergyIn(meter.file);
    if (!total) continue;
    meter.counter.total = *total;
    counters.push_back(meter.counter);
  }
  return counters;
}

std::vector<EnergyCounter> ReadEnergyCounters(const SystemRoot& root) {
  std::vector<EnergyMeter> meters = FindEnergyMeters(root);
  return ReadEnergyCounters(meters);
}

std::optional<Microjoules> EnergyBetween(const EnergyCounter& before,
                                         const EnergyCounter& after) {
  if (before.source != after.source) return std::nullopt;
  if (after.total >= before.total) {
    return Microjoules{after.total.count - before.total.count};
  }
  if (!after.range || before.total > *after.range) return std::nullopt;
  return Microjoules{after.range->count - before.total.count +
                     after.total.count};
}

}  // namespace mete
