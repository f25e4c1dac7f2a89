#include "analyze/right_sizing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "series/decaying_histogram.h"
#include "stats/quantile.h"

namespace mete {
namespace {

constexpr double kSecondsADay = 86400;
constexpr double kHalfLife = kSecondsADay;  // yesterday counts half as much
constexpr double kPeakWindow = 600;  // memory: the peak of ten minutes counts
constexpr double kStartUp = 120;     // seconds after a start
constexpr double kSpike = 1.5;       // times the usual maximum
constexpr double kRequestQuantile = 0.9;
constexpr double kPeakQuantile = 0.98;
constexpr double kMargin = 0.15;
constexpr double kMarginOfIgnorance = 0.35;  // in addition, without any history
// After running out of memory: at least as much more.
constexpr double kMoreMemory = 1.2;
constexpr double kMoreBytes = 100e6;
constexpr double kFirstCores = 0.01;  // resolution of the histograms
constexpr double kFirstBytes = 1e6;

struct Usage {
  std::vector<std::pair<double, double>> points;  // time, value; finite
  double history = 0;                             // seconds
};

Usage MakeUsage(const TimeSeries& series) {
  Usage usage;
  const size_t count = std::min(series.times.size(), series.values.size());
  for (size_t i = 0; i < count; ++i) {
    if (std::isfinite(series.times[i]) && std::isfinite(series.values[i])) {
      usage.points.emplace_back(series.times[i], series.values[i]);
    }
  }
  std::ranges::sort(usage.points);
  if (!usage.points.empty()) {
    usage.history = usage.points.back().first - usage.points.front().first;
  }
  return usage;
}

// 0.5 after a day, 0.88 after a week.
double ConfidenceFor(double history) {
  return history / (history + kSecondsADay);
}

double MarginFor(double confidence) {
  return 1 + kMargin + kMarginOfIgnorance * (1 - confidence);
}

bool IsStartUp(double time, const std::vector<double>& starts) {
  return std::ranges::any_of(starts, [&](double start) {
    return time >= start && time < start + kStartUp;
  });
}

// Leaves out what was used right after a start if it is far above the rest.
bool RemoveStartUp(Usage& usage, std::vector<double> starts) {
  if (usage.points.empty()) return false;
  if (starts.empty()) starts.push_back(usage.points.front().first);
  std::vector<double> during, after;
  for (const auto& [time, value] : usage.points) {
    (IsStartUp(time, starts) ? during : after).push_back(value);
  }
  // Half of the history must remain, or it says nothing about the rest.
  if (during.empty() || after.size() <= during.size()) return false;
  const double usual = *std::ranges::max_element(after);
  if (*std::ranges::max_element(during) <= kSpike * usual) return false;
  std::erase_if(usage.points, [&](const auto& point) {
    return IsStartUp(point.first, starts);
  });
  return true;
}

ResourceAdvice AdviceFor(const DecayingHistogram& histogram, double quantile,
                         const Usage& usage) {
  ResourceAdvice advice{.confidence = ConfidenceFor(usage.history)};
  for (const auto& [time, value] : usage.points) {
    advice.peak = std::max(advice.peak, value);
  }
  const double margin = MarginFor(advice.confidence);
  advice.request = margin * histogram.Quantile(quantile);
  advice.limit = std::max(advice.request, margin * advice.peak);
  return advice;
}

std::optional<ResourceAdvice> CpuAdvice(const TimeSeries& series,
                                        const JobEvents& events,
                                        std::vector<std::string>& notes) {
  Usage usage = MakeUsage(series);
  if (usage.points.empty()) return std::nullopt;
  if (RemoveStartUp(usage, events.starts)) {
    notes.push_back("CPU: start-up spikes were left out");
  }
  DecayingHistogram histogram(kFirstCores, kHalfLife);
  for (const auto& [time, value] : usage.points) histogram.Add(value, time);
  return AdviceFor(histogram, kRequestQuantile, usage);
}

// A process that lacks CPU is slow, but one that lacks memory ends. So the
// peaks of memory count, those at start-up included.
std::optional<ResourceAdvice> MemoryAdvice(const TimeSeries& series,
                                           const JobEvents& events,
                                           std::vector<std::string>& notes) {
  const Usage usage = MakeUsage(series);
  if (usage.points.empty()) return std::nullopt;
  std::map<double, double> peaks;  // by window
  for (const auto& [time, value] : usage.points) {
    double& peak = peaks[std::floor(time / kPeakWindow)];
    peak = std::max(peak, value);
  }
  DecayingHistogram histogram(kFirstBytes, kHalfLife);
  for (const auto& [window, peak] : peaks) {
    histogram.Add(peak, window * kPeakWindow);
  }
  ResourceAdvice advice = AdviceFor(histogram, kPeakQuantile, usage);
  for (const JobEvents::OutOfMemory& event : events.out_of_memory) {
    const double had = static_cast<double>(event.limit.count);
    const double enough = std::max(had * kMoreMemory, had + kMoreBytes);
    if (enough <= advice.request) continue;
    advice.request = enough;
    advice.limit = std::max(advice.limit, enough);
    notes.push_back("memory: raised after running out of memory at " +
                    FormatBytes(event.limit));
  }
  return advice;
}

}  // namespace

RightSizing FindRightSizing(const JobSeries& series, const JobEvents& events) {
  RightSizing sizing;
  if (series.cpu) sizing.cpu = CpuAdvice(*series.cpu, events, sizing.notes);
  if (series.memory) {
    sizing.memory = MemoryAdvice(*series.memory, events, sizing.notes);
  }
  return sizing;
}

}  // namespace mete
