// Turns the events of an application into metrics: throughput, quantiles and
// losses by name.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "domain/app_metrics.h"
#include "ports/app_event_sink.h"
#include "support/random.h"

namespace mete {

// Collects events from any number of processes, in any time order. Memory use
// is bounded, whatever an application sends. Not thread-safe: stop the receiver
// before calling Summarise().
class AppMetricsCollector final : public AppEventSink {
 public:
  // With more values of one name than this, quantiles come from a uniform
  // random sample of them. Rate, count and losses stay exact.
  static constexpr size_t kMostValues = 65536;
  // Events of additional names count as lost, without a name.
  static constexpr size_t kMostNames = 1000;
  // With more batches of a timer than this, neighbours are merged.
  static constexpr size_t kMostBatches = 512;
  // A curve ends this many seconds after the event that arrived first.
  static constexpr int64_t kMostSeconds = 100000;
  // The name used for losses that belong to no known name.
  static constexpr const char* kUnnamed = "(unnamed)";

  void Take(const AppEvent& event) override;
  void TakeLoss(const AppLoss& loss) override;

  // A name used for two kinds of metric appears unchanged for the kind seen
  // first, and as "name.rate" (or timer, number) for the other.
  AppMetrics Summarise() const;

 private:
  // The events of one name and kind.
  struct Series {
    AppMetricKind kind = AppMetricKind::kNumber;
    uint64_t calls = 0;
    double count = 0;  // calls, or the total that a rate counted
    double sum = 0;    // sum of values; unused for rates
    std::chrono::nanoseconds origin{};  // time of the event that arrived first
    std::chrono::nanoseconds first{};
    std::chrono::nanoseconds last{};
    double count_at_first = 0;
    std::vector<double> values;
    std::vector<AppBatch> batches;
    double batch_length = 1;            // values in each batch
    std::map<int64_t, double> windows;  // by seconds since `origin`
  };
  // All events of one name.
  struct Name {
    std::vector<Series> series;  // one per kind, in order of appearance
    uint64_t dropped = 0;
    Random random;  // seeded by the name: the same events, the same sample
  };

  Name* Find(const std::string& name);
  static Series& SeriesFor(Name& name, AppMetricKind kind);
  static void Keep(double value, Series& series, Random& random);
  static void AddToBatch(double value, Series& series);
  static AppMetric Summary(const Series& series);

  std::map<std::string, Name> names_;
  uint64_t dropped_without_name_ = 0;
};

}  // namespace mete
