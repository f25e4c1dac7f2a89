#include "stats/interval.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"
#include "stats/quantile.h"
#include "support/check.h"

namespace mete {
namespace {

// Order statistics X(1) <= … <= X(n) bound the p-quantile xi because
//   P(X(r) > xi) = P(N <= r - 1),  N ~ Binomial(n, p)
// (Conover, "Practical Nonparametric Statistics", 3rd ed. 1999, section 3.2).
// Whole ranks reach only some probabilities; between two of them,
//   (1 - lambda) X(r) + lambda X(r+1)
// reaches probability beta with
//   lambda = 1 / (1 + r (1 - p) (pi(r+1) - beta) / ((n - r) p (beta - pi(r))))
//   pi(r) = P(X(r) > xi)
// nearly whatever the distribution: Nyblom, "Note on interpolated order
// statistics", Statistics & Probability Letters 14 (1992) 129-131; for p = 1/2
// it is Hettmansperger and Sheather's rule (same journal, 4 (1986) 75-79).
// The true probability always lies between pi(r) and pi(r+1).
//
// Returns r + lambda, absent when it falls outside 1 … n.
std::optional<double> FindRank(size_t n, double p, double beta) {
  BinomialRank found = BinomialQuantile({.n = n, .p = p, .probability = beta});
  // P(N <= r - 1) <= beta < P(N <= r): X(r) is too low, X(r+1) high enough.
  size_t r = found.rank;
  if (r < 1 || r >= n) return std::nullopt;
  double count = static_cast<double>(n);
  double rank = static_cast<double>(r);
  double over = rank * (1 - p) * (found.upto - beta);
  double under = (count - rank) * p * (beta - found.below);
  return rank + under / (under + over);
}

// Dependent values carry less information: the number below xi varies tau times
// as much as if they were independent (Heidelberger and Lewis, "Quantile
// estimation in dependent sequences", Operations Research 32 (1984) 185-209,
// section 1), so ranks are computed for m = n / tau independent values. The
// part of tau above 1 is an estimate; as for any mean with an estimated
// variance, Student's quantile replaces the normal one in the width of the
// interval. Returns the tau to use.
double CautiousTau(const IntervalRequest& request) {
  if (!request.dependence || request.dependence->tau <= 1) return 1;
  double upper = 0.5 + 0.5 * request.confidence;
  double ratio = StudentQuantile(upper, request.dependence->degrees) /
                 NormalQuantile(upper);
  return 1 + (request.dependence->tau - 1) * ratio * ratio;
}

// A few rare values cannot show how they cluster. With fewer than 50 values
// beyond the quantile, dependence is estimated at the nearest quantile with 50
// beyond: less extreme values cluster as much or more, so the interval errs on
// the wide side.
double WhereDependenceShows(double p, size_t n) {
  constexpr double kEnoughBeyond = 50;
  double beyond = std::min(p, 1 - p);
  beyond = std::clamp(kEnoughBeyond / static_cast<double>(n), beyond, 0.5);
  return p < 0.5 ? beyond : 1 - beyond;
}

// The values beyond a quantile come in clusters of about tau, and the number of
// clusters determines how well tau is known: there are at most as many degrees
// of freedom as clusters.
AutocorrelationTime DependenceAt(std::span<const double> series,
                                 std::span<const double> sorted, double p) {
  double shown = WhereDependenceShows(p, series.size());
  AutocorrelationTime found = IndicatorAutocorrelationTime(
      series, QuantileOfSorted(sorted, shown).value_or(0));
  double clusters = static_cast<double>(series.size()) *
                    std::min(shown, 1 - shown) / found.tau;
  found.degrees = std::max(1.0, std::min(found.degrees, clusters));
  return found;
}

}  // namespace

QuantileBounds BoundQuantile(std::span<const double> sorted,
                             const IntervalRequest& request) {
  CHECK(request.p > 0 && request.p < 1) << "quantile " << request.p;
  double n = static_cast<double>(sorted.size());
  auto m = static_cast<size_t>(std::floor(n / CautiousTau(request)));
  if (m < 2) return {};
  double tail = 0.5 * (1 - request.confidence);
  auto low = FindRank(m, request.p, tail);
  auto high = FindRank(m, request.p, 1 - tail);
  // Rank r of m values is in the middle of the r-th of m equal parts, and keeps
  // its position when the parts contain n / m values each.
  double scale = n / static_cast<double>(m);
  auto value = [&](std::optional<double> rank) -> std::optional<double> {
    if (!rank) return std::nullopt;
    return AtRank(sorted, std::clamp(0.5 + scale * (*rank - 0.5), 1.0, n));
  };
  return {.low = value(low), .high = value(high)};
}

std::optional<Interval> QuantileInterval(std::span<const double> sorted,
                                         const IntervalRequest& request) {
  QuantileBounds bounds = BoundQuantile(sorted, request);
  if (!bounds.low || !bounds.high) return std::nullopt;
  return Interval{.low = *bounds.low, .high = *bounds.high};
}

SeriesInterval IntervalOfSeries(std::span<const double> series,
                                std::span<const double> sorted, double p,
                                double confidence) {
  if (series.empty()) return {};
  AutocorrelationTime dependence = DependenceAt(series, sorted, p);
  return {
      .interval = QuantileInterval(
          sorted, {.p = p, .confidence = confidence, .dependence = dependence}),
      .tau = dependence.tau};
}

QuantileBounds BoundsOfSeries(std::span<const double> series,
                              std::span<const double> sorted, double p,
                              double confidence) {
  if (series.empty()) return {};
  return BoundQuantile(sorted, {.p = p,
                                .confidence = confidence,
                                .dependence = DependenceAt(series, sorted, p)});
}

}  // namespace mete
