// What mete-torch does: train a reference network, or let it answer.
#pragma once

#include "apps/torch/workload_flags.h"

namespace mete {

// Each prints its result to stdout and tells the hook its phases: init, setup,
// evaluate.
Status RunTraining(const WorkloadFlags& flags);
Status RunInference(const WorkloadFlags& flags);

}  // namespace mete
