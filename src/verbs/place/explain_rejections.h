// Says why applications were rejected: which constraint, which server came
// nearest, and what would make them fit.
#pragma once

#include "place/placement_plan.h"
#include "place/to_packing.h"

namespace mete {

// Explains every application that no server of the plan runs, in the order of
// the problem. Fails as the cost models do.
Result<std::vector<Rejection>> ExplainRejections(const PlacementPlan& plan,
                                                 const PlacementCosts& costs);

}  // namespace mete
