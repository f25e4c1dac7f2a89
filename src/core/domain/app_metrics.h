// What a program tells about itself through its hooks: events, and the figures
// drawn from them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mete {

enum class AppMetricKind {
  kTimer,   // how long a step took
  kRate,    // how often something happened
  kNumber,  // how large something was
};

// One call of a hook.
struct AppEvent {
  std::string name;
  AppMetricKind kind = AppMetricKind::kNumber;
  double value = 0;  // seconds of a timer, count of a rate, or the number
  std::chrono::nanoseconds at{};  // CLOCK_MONOTONIC; a timer's end
  int sender = 0;  // its process as the receiver sees it; 0 when unknown
};

// Events that happened and did not arrive.
struct AppLoss {
  std::string name;  // "" when it is not known which
  uint64_t events = 0;
  int sender = 0;
};

// All events of one name, summarised.
struct AppMetric {
  AppMetricKind kind = AppMetricKind::kNumber;
  std::string unit;  // of the quantiles: "seconds" of a timer, else ""
  // Events per second between the first and the last, which is throughput and
  // not 1/latency. Absent when fewer than two moments were seen; too low when
  // events were dropped.
  std::optional<double> rate_hz;
  // Of a timer's or number's values. Absent for a rate.
  std::optional<double> mean;
  std::optional<double> p50;
  std::optional<double> p95;
  std::optional<double> p99;
  uint64_t count = 0;  // what happened: a rate of n counts n
  uint64_t dropped = 0;
  // Events in each whole second since the first, for a curve, and when that
  // was (CLOCK_MONOTONIC). Not part of the JSON, as the samples of a run are
  // not.
  std::vector<double> per_second;
  std::chrono::nanoseconds first{};
};

using AppMetrics = std::map<std::string, AppMetric>;

}  // namespace mete
