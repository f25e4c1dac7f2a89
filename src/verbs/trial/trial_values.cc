#include "trial/trial_values.h"

#include <fmt/format.h>

#include <array>

namespace mete {
namespace {

constexpr std::array<std::string_view, 3> kObjectives = {"throughput",
                                                         "latency", "cost"};

std::string NamesOf(const AppMetrics& metrics) {
  std::vector<std::string> names;
  for (const auto& [name, metric] : metrics) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Whole seconds between the first and the last event, one value each. A short
// run has only its mean rate.
std::vector<ValueBatch> RatesOf(const AppMetric& metric) {
  std::vector<ValueBatch> values;
  for (double events : metric.per_second) {
    values.push_back({.sum = events, .count = 1});
  }
  if (values.empty() && metric.rate_hz) {
    values.push_back({.sum = *metric.rate_hz, .count = 1});
  }
  return values;
}

Result<std::vector<ValueBatch>> FromHook(const ApplicationDetails& details,
                                         const std::string& name,
                                         TrialObjective objective) {
  auto found = details.app_metrics.find(name);
  if (found == details.app_metrics.end()) {
    if (details.app_metrics.empty()) return std::vector<ValueBatch>();
    return NotFound(fmt::format(
        "the application does not report '{}' through its hooks; it reports {}",
        name, NamesOf(details.app_metrics)));
  }
  const AppMetric& metric = found->second;
  if (objective != TrialObjective::kLatency) return RatesOf(metric);
  if (metric.kind != AppMetricKind::kTimer) {
    return InvalidInput(fmt::format(
        "'{}' is not a timer of the application, so it has no latency", name));
  }
  std::vector<ValueBatch> values;
  for (const AppBatch& batch : metric.batches) {
    values.push_back({.sum = batch.sum, .count = batch.count});
  }
  return values;
}

// Numbers that are not positive say nothing about the speed.
std::vector<ValueBatch> FromLog(const LogPattern& pattern,
                                const std::string& log) {
  std::vector<ValueBatch> values;
  for (double number : pattern.FindNumbers(log)) {
    if (number > 0) values.push_back({.sum = number, .count = 1});
  }
  return values;
}

// An application usually prints its rate after a number of steps, so that slow
// lines stand for more time than fast ones: the mean rate is the harmonic mean.
std::optional<MeanEstimate> EstimateHarmonicMean(
    const std::vector<ValueBatch>& rates) {
  std::vector<ValueBatch> times;
  for (const ValueBatch& rate : rates) {
    times.push_back({.sum = 1 / rate.sum, .count = 1});
  }
  auto time = EstimateMean(times);
  if (!time) return std::nullopt;
  MeanEstimate rate{.mean = 1 / time->mean};
  if (time->interval && time->interval->low > 0) {
    rate.interval = Interval{.low = 1 / time->interval->high,
                             .high = 1 / time->interval->low};
  }
  return rate;
}

// The whole run is one step.
std::vector<ValueBatch> FromDuration(const Run& run, TrialObjective objective) {
  const auto& duration = run.application()->duration;
  if (run.outcome.kind != OutcomeKind::kCompleted || !duration ||
      duration->count() <= 0) {
    return {};
  }
  double seconds = duration->count();
  bool latency = objective == TrialObjective::kLatency;
  return {{.sum = latency ? seconds : 1 / seconds, .count = 1}};
}

}  // namespace

std::string_view ToString(TrialObjective objective) {
  return kObjectives[static_cast<size_t>(objective)];
}

Result<TrialObjective> ParseTrialObjective(const std::string& text) {
  for (size_t i = 0; i < kObjectives.size(); ++i) {
    if (kObjectives[i] == text) return static_cast<TrialObjective>(i);
  }
  return InvalidInput(
      fmt::format("expected throughput, latency or cost, got '{}'", text));
}

Result<std::vector<ValueBatch>> ReadTrialValues(const ApplicationRun& run,
                                                const std::string& log,
                                                const TrialSource& source,
                                                TrialObjective objective) {
  if (source.in_log) return FromLog(*source.in_log, log);
  if (source.hook.empty()) return FromDuration(run.run, objective);
  return FromHook(*run.run.application(), source.hook, objective);
}

std::optional<MeanEstimate> EstimateTrialValue(
    const std::vector<ValueBatch>& values, const TrialSource& source,
    TrialObjective objective) {
  if (source.in_log && objective != TrialObjective::kLatency) {
    return EstimateHarmonicMean(values);
  }
  if (source.in_log || !source.hook.empty()) return EstimateMean(values);
  std::vector<double> runs;
  for (const ValueBatch& value : values) runs.push_back(value.sum);
  return EstimateMeanOfRuns(runs);
}

std::optional<MeanEstimate> CostPerThousand(const MeanEstimate& throughput,
                                            double price_per_hour) {
  if (throughput.mean <= 0) return std::nullopt;
  double price = price_per_hour / 3600 * 1000;  // of 1,000 seconds
  MeanEstimate cost{.mean = price / throughput.mean};
  if (throughput.interval && throughput.interval->low > 0) {
    cost.interval = Interval{.low = price / throughput.interval->high,
                             .high = price / throughput.interval->low};
  }
  return cost;
}

}  // namespace mete
