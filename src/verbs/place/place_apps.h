// Places many applications on many servers: mete place --apps.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "place/cost_model.h"
#include "place/placement_plan.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What a long search reports now and then: the best plan so far, and what no
// plan exceeds.
struct PlacementProgress {
  Seconds elapsed{0};
  double objective = 0;
  double bound = 0;
};

// What to place and how. `previous` is borrowed.
struct PlaceAppsRequest {
  PlacementProblem problem;
  PlacementObjective objective = PlacementObjective::kRevenue;
  PlacementMethod method = PlacementMethod::kAuto;
  // The sequential method fills the strongest servers first.
  bool strong_first = false;
  Seconds time_limit{10};
  double gap = 0.01;  // good enough: stop when it is proven
  uint64_t seed = 1;
  size_t threads = 0;  // 0: one per core; the plan does not depend on it
  const PlacementPlan* previous = nullptr;
  double migration_cost = 0;  // of one instance, in the objective's unit
  std::string mete_version;
  std::function<void(const PlacementProgress&)> on_progress;  // may be empty
};

// Finds the cost model of a type of servers.
using CostModelSource =
    std::function<Result<std::shared_ptr<const CostModel>>(const ServerType&)>;

// What placing needs.
struct PlaceAppsDependencies {
  CostModelSource costs;
  const Clock& clock;
};

// Makes the plan, explains what it rejects and verifies it. A plan that places
// nothing is not an error. Fails with kInvalidInput for a problem that makes no
// sense, such as an application that no cost model knows, and as the cost
// models do.
Result<PlacementPlan> PlaceApps(const PlaceAppsRequest& request,
                                const PlaceAppsDependencies& dependencies,
                                std::stop_token stop);

// Verifies a plan that was made before, with the costs as they are now.
Result<PlanVerification> VerifyAgain(const PlacementPlan& plan,
                                     const CostModelSource& costs);

}  // namespace mete
