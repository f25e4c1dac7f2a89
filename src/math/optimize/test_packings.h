// Random packing problems, and the best plan by exhaustive search.
#pragma once

#include <cstdint>

#include "optimize/packing_problem.h"
#include "optimize/search_limits.h"

namespace mete {

// Which rules a random problem has.
struct RandomPacking {
  size_t items = 8;
  size_t types = 2;
  size_t bins_per_type = 1;
  size_t resources = 1;
  size_t pressures = 2;
  int copies = 2;          // at most
  double groups = 0.2;     // share of items in an anti-affinity group
  double pins = 0.2;       // share of exclusions
  double costs = 0;        // scale of costs, relative to the values
  bool residents = false;  // a previous plan and costs of moves
};

PackingProblem MakeRandomPacking(const RandomPacking& wanted, uint64_t seed);

// The highest score of all plans. Independent of the solvers; exponential, for
// up to about eight items.
double BestScoreByEnumeration(const PackingProblem& problem);

// Until so long from now, by the clock of the system.
SearchLimits LimitsFor(Seconds time);

}  // namespace mete
