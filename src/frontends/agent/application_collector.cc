#include "agent/application_collector.h"

#include <fmt/format.h>

#include "agent/application_metrics.h"
#include "stats/quantile.h"
#include "support/units.h"

namespace mete {
namespace {

double Count(uint64_t count) { return static_cast<double>(count); }

}  // namespace

void ApplicationCollector::AddTimer(const MetricLabels& labels,
                                    const LiveMetric& live_metric,
                                    MetricBatch& batch) const {
  double below = 0;
  for (size_t i = 0; i < live_metric.buckets().size(); ++i) {
    below += Count(live_metric.buckets()[i]);
    std::string bound = i < live_metric.bounds().size()
                            ? fmt::format("{}", live_metric.bounds()[i])
                            : "+Inf";
    batch.AddPart(kAppDuration, "_bucket",
                  MetricLabels(labels).Add("le", bound), below);
  }
  batch.AddPart(kAppDuration, "_sum", labels, live_metric.sum());
  batch.AddPart(kAppDuration, "_count", labels, live_metric.events());
  const std::vector<double> recent =
      live_metric.Recent(clock_.Now(), request_.window);
  for (double share : {0.5, 0.95, 0.99}) {
    auto quantile = QuantileOfSorted(recent, share);
    if (!quantile) break;
    batch.Add(kAppRecentDuration,
              MetricLabels(labels).Add("quantile", fmt::format("{}", share)),
              *quantile);
  }
  batch.AddPart(kAppRecentDuration, "_sum", labels, live_metric.sum());
  batch.AddPart(kAppRecentDuration, "_count", labels, live_metric.events());
}

void ApplicationCollector::AddMetric(const AppOrigin& origin,
                                     const std::string& name,
                                     const LiveMetric& live_metric,
                                     MetricBatch& batch) const {
  const MetricLabels labels{{"node", request_.node},
                            {"app", origin.app},
                            {"container", origin.container},
                            {"metric", name}};
  batch.Add(kAppEvents, labels, live_metric.events());
  auto rate = live_metric.Rate(clock_.Now(), request_.window);
  if (rate) batch.Add(kAppRate, labels, *rate);
  if (live_metric.kind() == AppMetricKind::kTimer) {
    AddTimer(labels, live_metric, batch);
  } else if (live_metric.kind() == AppMetricKind::kNumber) {
    batch.Add(kAppValue, labels, live_metric.last_value());
  }
  const auto ago = clock_.Now() - live_metric.last();
  const auto wall =
      clock_.Wall() -
      std::chrono::duration_cast<std::chrono::system_clock::duration>(ago);
  batch.Add(kAppLast, labels, Seconds(wall.time_since_epoch()).count());
  batch.Add(kAppDropped, labels, Count(live_metric.dropped()));
}

Status ApplicationCollector::Collect(MetricBatch& batch) {
  double applications = 0;
  request_.book.ForEach([&](const LiveApplication& application) {
    ++applications;
    for (const auto& [name, live_metric] : application.metrics) {
      AddMetric(application.origin, name, live_metric, batch);
    }
    if (application.dropped == 0) return;
    batch.Add(kAppDropped,
              {{"node", request_.node},
               {"app", application.origin.app},
               {"container", application.origin.container},
               {"metric", ""}},
              Count(application.dropped));
  });
  batch.Add(kApplications, {{"node", request_.node}}, applications);
  const HookCounts counts = request_.counts();
  batch.Add(kHookDatagrams, Count(counts.datagrams));
  batch.Add(kHookMessages, Count(counts.messages));
  batch.Add(kHookRefused, {{"reason", "malformed"}}, Count(counts.malformed));
  batch.Add(kHookRefused, {{"reason", "oversized"}}, Count(counts.oversized));
  batch.Add(kHookRefused, {{"reason", "connections"}}, Count(counts.refused));
  batch.Add(kHookRefused, {{"reason", "applications"}},
            Count(request_.book.dropped()));
  return {};
}

}  // namespace mete
