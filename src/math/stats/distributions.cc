#include "stats/distributions.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "support/check.h"

namespace mete {
namespace {

// Without promotion to long double, whose size differs between processors:
// the same samples give the same interval on each of them.
using Policy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::discrete_quantile<
                                      boost::math::policies::integer_round_up>>;
using Normal = boost::math::normal_distribution<double, Policy>;
using Student = boost::math::students_t_distribution<double, Policy>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

void CheckProbability(double probability) {
  CHECK(probability > 0 && probability < 1) << probability;
}

}  // namespace

double NormalQuantile(double probability) {
  CheckProbability(probability);
  return quantile(Normal(), probability);
}

double StudentQuantile(double probability, double degrees) {
  CheckProbability(probability);
  CHECK(degrees >= 1) << degrees;
  return quantile(Student(degrees), probability);
}

BinomialRank BinomialQuantile(const BinomialRequest& request) {
  const auto& [n, p, probability] = request;
  CHECK(p > 0 && p < 1) << p;
  CheckProbability(probability);
  if (n == 0) return {.upto = 1};
  const double count = static_cast<double>(n);
  const Binomial distribution(count, p);
  auto up_to = [&](double rank) { return cdf(distribution, rank); };
  // Boost's quantile is the smallest rank with P(N <= rank) >= probability.
  double rank = quantile(distribution, probability);
  while (rank < count && up_to(rank) <= probability) ++rank;
  return {.rank = static_cast<size_t>(rank),
          .below = rank > 0 ? up_to(rank - 1) : 0,
          .upto = up_to(rank)};
}

}  // namespace mete
