// Processor facts from the kernel: name, caches, frequency, governor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linux/system_root.h"
#include "machine/facts.h"

namespace mete {

// "AMD EPYC 7763 64-Core Processor", "Arm Cortex-A72", or several kinds of
// core joined by " + ". "" when unknown.
std::string ReadCpuModel(const SystemRoot& root);

// Maximum of the fastest core. Absent without cpufreq (most virtual machines).
std::optional<double> ReadMaxFrequency(const SystemRoot& root);

// Caches of core 0, from the nearest level to the farthest.
std::vector<CacheLevel> ReadCaches(const SystemRoot& root);

// Governor of core 0: "performance", "schedutil", …. Absent without cpufreq.
std::optional<std::string> ReadGovernor(const SystemRoot& root);

// Temperature of the processor, not of the battery or the wireless card. Absent
// when no readable sensor is known to be on the processor.
std::optional<double> ReadCpuTemperature(const SystemRoot& root);

}  // namespace mete
