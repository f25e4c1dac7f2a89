// Solves the linear program over all patterns without listing them: the master
// knows some, and pricing finds those that are missing. Every round bounds the
// score of all plans of the branch, so it can stop at any time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/branch.h"
#include "optimize/pattern_master.h"
#include "optimize/pattern_pool.h"
#include "optimize/search_limits.h"
#include "support/result.h"

namespace mete {

// Prices with the bound of the score that they prove; `classes` are bounds of
// the profit of any contents at these prices.
using PricedBound = std::pair<double, MasterPrices>;

// When column generation ends, apart from convergence.
struct GenerationRequest {
  SearchLimits limits;
  // A bound of at most this is enough.
  double enough = 0;
  // Ends when the bound exceeds the master's optimum by less than this share of
  // what it exceeds `enough` by.
  double tail = 0;
  // Cones of one pricing at most, when fewer find nothing.
  size_t most_boxes = 100000;
  size_t most_rounds = 1000000;
  // Patterns of different items to look for in each round and class.
  size_t spread = 4;
  size_t threads = 1;  // for pricing
  // Patterns to start from besides those that look best; may be absent.
  const Patterns* start = nullptr;
  // For each class the cones of the last pricing, to start from; updated. May
  // be absent.
  std::vector<std::vector<PressureCone>>* cones = nullptr;
  // Takes the prices of every pricing of the whole problem. May be absent.
  std::vector<PricedBound>* visited = nullptr;
  // Called after each round with the bound so far; may be empty.
  std::function<void(double)> on_round;
};

// Where it ended.
struct GenerationResult {
  double bound = 0;  // no solution of the branch scores more
  // The last optimum of the master; absent if there was none in time.
  std::optional<MasterOptimum> optimum;
  // The prices that gave the best bound of a round, and that bound.
  MasterPrices prices;
  double bound_at_prices = 0;
  // No pattern can improve the master: its objective is the bound.
  bool converged = false;
  size_t rounds = 0;
  size_t pricings = 0;
  size_t steps = 0;
};

// Adds patterns to the pool. Fails with kUnavailable without Clp.
Result<GenerationResult> GenerateColumns(const PackingTables& tables,
                                         const Branch& branch,
                                         PatternPool& pool,
                                         const GenerationRequest& request);

// The branch without decisions.
Branch WholeProblem(const PackingTables& tables);

// Decides items of which the prices of a bound prove that another decision
// cannot reach `score`.
void FixByPrices(const PackingTables& tables, const GenerationResult& result,
                 double score, Branch& branch);

}  // namespace mete
