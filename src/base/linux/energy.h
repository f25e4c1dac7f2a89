// Energy counters of the processor (RAPL: Intel, and AMD since Zen).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

// Parts that do not overlap, so all counters of one reading can be summed.
enum class EnergyPart {
  kPackage,  // a whole processor: cores, caches, GPU
  kDram,     // memory next to it; not part of the package
};

// One reading of an energy counter.
struct EnergyCounter {
  std::string source;  // "rapl/package-0", "rapl/package-0/dram"
  EnergyPart part = EnergyPart::kPackage;
  Microjoules total;  // since an arbitrary time
  // The value at which the counter wraps to 0; absent if the kernel does not
  // say.
  std::optional<Microjoules> range;
};

// An energy counter that is kept open.
struct EnergyMeter {
  EnergyCounter counter;  // the last reading
  WatchedFile file;
};

// Packages and their memory. Omits the domains inside a package (core, uncore),
// the platform around it (psys), the second interface to the same counters
// (intel-rapl-mmio), and counters only root may read.
std::vector<EnergyMeter> FindEnergyMeters(const SystemRoot& root);
std::vector<EnergyCounter> ReadEnergyCounters(std::vector<EnergyMeter>& meters);
std::vector<EnergyCounter> ReadEnergyCounters(const SystemRoot& root);

// The energy between two readings of one counter. Corrects for a single wrap;
// several cannot be detected, so read it every few minutes: 262 kJ, a common
// range, lasts 44 minutes at 100 W. Absent when the readings are of different
// counters, or when the counter wrapped at an unknown range.
std::optional<Microjoules> EnergyBetween(const EnergyCounter& before,
                                         const EnergyCounter& after);

}  // namespace mete
