// Checks a plan against its problem with the exact predictor. It shares no code
// with the search: no rows, no items, no bins.
#pragma once

#include "place/placement_plan.h"
#include "place/to_packing.h"

namespace mete {

// What runs on one server, with everything that follows from it.
struct ServerState {
  double memory = 0;             // bytes
  std::vector<double> pressure;  // summed over all instances
};

// Fails with kNotFound if the plan names an unknown application.
Result<ServerState> StateOf(const PlacementProblem& problem,
                            const CostModel& costs,
                            const std::vector<PlacedInstances>& contents);

// Evaluates every constraint: the servers exist and are listed once, whole
// applications, memory, SLOs on every server an application touches, pins,
// anti-affinity, and instances together on a server.
PlanVerification VerifyPlacement(const PlacementPlan& plan,
                                 const PlacementCosts& costs);

// Fills in the predicted latencies, and the power, of a plan.
Status PredictPlan(PlacementPlan& plan, const PlacementCosts& costs);

}  // namespace mete
