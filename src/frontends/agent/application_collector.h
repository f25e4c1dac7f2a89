// Exports the metrics that applications send through the hooks.
#pragma once

#include <functional>

#include "agent/application_book.h"
#include "agent/collector.h"
#include "support/clock.h"

namespace mete {

// Counters of the hook receiver; see adapters/hook.
struct HookCounts {
  uint64_t datagrams = 0;
  uint64_t messages = 0;
  uint64_t malformed = 0;
  uint64_t oversized = 0;
  uint64_t refused = 0;
};

// Reads an ApplicationBook at every collection.
class ApplicationCollector final : public Collector {
 public:
  struct Request {
    std::string node;  // the label of every series
    ApplicationBook& book;
    std::function<HookCounts()> counts;
    std::chrono::seconds window{10};
  };
  ApplicationCollector(Request request, const Clock& clock)
      : request_(std::move(request)), clock_(clock) {}

  std::string_view name() const override { return "applications"; }
  Status Collect(MetricBatch& batch) override;

 private:
  void AddMetric(const AppOrigin& origin, const std::string& name,
                 const LiveMetric& live_metric, MetricBatch& batch) const;
  void AddTimer(const MetricLabels& labels, const LiveMetric& live_metric,
                MetricBatch& batch) const;

  const Request request_;
  const Clock& clock_;
};

}  // namespace mete
