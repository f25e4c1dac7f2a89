#include "sweep/time_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "domain/run_words.h"
#include "stats/mean_interval.h"
#include "support/units.h"
#include "sweep/sweep_plan.h"

namespace mete {
namespace {

// A wider interval is worth a warning: half of it, relative to the mean.
constexpr double kWide = 0.1;

bool HasQuota(const SweepPoint& run) {
  return run.limits.millicores || run.throttled;
}

// Three runs show how far runs differ. Two do, too, but their t interval is
// useless if the runs have intervals of their own: then it spans both.
std::optional<Interval> IntervalFor(std::span<const SweepPoint* const> runs,
                                    const MeanEstimate& of_runs) {
  const bool own = std::ranges::all_of(runs, [](const SweepPoint* run) {
    return run->steps && run->steps->mean_low && run->steps->mean_high;
  });
  if (runs.size() > 2 || !own) return of_runs.interval;
  Interval hull{.low = runs[0]->steps->mean_low->count(),
                .high = runs[0]->steps->mean_high->count()};
  for (const SweepPoint* run : runs) {
    hull.low = std::min(hull.low, run->steps->mean_low->count());
    hull.high = std::max(hull.high, run->steps->mean_high->count());
  }
  return hull;
}

double HalfWidth(const TimeEstimate& estimate) {
  return (estimate.interval->high - estimate.interval->low) / 2 /
         estimate.seconds;
}

Verdict Judge(const TimeEstimate& estimate, double periods) {
  if (estimate.brief) {
    return {VerdictKind::kTooFewSamples,
            fmt::format("covers {:.2g} quota periods of {}; at least {:g} are "
                        "required",
                        periods, FormatSeconds(kQuotaPeriod), kFewestPeriods)};
  }
  if (!estimate.interval) {
    return {VerdictKind::kTooFewSamples,
            estimate.runs == 1 ? "one run has no interval; use --search linear "
                                 "--repeat 3"
                               : "too few steps for an interval"};
  }
  if (estimate.seconds > 0 && HalfWidth(estimate) > kWide) {
    return {VerdictKind::kNotConverged,
            "the 95 % interval is ±" + PrecisionText(estimate)};
  }
  return {};
}

}  // namespace

double TimeFor(const SweepPoint& point) {
  return (point.steps ? point.steps->mean : point.duration).count();
}

std::optional<TimeEstimate> EstimateTime(
    std::span<const SweepPoint* const> given) {
  std::vector<const SweepPoint*> runs;
  std::vector<double> times;
  for (const SweepPoint* run : given) {
    if (!run->worked) continue;
    runs.push_back(run);
    times.push_back(TimeFor(*run));
  }
  auto of_runs = EstimateMeanOfRuns(times);
  if (!of_runs) return std::nullopt;
  TimeEstimate estimate{.seconds = of_runs->mean,
                        .runs = runs.size(),
                        .interval = IntervalFor(runs, *of_runs)};
  Seconds observed{0};
  for (const SweepPoint* run : runs) observed += ObservedTime(*run);
  const double periods = observed / kQuotaPeriod;
  // 0.5: a run ends a little before or after the planned time.
  estimate.brief =
      std::ranges::any_of(
          runs, [](const SweepPoint* run) { return HasQuota(*run); }) &&
      periods < kFewestPeriods - 0.5;
  if (estimate.brief) estimate.interval.reset();
  estimate.verdict = Judge(estimate, periods);
  return estimate;
}

Seconds ObservedTime(const SweepPoint& point) {
  if (!point.steps) return point.duration;
  return point.steps->mean * static_cast<double>(point.steps->count);
}

bool IsFaster(const TimeEstimate& first, const TimeEstimate& second) {
  return first.interval && second.interval &&
         first.interval->high < second.interval->low;
}

std::string PrecisionText(const TimeEstimate& estimate) {
  if (!estimate.interval || estimate.seconds <= 0) return "";
  const double percent = 100 * HalfWidth(estimate);
  return fmt::format("{:.{}f} %", percent, percent < 9.95 ? 1 : 0);
}

std::string EstimateText(const TimeEstimate& estimate) {
  std::string text = FormatSeconds(estimate.seconds);
  if (!estimate.interval)
    return text + " (" + ToWords(estimate.verdict.kind) + ")";
  return fmt::format("{} ({} to {})", text,
                     FormatSeconds(estimate.interval->low),
                     FormatSeconds(estimate.interval->high));
}

}  // namespace mete
