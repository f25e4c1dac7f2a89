// The current frequency of each core.
#pragma once

#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

// Frequency of one core at the time of reading.
struct CoreFrequency {
  int core = 0;
  double hz = 0;
};

// A core whose frequency can be read.
struct CoreClock {
  int core = 0;
  WatchedFile file;
};

// Sorted by core number. Empty without cpufreq (most virtual machines).
std::vector<CoreClock> FindCoreClocks(const SystemRoot& root);
// Omits cores that cannot be read, for example because they are offline.
std::vector<CoreFrequency> ReadFrequencies(std::vector<CoreClock>& clocks);

}  // namespace mete
