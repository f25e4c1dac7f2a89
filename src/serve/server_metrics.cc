#include "serve/server_metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

constexpr const char* kRequests = "mete_http_requests_total";
constexpr const char* kDuration = "mete_http_request_duration_seconds";

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

void ServerMetrics::Write(const Route& route, std::string& text) {
  std::string labels =
      fmt::format("method=\"{}\",route=\"{}\"", route.method, route.path);
  uint64_t all = 0;
  for (size_t at = 0; at < route.by_time.size(); ++at) {
    all += route.by_time[at].load(std::memory_order_relaxed);
    std::string bound =
        at < kBounds.size() ? fmt::format("{}", kBounds[at]) : "+Inf";
    text += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", kDuration, labels,
                        bound, all);
  }
  text += fmt::format(
      "{}_sum{{{}}} {:.9f}\n{}_count{{{}}} {}\n", kDuration, labels,
      static_cast<double>(route.nanoseconds.load(std::memory_order_relaxed)) *
          1e-9,
      kDuration, labels, all);
}

std::string ServerMetrics::NodeText() const {
  auto nodes = nodes_.Nodes();
  std::string text =
      "# HELP mete_node_source_up Whether the nodes are known and fresh.\n"
      "# TYPE mete_node_source_up gauge\n";
  bool fresh = nodes.ok() && !(*nodes)->stale;
  text += fmt::format("mete_node_source_up {}\n", fresh ? 1 : 0);
  if (!nodes.ok()) return text;
  const NodeSnapshot& snapshot = **nodes;
  auto unknown = std::ranges::count_if(
      snapshot.nodes,
      [](const ClusterNode& node) { return node.unknown.has_value(); });
  text += fmt::format(
      "# HELP mete_nodes Nodes, by whether predictions can be made for them.\n"
      "# TYPE mete_nodes gauge\n"
      "mete_nodes{{state=\"known\"}} {}\nmete_nodes{{state=\"unknown\"}} {}\n"
      "# HELP mete_node_snapshot_age_seconds Age of what is known of nodes.\n"
      "# TYPE mete_node_snapshot_age_seconds gauge\n"
      "mete_node_snapshot_age_seconds {:.3f}\n",
      static_cast<int64_t>(snapshot.nodes.size()) - unknown, unknown,
      Seconds(clock_.Wall() - snapshot.taken_at).count());
  return text;
}

std::string ServerMetrics::Text() const {
  std::string text = fmt::format(
      "# HELP {} Requests answered, by class of status.\n# TYPE {} counter\n",
      kRequests, kRequests);
  for (const Route& route : routes_) {
    for (size_t kind = 1; kind < route.by_class.size(); ++kind) {
      uint64_t count = route.by_class[kind].load(std::memory_order_relaxed);
      if (count == 0) continue;
      text += fmt::format("{}{{method=\"{}\",route=\"{}\",code=\"{}xx\"}} {}\n",
                          kRequests, route.method, route.path, kind, count);
    }
  }
  text += fmt::format("# HELP {} Time a handler took.\n# TYPE {} histogram\n",
                      kDuration, kDuration);
  for (const Route& route : routes_) {
    if (route.nanoseconds.load(std::memory_order_relaxed) > 0) {
      Write(route, text);
    }
  }
  return text + NodeText();
}

}  // namespace mete
