#include "agent/snapshots.h"

#include <fmt/format.h>

#include "agent/agent_metrics.h"
#include "support/units.h"

namespace mete {

Snapshots::Snapshots(std::vector<std::unique_ptr<Collector>> collectors,
                     SnapshotSettings settings, const Clock& clock)
    : settings_(std::move(settings)), clock_(clock) {
  for (auto& collector : collectors) {
    collectors_.push_back(
        std::make_unique<CollectorThread>(std::move(collector)));
  }
}

std::string Snapshots::Page(MetricFormat format) {
  std::lock_guard lock(mutex_);
  if (!taken_ || clock_.Now() - *taken_ > settings_.max_age) Refresh();
  std::vector<const MetricBatch*> batches{&own_};
  for (const auto& collector : collectors_) {
    batches.push_back(&collector->batch());
  }
  return WriteMetricPage(batches, format);
}

void Snapshots::Refresh() {
  taken_ = clock_.Now();
  taken_wall_ = clock_.Wall();
  ++count_;
  for (const auto& collector : collectors_) collector->Ask();
  const auto deadline = std::chrono::steady_clock::now() + settings_.patience;
  for (const auto& collector : collectors_) {
    const CollectorState before = collector->state();
    collector->Take(deadline);
    ReportChange(collector->name(), before, collector->state());
  }
  AddOwn();
}

void Snapshots::ReportChange(const std::string& name,
                             const CollectorState& before,
                             const CollectorState& after) const {
  const bool same = before.reason == after.reason;
  if (same) return;
  settings_.report(after.success
                       ? fmt::format("collector {} works again", name)
                       : fmt::format("collector {}: {}", name, after.reason));
}

void Snapshots::AddOwn() {
  own_.Clear();
  for (const auto& collector : collectors_) {
    const CollectorState& state = collector->state();
    const MetricLabels labels{{"collector", collector->name()}};
    own_.Add(kCollectorSuccess, labels, state.success ? 1 : 0);
    if (state.took) {
      own_.Add(kCollectorDuration, labels, Seconds(*state.took).count());
    }
    own_.Add(kCollectorTimeouts, labels, static_cast<double>(state.timeouts));
  }
  own_.Add(kSnapshotTime, Seconds(taken_wall_.time_since_epoch()).count());
  own_.Add(kSnapshots, static_cast<double>(count_));
}

}  // namespace mete
