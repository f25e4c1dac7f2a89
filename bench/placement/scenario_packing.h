// The scenarios of NeuRO with synthetic contention, as packing problems.
#pragma once

#include "optimize/packing_problem.h"
#include "place/scenario.h"
#include "support/result.h"

namespace mete {

// One instance: weak and strong servers, latencies from synthetic_costs.h.
Result<PackingProblem> MakeScenarioPacking(const ScenarioRequest& request);

}  // namespace mete
