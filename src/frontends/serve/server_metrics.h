// The server's own metrics at /metrics, in the Prometheus text format.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

#include "net/metric_text.h"
#include "ports/node_source.h"
#include "serve/router.h"
#include "support/clock.h"

namespace mete {

// Counts the requests of the routes it wraps. Thread-safe once it wraps them.
class ServerMetrics {
 public:
  // Both must outlive it.
  ServerMetrics(const Clock& clock, NodeSource& nodes)
      : clock_(clock), nodes_(nodes) {}

  void PutAround(Router& router);
  std::string Text() const;

 private:
  // Upper bounds of the buckets in seconds. One more bucket holds the rest.
  static constexpr std::array<double, 8> kBounds = {
      0.0001, 0.0005, 0.001, 0.005, 0.02, 0.1, 1, 10};
  struct Route {
    std::string method;
    std::string path;
    std::array<std::atomic<uint64_t>, 6> by_class{};  // status class
    std::array<std::atomic<uint64_t>, kBounds.size() + 1> by_time{};
    std::atomic<uint64_t> nanoseconds{0};
  };

  static void Count(Route& route, int status, std::chrono::nanoseconds took);
  static void AddRoute(const Route& route, MetricBatch& batch);
  void AddNodes(MetricBatch& batch) const;

  const Clock& clock_;
  NodeSource& nodes_;
  std::deque<Route> routes_;  // stable addresses
};

}  // namespace mete
