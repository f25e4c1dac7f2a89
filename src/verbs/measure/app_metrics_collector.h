// From the events of an application to its figures: true throughput, quantiles
// and losses by name.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "domain/app_metrics.h"
#include "ports/app_event_sink.h"
#include "support/random.h"

namespace mete {

// Takes events in any order of time, of any number of processes. Its memory is
// bounded whatever an application sends. Not safe for several threads at once:
// let the receiver stop before Summarise().
class AppMetricsCollector final : public AppEventSink {
 public:
  // Beyond these many values of a name, quantiles are those of a uniform
  // random sample of them (rate, count and losses stay exact).
  static constexpr size_t kMostValues = 65536;
  // Events of further names count as lost without a name.
  static constexpr size_t kMostNames = 1000;
  // A curve goes no further than this from the event that came first.
  static constexpr int64_t kMostSeconds = 100000;
  // The name under which losses appear that belong to no known name.
  static constexpr const char* kUnnamed = "(unnamed)";

  void Take(const AppEvent& event) override;
  void TakeLoss(const AppLoss& loss) override;

  // A name used for two kinds appears as itself for the kind seen first, and
  // as "name.rate" (or timer, number) for the other.
  AppMetrics Summarise() const;

 private:
  // The events of one name and kind.
  struct Series {
    AppMetricKind kind = AppMetricKind::kNumber;
    uint64_t calls = 0;
    double count = 0;                   // calls, or what a rate counted
    double sum = 0;                     // of values, not of a rate's
    std::chrono::nanoseconds origin{};  // of the event that came first
    std::chrono::nanoseconds first{};
    std::chrono::nanoseconds last{};
    double count_at_first = 0;
    std::vector<double> values;
    std::map<int64_t, double> windows;  // by seconds since `origin`
  };
  struct Name {
    std::vector<Series> series;  // by kind, in the order of appearance
    uint64_t dropped = 0;
    Random random;  // seeded by the name: the same events, the same sample
  };

  Name* Find(const std::string& name);
  static Series& SeriesFor(Name& name, AppMetricKind kind);
  static void Keep(double value, Series& series, Random& random);
  static AppMetric Summary(const Series& series);

  std::map<std::string, Name> names_;
  uint64_t dropped_without_name_ = 0;
};

}  // namespace mete
