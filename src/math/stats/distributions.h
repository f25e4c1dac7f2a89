// Distribution functions for intervals and tests.
#pragma once

#include <cstddef>

namespace mete {

// z with P(Z <= z) = probability for a standard normal Z; probability in
// (0, 1).
double NormalQuantile(double probability);

// t with P(T <= t) = probability for Student's T; probability in (0, 1),
// degrees >= 1 and not necessarily whole.
double StudentQuantile(double probability, double degrees);

// The smallest r in [0, n] with P(N <= r) > probability for a binomial N of n
// trials that succeed with p, together with the probabilities on both sides
// of it; probability in (0, 1).
struct BinomialRank {
  size_t rank = 0;
  double below = 0;  // P(N <= rank - 1)
  double upto = 0;   // P(N <= rank)
};
// A binomial distribution of n trials with success probability p, and the
// probability of the wanted quantile.
struct BinomialRequest {
  size_t n = 0;
  double p = 0.5;
  double probability = 0.5;
};
BinomialRank BinomialQuantile(const BinomialRequest& request);

}  // namespace mete
