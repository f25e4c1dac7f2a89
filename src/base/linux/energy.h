// Energy counters of the processor (RAPL: Intel, and AMD since Zen).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"
#include "support/units.h"

namespace mete {

// Parts that do not overlap, so that all counters of one reading may be summed.
enum class EnergyPart {
  kPackage,  // a whole processor: cores, caches, graphics
  kDram,     // the memory beside it; not part of the package
};

struct EnergyCounter {
  std::string source;  // "rapl/package-0", "rapl/package-0/dram"
  EnergyPart part = EnergyPart::kPackage;
  Microjoules total;  // since an arbitrary moment
  // Where the counter begins again at 0; absent where the kernel does not tell.
  std::optional<Microjoules> range;
};

// A counter that was found.
struct EnergyMeter {
  EnergyCounter counter;  // as it was read last
  WatchedFile file;
};

// Packages and their memory. Left out: the domains inside a package (core,
// uncore), the platform around it (psys), the second way to the same counters
// (intel-rapl-mmio), and what only root may read.
std::vector<EnergyMeter> FindEnergyMeters(const SystemRoot& root);
std::vector<EnergyCounter> ReadEnergyCounters(std::vector<EnergyMeter>& meters);
std::vector<EnergyCounter> ReadEnergyCounters(const SystemRoot& root);

// What one counter has counted between two readings. A counter that has begun
// again once is put right; more cannot be seen, so read it every few minutes:
// 262 kJ, a common range, is 44 minutes at 100 W. Absent when the readings are
// of different counters, or when it has begun again at an unknown range.
std::optional<Microjoules> EnergyBetween(const EnergyCounter& before,
                                         const EnergyCounter& after);

}  // namespace mete
