// Summarises the GPU samples of a run.
#pragma once

#include <optional>
#include <vector>

#include "domain/application_details.h"

namespace mete {

// Over all GPUs together; absent when the machine reports none. `last` is read
// at the end of the run; energy is counted up to then.
std::optional<GpuSummary> SummariseGpus(const std::vector<UsageSample>& samples,
                                        const MachineSample& last);

// The memory that the processes use on all GPUs. Absent when no GPU reports its
// processes or the processes are unknown.
std::optional<Bytes> SumGpuMemory(const std::vector<int>& processes,
                                  const std::vector<GpuSample>& gpus);

}  // namespace mete
