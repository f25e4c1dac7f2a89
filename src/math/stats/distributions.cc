#include "stats/distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/check.h"

namespace mete {
namespace {

double NormalCdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// Regularised incomplete beta function I_x(a, b) by its continued fraction
// (DLMF 8.17.22), evaluated by Lentz's method.
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kTerms = 500;
  double c = 1;
  double d = 1 / std::max(1 - (a + b) * x / (a + 1), kTiny);
  double fraction = d;
  for (int m = 1; m < kTerms; ++m) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    fraction *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return fraction;
}

double IncompleteBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                          a * std::log(x) + b * std::log1p(-x));
  // The fraction converges quickly only below the mean.
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, 1 - x) / b;
}

// Abramowitz and Stegun 26.7.1: P(|T| > t) = I_{nu/(nu+t^2)}(nu/2, 1/2).
double StudentCdf(double t, double degrees) {
  double tail =
      0.5 * IncompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
  return t < 0 ? tail : 1 - tail;
}

// Solves cdf(x) = probability for a growing cdf.
template <typename Cdf>
double Inverse(Cdf cdf, double probability) {
  double low = -1;
  double high = 1;
  while (cdf(low) > probability) low *= 2;
  while (cdf(high) < probability) high *= 2;
  constexpr double kTolerance = 1e-10;
  while (high - low > kTolerance * std::max(1.0, std::abs(low))) {
    double middle = 0.5 * (low + high);
    (cdf(middle) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double LogBinomialTerm(size_t n, size_t k, double p) {
  double count = static_cast<double>(n);
  double hits = static_cast<double>(k);
  return std::lgamma(count + 1) - std::lgamma(hits + 1) -
         std::lgamma(count - hits + 1) + hits * std::log(p) +
         (count - hits) * std::log1p(-p);
}

}  // namespace

double NormalQuantile(double probability) {
  CHECK(probability > 0 && probability < 1) << probability;
  return Inverse(NormalCdf, probability);
}

double StudentQuantile(double probability, double degrees) {
  CHECK(probability > 0 && probability < 1) << probability;
  CHECK(degrees >= 1) << degrees;
  return Inverse([degrees](double t) { return StudentCdf(t, degrees); },
                 probability);
}

BinomialRank BinomialQuantile(const BinomialRequest& request) {
  const auto& [n, p, probability] = request;
  CHECK(p > 0 && p < 1) << p;
  // Below 12 standard deviations lies less than 1e-30 of the mass.
  double count = static_cast<double>(n);
  double start = count * p - 12 * std::sqrt(count * p * (1 - p)) - 12;
  BinomialRank found{.rank = static_cast<size_t>(std::max(0.0, start))};
  double term = std::exp(LogBinomialTerm(n, found.rank, p));
  found.upto = term;
  while (found.upto <= probability && found.rank < n) {
    double k = static_cast<double>(found.rank);
    term *= (count - k) / (k + 1) * p / (1 - p);
    ++found.rank;
    found.below = found.upto;
    found.upto += term;
  }
  return found;
}

}  // namespace mete
