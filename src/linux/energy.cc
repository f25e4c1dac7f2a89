#include "linux/energy.h"

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

constexpr const char* kZones = "/sys/class/powercap";

std::optional<Microjoules> EnergyIn(const SystemRoot& root, const path& file) {
  auto line = root.Line(file);
  auto count = line ? WholeNumber(*line) : std::nullopt;
  if (!count) return std::nullopt;
  return Microjoules{*count};
}

std::optional<EnergyCounter> CounterIn(const SystemRoot& root,
                                       const path& folder) {
  auto total = EnergyIn(root, folder / "energy_uj");
  if (!total) return std::nullopt;
  return EnergyCounter{.total = *total,
                       .range = EnergyIn(root, folder / "max_energy_range_uj")};
}

// "intel-rapl:0" holds "intel-rapl:0:0", "intel-rapl:0:1", …
void AddDram(const SystemRoot& root, const std::string& package_zone,
             const std::string& source, std::vector<EnergyCounter>& counters) {
  for (const std::string& zone : root.Names(kZones)) {
    if (!NumberAfter(zone, package_zone + ":")) continue;
    if (root.Line(path(kZones) / zone / "name") != "dram") continue;
    auto counter = CounterIn(root, path(kZones) / zone);
    if (!counter) continue;
    counter->source = source + "/dram";
    counter->part = EnergyPart::kDram;
    counters.push_back(*counter);
  }
}

}  // namespace

std::vector<EnergyCounter> ReadEnergyCounters(const SystemRoot& root) {
  std::vector<EnergyCounter> counters;
  for (const std::string& zone : root.Names(kZones)) {
    if (!NumberAfter(zone, "intel-rapl:")) continue;
    auto name = root.Line(path(kZones) / zone / "name");
    // "package-0", or "package-0-die-1".
    if (!name || name->compare(0, 7, "package") != 0) continue;
    const std::string source = "rapl/" + *name;
    if (auto counter = CounterIn(root, path(kZones) / zone)) {
      counter->source = source;
      counters.push_back(*counter);
    }
    AddDram(root, zone, source, counters);
  }
  return counters;
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
