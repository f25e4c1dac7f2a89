// Few-shot transfer: a handful of observations of a new target, and what other
// sources and the items' own figures say of them, give estimates for all
// items.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "learn/gaussian_process.h"
#include "support/result.h"

namespace mete {

// One part of the prior covariance between items: those alike in `values` are
// expected to answer alike. With d columns, kLinear is <x, y> / d and kRbf is
// exp(-|x - y|^2 / (2 length^2 d)).
struct CovarianceBlock {
  enum class Shape { kLinear, kRbf };
  Shape shape = Shape::kLinear;
  Points values;  // a row an item, standardised
  double length = 1;
};

// One set of variances tried: of each block, and of the noise.
struct PriorWeights {
  std::vector<double> variances;
  double noise = 1e-2;
};

// A column the target may follow, such as what one source says: the target is
// slope * values plus a Gaussian process, the slope being known up to its
// variance. All values 0 stand for "follows none".
struct Carrier {
  std::vector<double> values;  // one an item
  double slope = 0;
  double slope_variance = 1;
  double prior = 1;  // how likely beforehand, relative to the others
};

// What is believed of a target before it is observed: it follows one carrier,
// nobody knows which, with one of the weights. All carriers and blocks have
// the same number of items.
struct TransferPrior {
  std::vector<CovarianceBlock> blocks;
  std::vector<Carrier> carriers;  // empty: follows none
  std::vector<PriorWeights> weights;
  double level_variance = 1;  // of the target's mean over items
  // Power of the evidence in the average over carriers and weights. Below 1
  // when rows are noisier than a Gaussian: else a few outliers elect one.
  double temper = 1;
};

struct Observation {
  size_t item = 0;
  double value = 0;
};

// The average over carriers and weights of Gaussian processes, each weighted
// by its evidence (Rasmussen and Williams 2006, equations 2.25, 2.26, 2.30 and
// section 5.2; Hoeting et al., "Bayesian model averaging", Statistical Science
// 14 (1999)), one estimate an item. The variance includes how far the averaged
// disagree; noise is left out.
//
// Fails with kInvalidInput when nothing was observed, an item does not exist,
// or the prior's parts differ in their number of items or blocks.
Result<std::vector<GaussianEstimate>> EstimateItems(
    const TransferPrior& prior, std::span<const Observation> observations);

// How to choose the items to observe.
enum class Criterion {
  kWidest,       // the one least known: for targets that keep to the prior
  kMostTelling,  // the one that lowers the variance of all candidates most:
                 // safer where single items deviate
};

struct ChoiceRequest {
  std::span<const size_t> candidates;
  size_t count = 0;
  Criterion criterion = Criterion::kMostTelling;
  PriorWeights weights;
};

// Items worth observing first, in that order, one at a time (greedy D-optimal
// and A-optimal design: Krause, Singh and Guestrin, "Near-optimal sensor
// placements in Gaussian processes", JMLR 9 (2008), for why greedy is good
// enough). Needs no observation. At most as many as there are candidates.
// Costs their number squared in memory.
std::vector<size_t> ChooseItems(const TransferPrior& prior,
                                const ChoiceRequest& request);

}  // namespace mete
