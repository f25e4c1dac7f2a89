// Findings about the machine itself: system, processor, cgroups, counters.
#pragma once

#include <filesystem>

#include "doctor/finding.h"
#include "linux/system_root.h"
#include "ports/system_probes.h"

namespace mete {

Finding FindSystem(const SystemRoot& root);
// `cores`: usable by this process; 0 when unknown.
Finding FindProcessor(const SystemRoot& root, int cores);
Finding FindCgroups(const SystemRoot& root);
Finding FindPerfCounters(const SystemRoot& root, SystemProbes& probes);
Finding FindRapl(const SystemRoot& root);
Finding FindNvidia(const SystemRoot& root, SystemProbes& probes);
Finding FindStore(const SystemRoot& root, const std::filesystem::path& store);

}  // namespace mete
