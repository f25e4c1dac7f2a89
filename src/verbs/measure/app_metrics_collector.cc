#include "measure/app_metrics_collector.h"

#include <algorithm>
#include <cmath>

#include "domain/app_metrics_json.h"
#include "stats/quantile.h"
#include "support/units.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

int64_t SecondsSince(nanoseconds origin, nanoseconds at) {
  return std::chrono::floor<std::chrono::seconds>(at - origin).count();
}

std::vector<double> Curve(const std::map<int64_t, double>& windows) {
  if (windows.empty()) return {};
  int64_t first = windows.begin()->first;
  int64_t last = windows.rbegin()->first;
  // The last window is incomplete and would look like a drop.
  std::vector<double> curve(static_cast<size_t>(last - first), 0.0);
  for (const auto& [second, count] : windows) {
    if (second < last) curve[static_cast<size_t>(second - first)] = count;
  }
  return curve;
}

}  // namespace

AppMetricsCollector::Name* AppMetricsCollector::Find(const std::string& name) {
  auto found = names_.find(name);
  if (found != names_.end()) return &found->second;
  if (name.empty() || names_.size() >= kMostNames) return nullptr;
  return &names_.emplace(name, Name{.random = Random(DeriveSeed(0, name))})
              .first->second;
}

AppMetricsCollector::Series& AppMetricsCollector::SeriesFor(
    Name& name, AppMetricKind kind) {
  auto found = std::ranges::find(name.series, kind, &Series::kind);
  if (found != name.series.end()) return *found;
  name.series.push_back({.kind = kind});
  return name.series.back();
}

// Algorithm R of Vitter, "Random sampling with a reservoir", ACM TOMS 11
// (1985) 37-57: value number t replaces a kept one with probability
// kMostValues / t.
void AppMetricsCollector::Keep(double value, Series& series, Random& random) {
  if (series.values.size() < kMostValues) {
    series.values.push_back(value);
    return;
  }
  uint64_t place = random.Below(series.calls);
  if (place < kMostValues) series.values[place] = value;
}

// Batches double in length when there are too many, so that memory is bounded
// and all have the same length however long the series gets.
void AppMetricsCollector::AddToBatch(double value, Series& series) {
  std::vector<AppBatch>& batches = series.batches;
  if (batches.empty() || batches.back().count >= series.batch_length) {
    if (batches.size() == kMostBatches) {
      for (size_t i = 0; i < kMostBatches / 2; ++i) {
        batches[i] = {batches[2 * i].sum + batches[2 * i + 1].sum,
                      batches[2 * i].count + batches[2 * i + 1].count};
      }
      batches.resize(kMostBatches / 2);
      series.batch_length *= 2;
    }
    batches.emplace_back();
  }
  batches.back().sum += value;
  batches.back().count += 1;
}

void AppMetricsCollector::Take(const AppEvent& event) {
  Name* name = Find(event.name);
  if (!name) {
    ++dropped_without_name_;
    return;
  }
  if (!std::isfinite(event.value)) {
    ++name->dropped;
    return;
  }
  Series& series = SeriesFor(*name, event.kind);
  const bool is_rate = event.kind == AppMetricKind::kRate;
  const double count = is_rate ? event.value : 1;
  if (series.calls == 0) series.origin = series.last = event.at;
  if (series.calls == 0 || event.at < series.first) {
    series.first = event.at;
    series.count_at_first = count;
  }
  series.last = std::max(series.last, event.at);
  ++series.calls;
  series.count += count;
  if (!is_rate) {
    series.sum += event.value;
    Keep(event.value, series, name->random);
    if (event.kind == AppMetricKind::kTimer) AddToBatch(event.value, series);
  }
  const int64_t second = SecondsSince(series.origin, event.at);
  if (std::abs(second) <= kMostSeconds) series.windows[second] += count;
}

void AppMetricsCollector::TakeLoss(const AppLoss& loss) {
  Name* name = Find(loss.name);
  (name ? name->dropped : dropped_without_name_) += loss.events;
}

AppMetric AppMetricsCollector::Summary(const Series& series) {
  AppMetric metric;
  metric.kind = series.kind;
  if (series.kind == AppMetricKind::kTimer) metric.unit = "seconds";
  // Counts are exact up to 2^53.
  metric.count = static_cast<uint64_t>(std::min(series.count, 0x1p53));
  // n events bound n - 1 intervals: what the first call counted happened before
  // the span begins.
  if (series.last > series.first) {
    metric.rate_hz = (series.count - series.count_at_first) /
                     Seconds(series.last - series.first).count();
  }
  if (!series.values.empty()) {
    metric.mean = series.sum / static_cast<double>(series.calls);
  }
  const std::vector<double> sorted = Sorted(series.values);
  metric.p50 = QuantileOfSorted(sorted, 0.50);
  metric.p95 = QuantileOfSorted(sorted, 0.95);
  metric.p99 = QuantileOfSorted(sorted, 0.99);
  metric.per_second = Curve(series.windows);
  metric.batches = series.batches;
  if (!series.windows.empty()) {
    metric.first =
        series.origin + std::chrono::seconds(series.windows.begin()->first);
  }
  return metric;
}

AppMetrics AppMetricsCollector::Summarise() const {
  AppMetrics metrics;
  for (const auto& [text, name] : names_) {
    for (const Series& series : name.series) {
      const bool first = &series == &name.series.front();
      std::string label = text;
      if (!first) label += "." + std::string(ToString(series.kind));
      metrics.emplace(label, Summary(series));
    }
    metrics[text].dropped = name.dropped;
  }
  if (dropped_without_name_ > 0) {
    metrics[kUnnamed].dropped += dropped_without_name_;
  }
  return metrics;
}

}  // namespace mete
