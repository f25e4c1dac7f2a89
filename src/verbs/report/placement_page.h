// The page of a placement plan: what runs where, how full servers are, how near
// latencies come to their SLOs, and why applications were rejected.
#pragma once

#include <string>

#include "place/placement_plan.h"

namespace mete {

// A page without scripts. All text is escaped.
std::string PlacementPage(const PlacementPlan& plan);

}  // namespace mete
