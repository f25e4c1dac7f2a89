// Few-shot transfer: estimates the values of all items for a new target from a
// few observations, the values of other sources, and features of the items.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/gaussian_process.h"
#include "support/result.h"

namespace mete {

// One part of the prior covariance between items: items with similar `values`
// are expected to have similar results. With d columns, kLinear is <x, y> / d
// and kRbf is exp(-
// x - y
// ^2 / (2 length^2 d)).
struct CovarianceBlock {
  enum class Shape { kLinear, kRbf };
  Shape shape = Shape::kLinear;
  Points values;  // one row per item, standardized
  double length = 1;
};

// One candidate set of variances: of each block, and of the noise.
struct PriorWeights {
  std::vector<double> variances;
  double noise = 1e-2;
};

// A column that the target may follow, such as the values of one source: the
// target is slope * values plus a Gaussian process; the slope has a prior mean
// and variance. All values 0 mean "follows none".
struct Carrier {
  std::vector<double> values;  // one per item
  double slope = 0;
  double slope_variance = 1;
  double prior = 1;  // prior weight relative to the others
};

// The prior belief about a target: it follows one unknown carrier with one of
// the weights. All carriers and blocks have the same number of items.
struct TransferPrior {
  std::vector<CovarianceBlock> blocks;
  std::vector<Carrier> carriers;  // empty: no carrier
  std::vector<PriorWeights> weights;
  double level_variance = 1;  // of the target's mean over items
  // Exponent of the evidence in the average over carriers and weights. Use less
  // than 1 when rows are noisier than Gaussian: otherwise a few outliers select
  // a single carrier.
  double temper = 1;
};

// A measured value of one item.
struct Observation {
  size_t item = 0;
  double value = 0;
};

// The average over carriers and weights of Gaussian processes, each weighted by
// its evidence (Rasmussen and Williams 2006, equations 2.25, 2.26, 2.30 and
// section 5.2; Hoeting et al., "Bayesian model averaging", Statistical Science
// 14 (1999)); one estimate per item. The variance includes the disagreement
// between the averaged processes, but not the noise.
//
// Fails with kInvalidInput when there are no observations, an item does not
// exist, or parts of the prior differ in their number of items or blocks.
Result<std::vector<GaussianEstimate>> EstimateItems(
    const TransferPrior& prior, std::span<const Observation> observations);

// How to choose the next item to observe.
enum class Criterion {
  kWidest,  // the most uncertain one: for targets that follow the prior
  kMostInformative,  // the one that lowers the variance of all candidates most:
                     // safer where single items deviate
};

// Which items to choose from, and how.
struct ChoiceRequest {
  std::span<const size_t> candidates;
  size_t count = 0;
  Criterion criterion = Criterion::kMostInformative;
  PriorWeights weights;
};

// Items to observe first, in order, chosen one at a time (greedy D-optimal and
// A-optimal design; Krause, Singh and Guestrin, "Near-optimal sensor placements
// in Gaussian processes", JMLR 9 (2008), show that greedy is good enough).
// Needs no observations. Returns at most as many as there are candidates.
// Memory use is quadratic in their number.
std::vector<size_t> ChooseItems(const TransferPrior& prior,
                                const ChoiceRequest& request);

}  // namespace mete
