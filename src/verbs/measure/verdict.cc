#include "measure/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "measure/quota_periods.h"
#include "stats/interval.h"
#include "stats/quantile.h"
#include "stats/stability.h"
#include "support/units.h"

namespace mete {
namespace {

// The fewest independent values for which a median has a 95 % interval; see
// stats/interval.h.
constexpr size_t kFewestForInterval = 6;

std::string TooFew(const SteadyPart& part) {
  if (part.series.size() < kFewestForInterval) {
    return fmt::format(
        "too few iterations for a 95 % interval; use --iterations {} or more",
        kFewestForInterval);
  }
  return fmt::format(
      "too few independent iterations for a 95 % interval (autocorrelation "
      "time {:.0f}); use more iterations",
      part.tau);
}

Seconds TotalTime(const SteadyPart& part) {
  return Seconds(std::accumulate(part.series.begin(), part.series.end(), 0.0));
}

std::string TooFewPeriods(const SteadyPart& part) {
  return fmt::format(
      "under a CPU limit, {} is too short: less than {:g} quota periods of {}; "
      "use --duration {:g}s",
      FormatSeconds(TotalTime(part)), kFewestPeriods,
      FormatSeconds(kQuotaPeriod), kNetworkTime.count());
}

// "2.0", and "0.01" where one decimal would say 0.0.
std::string Percent(double share) {
  const double percent = share * 100;
  return percent < 0.1 ? fmt::format("{:.2g}", percent)
                       : fmt::format("{:.1f}", percent);
}

std::string TooWide(const SteadyPart& part, const JudgementRequest& request) {
  double width = RelativeHalfWidth(*part.median, *part.interval);
  if (request.adaptive) {
    return fmt::format("the median is known to ±{} %; ±{} % was requested",
                       Percent(width), Percent(request.target));
  }
  return fmt::format(
      "the median is known to ±{} %, which is more than ±{} % "
      "(measure.until); use more iterations or time",
      Percent(width), Percent(request.target));
}

}  // namespace

bool CoversQuotaPeriods(const SteadyPart& part) {
  return TotalTime(part) >= kFewestPeriods * kQuotaPeriod;
}

double RelativeHalfWidth(double middle, const Interval& interval) {
  return std::max(middle - interval.low, interval.high - middle) / middle;
}

std::optional<LatencySummary> SummariseLatency(const SteadyPart& part) {
  if (part.sorted.empty()) return std::nullopt;
  auto quantile = [&](double p) {
    return Seconds(*QuantileOfSorted(part.sorted, p));
  };
  double sum = std::accumulate(part.series.begin(), part.series.end(), 0.0);
  LatencySummary summary{
      .mean = Seconds(sum / static_cast<double>(part.series.size())),
      .min = Seconds(part.sorted.front()),
      .p50 = quantile(0.5),
      .p90 = quantile(0.9),
      .p95 = quantile(0.95),
      .p99 = quantile(0.99),
      .max = Seconds(part.sorted.back())};
  if (part.interval) {
    summary.p50_low = Seconds(part.interval->low);
    summary.p50_high = Seconds(part.interval->high);
  }
  if (auto tail = IntervalOfSeries(part.series, part.sorted, 0.99).interval) {
    summary.p99_low = Seconds(tail->low);
    summary.p99_high = Seconds(tail->high);
  }
  return summary;
}

Verdict Judge(const SteadyPart& part, const JudgementRequest& request) {
  if (auto drift = FindDrift(part.series)) {
    return {.kind = VerdictKind::kDrifting, .explanation = Describe(*drift)};
  }
  if (auto levels = FindTwoLevels(part.series)) {
    return {.kind = VerdictKind::kBimodal, .explanation = Describe(*levels)};
  }
  if (request.has_cpu_quota && !CoversQuotaPeriods(part)) {
    return {.kind = VerdictKind::kTooFewSamples,
            .explanation = TooFewPeriods(part)};
  }
  if (!part.interval) {
    return {.kind = VerdictKind::kTooFewSamples, .explanation = TooFew(part)};
  }
  if (!IsPrecise(part, request.target)) {
    return {.kind = VerdictKind::kNotConverged,
            .explanation = TooWide(part, request)};
  }
  if (request.asked_iterations &&
      part.series.size() < *request.asked_iterations) {
    return {.kind = VerdictKind::kNotConverged,
            .explanation =
                fmt::format("{} of {} iterations were possible",
                            part.series.size(), *request.asked_iterations)};
  }
  return {};
}

}  // namespace mete
