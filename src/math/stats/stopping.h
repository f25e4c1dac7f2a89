// Decides when a series has been measured long enough.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/interval.h"

namespace mete {

// A series split into warm-up and the steady part that counts, with the
// interval of the steady part's median.
struct SteadyPart {
  size_t warmup = 0;
  std::vector<double> series;  // after the warm-up, in order
  std::vector<double> sorted;
  std::optional<double> median;      // absent when nothing is left
  std::optional<Interval> interval;  // of the median, 95 %
  double tau = 1;                    // autocorrelation time at the median
};

// With `warmup` exactly that many values are removed; otherwise as many as
// WarmupLength returns, but at least `least_warmup`.
struct SteadyRequest {
  std::optional<size_t> warmup;
  size_t least_warmup = 0;
};
SteadyPart FindSteadyPart(std::span<const double> series,
                          const SteadyRequest& request);

// True if the 95 % interval of the median is within +-target of it; target 0.02
// is 2 %.
bool IsPrecise(const SteadyPart& part, double target);

// The number of values at which to look next: 120, 180, 270, …. Looking at
// every value would stop at the first lucky one; looks a factor of 1.5 apart
// are nearly as good as a single one, and little more is measured than
// necessary.
size_t NextLook(size_t values);

// Sequential stopping rule: stops when the median is precise and based on
// enough independent values, at two looks in a row.
class StoppingRule {
 public:
  // With fewer independent values the autocorrelation time is often
  // underestimated, so that the rule would stop by luck; 100 are also needed to
  // distinguish warm-up, drift and two levels from noise. Chosen by simulation
  // among 30, 50, 70 and 100 (docs/internals/statistics.md).
  static constexpr double kFewestIndependent = 100;
  // One precise look may be luck; the next has 50 % more values.
  static constexpr int kLooksInARow = 2;

  explicit StoppingRule(double target) : target_(target) {}

  // Call it at every count that NextLook returns.
  bool ShouldStop(const SteadyPart& part);

 private:
  double target_;
  int looks_ = 0;
};

}  // namespace mete
