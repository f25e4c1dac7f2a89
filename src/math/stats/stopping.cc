#include "stats/stopping.h"

#include <algorithm>

#include "stats/quantile.h"
#include "stats/warmup.h"

namespace mete {

SteadyPart FindSteadyPart(std::span<const double> series,
                          const SteadyRequest& request) {
  SteadyPart part;
  part.warmup = request.warmup
                    ? *request.warmup
                    : std::max(WarmupLength(series), request.least_warmup);
  part.warmup = std::min(part.warmup, series.size());
  std::span<const double> rest = series.subspan(part.warmup);
  part.series.assign(rest.begin(), rest.end());
  part.sorted = Sorted(rest);
  part.median = QuantileOfSorted(part.sorted, 0.5);
  SeriesInterval median = IntervalOfSeries(part.series, part.sorted, 0.5);
  part.interval = median.interval;
  part.tau = median.tau;
  return part;
}

bool IsPrecise(const SteadyPart& part, double target) {
  return part.median && part.interval &&
         part.interval->low >= *part.median * (1 - target) &&
         part.interval->high <= *part.median * (1 + target);
}

size_t NextLook(size_t values) {
  // Twenty more than the minimum, to allow for warm-up.
  size_t look = static_cast<size_t>(StoppingRule::kFewestIndependent) + 20;
  while (look <= values) look += look / 2;
  return look;
}

// A fixed-width sequential interval in the manner of Chow and Robbins, "On the
// asymptotic theory of fixed-width sequential confidence intervals for the
// mean", Annals of Mathematical Statistics 36 (1965) 457-462, with the width
// relative to the estimate as in Glynn and Whitt, "The asymptotic validity of
// sequential stopping rules for stochastic simulations", Annals of Applied
// Probability 2 (1992) 180-198. Coverage tends to the nominal one as the target
// shrinks, provided that a least sample size keeps the rule from stopping on
// an early underestimate of the width; simulation shows what is left of that
// at our sizes.
bool StoppingRule::ShouldStop(const SteadyPart& part) {
  double independent = static_cast<double>(part.series.size()) / part.tau;
  bool good = independent >= kFewestIndependent && IsPrecise(part, target_);
  looks_ = good ? looks_ + 1 : 0;
  return looks_ >= kLooksInARow;
}

}  // namespace mete
