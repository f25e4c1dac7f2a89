// What a plan is worth, and what its items count for in the search.
#pragma once

#include <vector>

#include "optimize/packing_problem.h"
#include "optimize/solve_packing.h"

namespace mete {

// What placing each item adds to the score, before costs.
std::vector<double> ScoreOfItems(const PackingProblem& problem);

}  // namespace mete
