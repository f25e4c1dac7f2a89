#include "load/load_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "load/saturation.h"
#include "load/unanswered_time.h"
#include "stats/quantile.h"
#include "support/check.h"

namespace mete {
namespace {

constexpr std::array<double, 5> kQuantiles{0.5, 0.75, 0.9, 0.95, 0.99};

// Values by intended time: neighbours in a queue depend on each other, which
// the intervals take into account. Times that grow through the window have no
// quantiles that an interval could contain.
TimeSummary SummarizeTimes(const std::vector<double>& series, bool steady) {
  TimeSummary summary{.count = series.size()};
  if (series.empty()) {
    for (double p : kQuantiles) summary.quantiles.push_back({.p = p});
    return summary;
  }
  std::vector<double> sorted = Sorted(series);
  summary.max = KnownTime(sorted.back());
  if (summary.max) {
    summary.mean = Seconds(std::accumulate(series.begin(), series.end(), 0.0) /
                           static_cast<double>(series.size()));
  }
  for (double p : kQuantiles) {
    TimeQuantile quantile{.p = p,
                          .value = KnownTime(*QuantileOfSorted(sorted, p))};
    auto interval = steady ? IntervalOfSeries(series, sorted, p).interval
                           : std::optional<Interval>();
    if (interval) {
      quantile.low = KnownTime(interval->low);
      quantile.high = KnownTime(interval->high);
    }
    summary.quantiles.push_back(quantile);
  }
  return summary;
}

LoadCounts CountRequests(const LoadSamples& samples) {
  // Giving a request to a free connection takes less than this.
  constexpr std::chrono::nanoseconds kNoWait = std::chrono::microseconds(500);
  LoadCounts counts{.planned = samples.samples.size()};
  for (const LoadSample& sample : samples.samples) {
    if (sample.fate == RequestFate::kNotSent) continue;
    ++counts.sent;
    counts.answered += sample.fate == RequestFate::kAnswered;
    counts.unanswered += sample.fate == RequestFate::kUnanswered;
    if (sample.fate == RequestFate::kFailed) {
      ++counts.failed;
      counts.rejected += sample.status == 429 || sample.status == 503;
    }
    if (sample.sent && *sample.sent > sample.dispatched + kNoWait) {
      ++counts.waited;
    }
  }
  return counts;
}

std::optional<SchedulingError> FindSchedulingError(const LoadSamples& samples) {
  std::vector<double> late;
  for (const LoadSample& sample : samples.samples) {
    if (sample.fate == RequestFate::kNotSent) continue;
    late.push_back(Seconds(sample.dispatched - sample.intended).count());
  }
  if (late.empty()) return std::nullopt;
  std::sort(late.begin(), late.end());
  return SchedulingError{.p50 = Seconds(*QuantileOfSorted(late, 0.5)),
                         .p99 = Seconds(*QuantileOfSorted(late, 0.99)),
                         .max = Seconds(late.back())};
}

std::vector<double> SojournTimes(const LoadSamples& samples) {
  std::vector<double> times;
  for (const LoadSample& sample : samples.samples) {
    if (auto sojourn = sample.Sojourn()) {
      times.push_back(sojourn->count());
    } else if (sample.fate == RequestFate::kUnanswered) {
      times.push_back(kUnansweredTime);
    }
  }
  return times;
}

// Of the answered requests for which the service reported it.
std::optional<TimeSummary> SummarizeReported(
    const LoadSamples& samples, std::optional<Seconds> ServerTiming::*time,
    bool steady) {
  std::vector<double> times;
  for (const LoadSample& sample : samples.samples) {
    const auto& reported = sample.timing.*time;
    if (sample.fate == RequestFate::kAnswered && reported) {
      times.push_back(reported->count());
    }
  }
  if (times.empty()) return std::nullopt;
  return SummarizeTimes(times, steady);
}

double AchievedRate(const LoadSamples& samples) {
  auto answered = std::count_if(
      samples.samples.begin(), samples.samples.end(),
      [&](const LoadSample& sample) {
        return sample.fate == RequestFate::kAnswered && sample.received &&
               *sample.received <= samples.window;
      });
  double seconds = Seconds(samples.window).count();
  return seconds > 0 ? static_cast<double>(answered) / seconds : 0;
}

// Statuses and faults of failed requests, the most frequent first.
std::string DescribeFailures(const LoadSamples& samples) {
  std::map<std::string, uint64_t> kinds;
  for (const LoadSample& sample : samples.samples) {
    if (sample.fate != RequestFate::kFailed) continue;
    ++kinds[sample.fault == HttpFault::kNone
                ? fmt::format("status {}", sample.status)
                : std::string(ToWords(sample.fault))];
  }
  std::vector<std::pair<std::string, uint64_t>> sorted(kinds.begin(),
                                                       kinds.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [kind, count] : sorted) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", kind,
                        FormatCount(count));
  }
  return text;
}

std::vector<std::string> MakeNotes(const LoadSamples& samples,
                                   const LoadSummary& summary) {
  std::vector<std::string> notes;
  const LoadCounts& counts = summary.counts;
  if (counts.failed > 0) {
    notes.push_back("failed requests: " + DescribeFailures(samples));
  }
  if (counts.waited * 100 > counts.sent) {
    notes.push_back(fmt::format(
        "{} waited in mete for a free connection, which is part of the "
        "sojourn time (--connections)",
        Counted(counts.waited, "request")));
  }
  const auto& median = summary.sojourn.At(0.5).value;
  // Then mete's own lateness is a visible part of the result.
  constexpr double kVisible = 0.1;
  if (summary.scheduling && median &&
      summary.scheduling->p99 > kVisible * *median) {
    notes.push_back(fmt::format(
        "mete was up to {} late (p99) with sending, which is part of the "
        "sojourn time: the machine is busy or the rate too high for it",
        FormatSeconds(summary.scheduling->p99)));
  }
  if (summary.interrupted) {
    notes.push_back("interrupted before all requests were sent or answered");
  }
  return notes;
}

}  // namespace

std::string QuantileName(double p) { return fmt::format("p{:.4g}", 100 * p); }

const TimeQuantile& TimeSummary::At(double p) const {
  auto found = std::find_if(
      quantiles.begin(), quantiles.end(),
      [p](const TimeQuantile& quantile) { return quantile.p == p; });
  CHECK(found != quantiles.end()) << "no quantile " << p;
  return *found;
}

LoadSummary SummarizeLoad(const LoadSamples& samples) {
  LoadSummary summary{.name = samples.name,
                      .arrivals = samples.arrivals,
                      .window = samples.window,
                      .counts = CountRequests(samples),
                      .achieved_rate = AchievedRate(samples),
                      .scheduling = FindSchedulingError(samples),
                      .saturation = JudgeSaturation(samples),
                      .interrupted = samples.interrupted};
  bool steady = !summary.saturation.saturated();
  summary.sojourn = SummarizeTimes(SojournTimes(samples), steady);
  summary.service = SummarizeReported(samples, &ServerTiming::service, steady);
  summary.queueing = SummarizeReported(samples, &ServerTiming::queue, steady);
  double seconds = summary.window.count();
  if (seconds > 0) {
    summary.offered_rate = static_cast<double>(summary.counts.sent) / seconds;
  }
  summary.notes = MakeNotes(samples, summary);
  return summary;
}

}  // namespace mete
