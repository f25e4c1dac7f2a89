// How fast each core runs at this moment.
#pragma once

#include <vector>

#include "linux/system_root.h"
#include "linux/watched_file.h"

namespace mete {

struct CoreFrequency {
  int core = 0;
  double hz = 0;
};

// A core that tells its frequency.
struct CoreClock {
  int core = 0;
  WatchedFile file;
};

// By number of the core. Empty without cpufreq (most virtual machines).
std::vector<CoreClock> FindCoreClocks(const SystemRoot& root);
// One that cannot be read (its core is off) is left out.
std::vector<CoreFrequency> ReadFrequencies(std::vector<CoreClock>& clocks);

}  // namespace mete
