#include "bench/placement/random_packings.h"

#include <fmt/format.h>

#include "optimize/solve_packing.h"
#include "optimize/test_packings.h"
#include "optimize/verify_plan.h"
#include "support/clock.h"

namespace mete {
namespace {

RandomPacking ShapeOfRandom(uint64_t seed) {
  return {.items = 4 + seed % 9,
          .types = 1 + seed % 2,
          .bins_per_type = 1 + seed % 3,
          .resources = seed % 3,
          .pressures = 1 + seed % 4,
          .copies = 1 + static_cast<int>(seed % 3),
          .costs = seed % 4 == 1 ? 1.0 : 0.0,
          .residents = seed % 5 == 0};
}

// What went wrong, over all plans.
struct Tally {
  size_t plans = 0;
  size_t violations = 0;
  size_t above_bound = 0;
  size_t above_optimum = 0;
  size_t unproven = 0;  // exact plans that are not proven
};

}  // namespace

Status RunRandomPackings(uint64_t first, uint64_t last) {
  Tally tally;
  SystemClock clock;
  for (uint64_t seed = first; seed <= last; ++seed) {
    PackingProblem problem = MakeRandomPacking(ShapeOfRandom(seed), seed);
    double optimum = 0;
    for (PackingMethod method :
         {PackingMethod::kExact, PackingMethod::kFast, PackingMethod::kGreedy,
          PackingMethod::kSequential}) {
      ASSIGN_OR_RETURN(
          PackingOutcome outcome,
          SolvePacking(problem,
                       {.method = method, .seed = seed, .effort = 0.01}, clock,
                       {}));
      double score = outcome.worth.score;
      ++tally.plans;
      tally.violations += VerifyPlan(problem, outcome.plan).size();
      tally.above_bound += score > outcome.bound + 1e-9 ? 1 : 0;
      if (method == PackingMethod::kExact) {
        optimum = score;
        tally.unproven += outcome.optimal ? 0 : 1;
      }
      tally.above_optimum += score > optimum + 1e-5 ? 1 : 0;
    }
  }
  fmt::print(
      "random problems {} to {}, {} plans: {} violations, {} above their "
      "bound, {} "
      "above the proven optimum, {} optima not proven\n",
      first, last, tally.plans, tally.violations, tally.above_bound,
      tally.above_optimum, tally.unproven);
  return {};
}

}  // namespace mete
