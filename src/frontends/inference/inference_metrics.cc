#include "inference/inference_metrics.h"

#include <fmt/format.h>

#include "net/metric_text.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr MetricFamily kServiceRequests{
    .name = "mete_service_requests_total",
    .kind = MetricKind::kCounter,
    .help =
        "Inference requests by outcome: served, failed in the engine, invalid "
        "because their inputs do not fit the network, or rejected because "
        "the queue was full or the service was shutting down."};
constexpr MetricFamily kServiceDuration{
    .name = "mete_service_duration_seconds",
    .kind = MetricKind::kHistogram,
    .unit = "seconds",
    .help = "Time of an inference, without waiting in the queue."};
constexpr MetricFamily kQueueingDuration{
    .name = "mete_service_queueing_duration_seconds",
    .kind = MetricKind::kHistogram,
    .unit = "seconds",
    .help = "Time that a request waited in the queue."};
constexpr MetricFamily kQueueLength{
    .name = "mete_service_queue_length",
    .help = "Number of requests waiting in the queue."};
constexpr MetricFamily kQueueLimit{
    .name = "mete_service_queue_limit",
    .help = "Number of requests that may wait in the queue."};
constexpr MetricFamily kWorkers{
    .name = "mete_service_workers",
    .help = "Number of inferences that run at the same time."};

void AddHistogram(const MetricFamily& family, const MetricLabels& labels,
                  const DurationHistogram& histogram, MetricBatch& batch) {
  constexpr auto& kBounds = DurationHistogram::kBounds;
  double all = 0;
  for (size_t at = 0; at <= kBounds.size(); ++at) {
    all += static_cast<double>(histogram.Count(at));
    const std::string bound =
        at < kBounds.size() ? fmt::format("{}", kBounds[at]) : "+Inf";
    batch.AddPart(family, "_bucket", MetricLabels(labels).Add("le", bound),
                  all);
  }
  batch.AddPart(family, "_sum", labels, Seconds(histogram.Sum()).count());
  batch.AddPart(family, "_count", labels, all);
}

}  // namespace

std::string InferenceMetricsText(const InferenceService& service) {
  const ServiceMeter& meter = service.meter();
  const MetricLabels labels{{"network", service.request().name}};
  MetricBatch batch;
  auto outcome = [&](const char* name, uint64_t count) {
    batch.Add(kServiceRequests, MetricLabels(labels).Add("outcome", name),
              static_cast<double>(count));
  };
  outcome("served", meter.served);
  outcome("failed", meter.failed);
  outcome("invalid", meter.invalid);
  outcome("rejected", meter.rejected);
  AddHistogram(kServiceDuration, labels, meter.service_time, batch);
  AddHistogram(kQueueingDuration, labels, meter.queueing_time, batch);
  batch.Add(kQueueLength, labels, static_cast<double>(service.queue_length()));
  batch.Add(kQueueLimit, labels, static_cast<double>(service.request().queue));
  batch.Add(kWorkers, labels, static_cast<double>(service.request().workers));
  return WriteMetricPage({&batch}, MetricFormat::kText);
}

}  // namespace mete
