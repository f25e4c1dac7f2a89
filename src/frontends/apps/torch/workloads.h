// The two workloads of mete-torch: training and inference.
#pragma once

#include "apps/torch/workload_flags.h"

namespace mete {

// Each prints its result to stdout and reports its phases to the hook: init,
// setup, evaluate.
Status RunTraining(const WorkloadFlags& flags);
Status RunInference(const WorkloadFlags& flags);

}  // namespace mete
