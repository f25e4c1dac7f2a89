// Translates a placement problem to the numbers of math/optimize, and its plans
// back.
#pragma once

#include <memory>
#include <vector>

#include "optimize/packing_problem.h"
#include "place/cost_model.h"
#include "place/placement_plan.h"
#include "place/placement_problem.h"
#include "support/result.h"

namespace mete {

// The cost model of each type of servers, in their order.
using PlacementCosts = std::vector<std::shared_ptr<const CostModel>>;

// What the translation depends on besides the problem.
struct PackingOptions {
  PlacementObjective objective = PlacementObjective::kRevenue;
  // SLOs are multiplied by this: below 1, plans keep a distance from them.
  double slo_scale = 1;
  const PlacementPlan* previous = nullptr;
  // Price of moving one instance, in the unit of the objective.
  double migration_cost = 0;
};

// A problem of numbers, and which servers its bins stand for.
struct TranslatedProblem {
  // Servers of one type that are equal for every application. A server that an
  // application is pinned to is alone in its bin type.
  struct Bins {
    size_t type = 0;          // in the problem's servers
    std::vector<int> places;  // of each bin in its type
  };
  PackingProblem packing;
  std::vector<Bins> bins;  // one for each of packing.types
};

// Items are in the order of the applications. Fails with kInvalidInput if no
// type of servers knows an application, or one knows too little about it.
Result<TranslatedProblem> ToPacking(const PlacementProblem& problem,
                                    const PlacementCosts& costs,
                                    const PackingOptions& options);

// The servers of a packing plan, without predicted latencies.
std::vector<PlannedServer> ToServers(const PlacementProblem& problem,
                                     const TranslatedProblem& translated,
                                     const PackingPlan& plan);

// Power of a type's server when it is on, and of an instance there; absent
// without known power or CPU time.
std::optional<Watts> IdlePower(const ServerType& type);
std::optional<Watts> InstancePower(const ServerType& type,
                                   const CostModel& costs,
                                   const AppDemand& app);

}  // namespace mete
