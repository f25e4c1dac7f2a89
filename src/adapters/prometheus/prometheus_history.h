// The past of metrics, from Prometheus or a compatible server.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

#include "adapters/prometheus/prometheus_client.h"
#include "adapters/prometheus/range_chunks.h"
#include "ports/metric_history.h"
#include "support/clock.h"

namespace mete {

// How hard to ask.
struct HistoryPace {
  RangeBounds bounds;
  size_t parallel = 4;  // requests at once
  std::chrono::milliseconds deadline = std::chrono::seconds(30);  // of each
  int attempts = 4;                                               // per request
  // Before the second attempt; doubles, and varies at random by half.
  Seconds first_wait = std::chrono::milliseconds(500);
  Seconds longest_wait = std::chrono::seconds(20);
};

// Sends queries in chunks and repeats those that fail for a passing reason:
// status 429 or 5xx, a timeout, a lost connection. Fails with kCorrupt when the
// answers would take too much memory. Thread-safe.
class PrometheusHistory final : public MetricHistory {
 public:
  PrometheusHistory(PrometheusPlace place, HistoryPace pace, Clock& clock)
      : client_(std::move(place)), pace_(pace), clock_(clock) {}

  std::string name() const override { return client_.name(); }
  std::vector<Result<HistorySet>> Ask(const std::vector<HistoryQuery>& queries,
                                      std::stop_token stop) override;

 private:
  // Adds what the answers take to `memory`.
  Result<HistorySet> AskOne(const HistoryQuery& query,
                            std::atomic<size_t>& memory, std::stop_token stop);
  Error TooLarge() const;
  Result<HistorySet> AskChunk(const HistoryQuery& chunk, std::stop_token stop);
  Seconds WaitBefore(int attempt, const RangeReply& reply) const;

  PrometheusClient client_;
  HistoryPace pace_;
  Clock& clock_;
};

}  // namespace mete
