// What the samples of a run tell about the machine's GPUs.
#pragma once

#include <optional>
#include <vector>

#include "domain/application_details.h"

namespace mete {

// Over all GPUs together; absent when the machine tells of none. `last` is
// read at the end of the run: energy counts up to there.
std::optional<GpuSummary> SummariseGpus(const std::vector<UsageSample>& samples,
                                        const MachineSample& last);

// What the processes hold together on all GPUs; absent when no GPU tells of
// any process, or the processes are not known.
std::optional<Bytes> SumGpuMemory(const std::vector<int>& processes,
                                  const std::vector<GpuSample>& gpus);

}  // namespace mete
