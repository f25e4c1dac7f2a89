// One live metric of an application: totals since it appeared, and its recent
// values.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "agent/duration_bounds.h"
#include "domain/app_metrics.h"

namespace mete {

// Accumulates the events of one metric. Not thread-safe.
class LiveMetric {
 public:
  static constexpr size_t kMostRecent = 1024;
  static constexpr int64_t kLongestWindow = 60;  // seconds

  explicit LiveMetric(AppMetricKind kind,
                      DurationBounds bounds = DefaultDurationBounds());

  // Events may arrive slightly out of order.
  void Take(const AppEvent& event);
  void AddDropped(uint64_t events) { dropped_ += events; }

  AppMetricKind kind() const { return kind_; }
  double events() const { return events_; }
  double sum() const { return sum_; }  // of values; 0 for a rate
  double last_value() const { return last_value_; }
  uint64_t dropped() const { return dropped_; }
  std::chrono::nanoseconds last() const { return last_; }
  const std::vector<double>& bounds() const { return *bounds_; }
  // Counts per bound and for the rest, not cumulative. Empty unless it is a
  // timer.
  const std::vector<uint64_t>& buckets() const { return buckets_; }

  // Events per second over the complete seconds of the window since the first
  // event. Absent before the first complete second.
  std::optional<double> Rate(std::chrono::nanoseconds now,
                             std::chrono::seconds window) const;
  // The values within the window, ascending.
  std::vector<double> Recent(std::chrono::nanoseconds now,
                             std::chrono::seconds window) const;

 private:
  struct Second {
    int64_t number = -1;
    double count = 0;
  };
  struct Value {
    std::chrono::nanoseconds at{0};
    double value = 0;
  };
  void CountSecond(std::chrono::nanoseconds at, double count);

  AppMetricKind kind_;
  double events_ = 0;
  double sum_ = 0;
  double last_value_ = 0;
  uint64_t dropped_ = 0;
  std::chrono::nanoseconds last_{0};
  std::optional<int64_t> first_second_;
  DurationBounds bounds_;
  std::vector<uint64_t> buckets_;
  std::array<Second, kLongestWindow + 2> seconds_{};  // a ring, by second
  std::deque<Value> recent_;
};

}  // namespace mete
