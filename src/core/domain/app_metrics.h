// Metrics that a program reports through its hooks: events, and their summary.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mete {

// Kind of a hook.
enum class AppMetricKind {
  kTimer,   // duration of a step
  kRate,    // number of occurrences
  kNumber,  // a value
};

// One hook call.
struct AppEvent {
  std::string name;
  AppMetricKind kind = AppMetricKind::kNumber;
  double value = 0;  // seconds of a timer, count of a rate, or the value
  std::chrono::nanoseconds at{};  // CLOCK_MONOTONIC; for a timer its end
  int sender = 0;                 // pid as seen by the receiver; 0 when unknown
};

// Events that occurred but did not arrive.
struct AppLoss {
  std::string name;  // "" when unknown
  uint64_t events = 0;
  int sender = 0;
};

// Consecutive values of a timer, taken together.
struct AppBatch {
  double sum = 0;  // seconds
  double count = 0;
};

// Summary of all events of one name.
struct AppMetric {
  AppMetricKind kind = AppMetricKind::kNumber;
  std::string unit;  // of the quantiles: "seconds" for a timer, else ""
  // Events per second between the first and the last, which is throughput and
  // not 1/latency. Absent when all events have the same time; too low when
  // events were dropped.
  std::optional<double> rate_hz;
  // Of the values of a timer or number. Absent for a rate.
  std::optional<double> mean;
  std::optional<double> p50;
  std::optional<double> p95;
  std::optional<double> p99;
  uint64_t count = 0;  // occurrences: a rate of n counts n
  uint64_t dropped = 0;
  // Events in each whole second since the first, for a curve, and the time of
  // the first (CLOCK_MONOTONIC). Not part of the JSON, like the samples of a
  // run.
  std::vector<double> per_second;
  // The values of a timer in the order of arrival, in batches of equal counts;
  // the last may have fewer. They show how the mean varies during a run. Not
  // part of the JSON.
  std::vector<AppBatch> batches;
  std::chrono::nanoseconds first{};
};

using AppMetrics = std::map<std::string, AppMetric>;

}  // namespace mete
