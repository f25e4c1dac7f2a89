// What the kernel says about the processor: name, caches, clock, governor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/facts.h"
#include "linux/system_root.h"

namespace mete {

// "AMD EPYC 7763 64-Core Processor", "Arm Cortex-A72", or several kinds of
// core joined by " + ". "" when unknown.
std::string ReadCpuModel(const SystemRoot& root);

// Of the fastest core. Absent without cpufreq (most virtual machines).
std::optional<double> ReadMaxFrequency(const SystemRoot& root);

// Of core 0, from the nearest level to the farthest.
std::vector<CacheLevel> ReadCaches(const SystemRoot& root);

// "performance", "schedutil", … of core 0. Absent without cpufreq.
std::optional<std::string> ReadGovernor(const SystemRoot& root);

// Of the processor, not of the battery or the wireless card. Absent when no
// sensor is known to sit on the processor, or none can be read.
std::optional<double> ReadCpuTemperature(const SystemRoot& root);

}  // namespace mete
