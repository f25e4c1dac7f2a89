// When a series has been measured long enough.
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
  std::vector<double> series;  // behind the warm-up, in order
  std::vector<double> sorted;
  std::optional<double> median;      // absent when nothing is left
  std::optional<Interval> interval;  // of the median, 95 %
  double tau = 1;                    // autocorrelation time at the median
};

// With `warmup` exactly so many values are cut off, otherwise as many as
// WarmupLength says and at least `least_warmup`.
struct SteadyRequest {
  std::optional<size_t> warmup;
  size_t least_warmup = 0;
};
SteadyPart FindSteadyPart(std::span<const double> series,
                          const SteadyRequest& request);

// Whether the 95 % interval of the median lies within +-target of it; target
// 0.02 is 2 %.
bool IsPrecise(const SteadyPart& part, double target);

// The count of values at which to look next: 120, 180, 270, … Looking at every
// value would stop on the first lucky one; with looks a factor of 1.5 apart
// their results are nearly one result, and little more is measured than was
// needed.
size_t NextLook(size_t values);

// The sequential rule: stop when the median is precise and rests on enough
// independent values, at two looks in a row.
class StoppingRule {
 public:
  // The autocorrelation time of fewer independent values is underestimated so
  // often that the rule would stop on luck; 100 are also what it takes to tell
  // warm-up, drift and two levels from noise. Chosen by simulation among 30,
  // 50, 70 and 100 (docs/internals/statistics.md).
  static constexpr double kFewestIndependent = 100;
  // One precise look may be luck; the next has half as many values again.
  static constexpr int kLooksInARow = 2;

  explicit StoppingRule(double target) : target_(target) {}

  // To be called at every count that NextLook gives.
  bool ShouldStop(const SteadyPart& part);

 private:
  double target_;
  int looks_ = 0;
};

}  // namespace mete
