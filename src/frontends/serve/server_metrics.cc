#include "serve/server_metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

constexpr MetricFamily kRequests{
    .name = "mete_http_requests_total",
    .kind = MetricKind::kCounter,
    .help = "HTTP requests answered, by status class."};
constexpr MetricFamily kDuration{.name = "mete_http_request_duration_seconds",
                                 .kind = MetricKind::kHistogram,
                                 .unit = "seconds",
                                 .help = "Time taken to handle a request."};
constexpr MetricFamily kSourceUp{
    .name = "mete_node_source_up",
    .help = "Whether current node data is available."};
constexpr MetricFamily kNodes{
    .name = "mete_nodes",
    .help = "Number of nodes, by whether predictions are available for them."};
constexpr MetricFamily kSnapshotAge{.name = "mete_node_snapshot_age_seconds",
                                    .unit = "seconds",
                                    .help = "Age of the node data."};

double AsNumber(const std::atomic<uint64_t>& count) {
  return static_cast<double>(count.load(std::memory_order_relaxed));
}

}  // namespace

void ServerMetrics::PutAround(Router& router) {
  router.Wrap([this](const std::string& name, RouteHandler inner) {
    Route& route = routes_.emplace_back();
    size_t blank = name.find(' ');
    route.method = name.substr(0, blank);
    route.path = name.substr(blank + 1);
    return [this, &route, inner = std::move(inner)](
               const RoutedRequest& request) -> HttpReply {
      std::chrono::nanoseconds start = clock_.Now();
      HttpReply reply = inner(request);
      Count(route, reply.response.status, clock_.Now() - start);
      return reply;
    };
  });
}

void ServerMetrics::Count(Route& route, int status,
                          std::chrono::nanoseconds took) {
  size_t kind = std::clamp(status / 100, 0, 5);
  route.by_class[kind].fetch_add(1, std::memory_order_relaxed);
  auto bound = std::ranges::lower_bound(kBounds, Seconds(took).count());
  auto place = static_cast<size_t>(bound - kBounds.begin());
  route.by_time[place].fetch_add(1, std::memory_order_relaxed);
  route.nanoseconds.fetch_add(static_cast<uint64_t>(took.count()),
                              std::memory_order_relaxed);
}

void ServerMetrics::AddRoute(const Route& route, MetricBatch& batch) {
  const MetricLabels labels{{"method", route.method}, {"route", route.path}};
  for (size_t kind = 1; kind < route.by_class.size(); ++kind) {
    const double count = AsNumber(route.by_class[kind]);
    if (count == 0) continue;
    batch.Add(kRequests,
              MetricLabels(labels).Add("code", fmt::format("{}xx", kind)),
              count);
  }
  if (AsNumber(route.nanoseconds) == 0) return;
  double all = 0;
  for (size_t at = 0; at < route.by_time.size(); ++at) {
    all += AsNumber(route.by_time[at]);
    std::string bound =
        at < kBounds.size() ? fmt::format("{}", kBounds[at]) : "+Inf";
    batch.AddPart(kDuration, "_bucket", MetricLabels(labels).Add("le", bound),
                  all);
  }
  batch.AddPart(kDuration, "_sum", labels, AsNumber(route.nanoseconds) * 1e-9);
  batch.AddPart(kDuration, "_count", labels, all);
}

void ServerMetrics::AddNodes(MetricBatch& batch) const {
  auto nodes = nodes_.Nodes();
  batch.Add(kSourceUp, nodes.ok() && !(*nodes)->stale ? 1 : 0);
  if (!nodes.ok()) return;
  const NodeSnapshot& snapshot = **nodes;
  auto unknown = std::ranges::count_if(
      snapshot.nodes,
      [](const ClusterNode& node) { return node.unknown.has_value(); });
  auto all = static_cast<int64_t>(snapshot.nodes.size());
  batch.Add(kNodes, {{"state", "known"}}, static_cast<double>(all - unknown));
  batch.Add(kNodes, {{"state", "unknown"}}, static_cast<double>(unknown));
  batch.Add(kSnapshotAge, Seconds(clock_.Wall() - snapshot.taken_at).count());
}

std::string ServerMetrics::Text() const {
  MetricBatch batch;
  for (const Route& route : routes_) AddRoute(route, batch);
  AddNodes(batch);
  return WriteMetricPage({&batch}, MetricFormat::kText);
}

}  // namespace mete
