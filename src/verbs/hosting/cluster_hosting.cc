#include "hosting/cluster_hosting.h"

#include <fmt/format.h>

#include <algorithm>

#include "hosting/keep_service.h"
#include "support/parse_number.h"
#include "support/sha256.h"

namespace mete {
namespace {

// Labels of the Deployments. Values have at most 63 letters, digits, '-', '_'
// and '.', and begin and end with a letter or digit.
constexpr const char* kPlaced = "mete.dev/placed";
constexpr const char* kApp = "mete.dev/app";
constexpr const char* kNode = "mete.dev/node";
constexpr const char* kNetwork = "mete.dev/network";
constexpr const char* kPlan = "mete.dev/plan";
constexpr const char* kStarted = "mete.dev/started";  // seconds since 1970

constexpr size_t kLongestLabel = 63;
constexpr size_t kLongestApp = 40;  // in the name of a Deployment
constexpr size_t kIdLength = 8;
constexpr uint16_t kContainerPort = 8000;

bool IsLowerOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// Names in Kubernetes have lower-case letters, digits and dashes only.
std::string ClusterName(const std::string& app, const std::string& id) {
  std::string name;
  for (char c : app.substr(0, kLongestApp)) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    name += IsLowerOrDigit(c) ? c : '-';
  }
  return fmt::format("mete-{}-{}", name, id);
}

// The same for the same application and server of the same plan.
std::string IdInPlan(const ServiceOrder& order) {
  return ComputeSha256(order.plan + "\n" + order.device + "\n" + order.app)
      .substr(0, kIdLength);
}

// Labels that cannot have the value are left out.
void SetLabel(LabelMap& labels, const char* key, const std::string& value) {
  auto edge = [](char c) {
    return IsLowerOrDigit(c) || (c >= 'A' && c <= 'Z');
  };
  if (value.empty() || value.size() > kLongestLabel) return;
  if (!edge(value.front()) || !edge(value.back())) return;
  for (char c : value) {
    if (!edge(c) && c != '-' && c != '_' && c != '.') return;
  }
  labels[key] = value;
}

std::string GetLabel(const LabelMap& labels, const char* key) {
  auto found = labels.find(key);
  return found == labels.end() ? std::string() : found->second;
}

HostedService ToHosted(const ClusterServiceStatus& status) {
  HostedService service{.id = status.name,
                        .order = {.app = GetLabel(status.labels, kApp),
                                  .network = GetLabel(status.labels, kNetwork),
                                  .device = GetLabel(status.labels, kNode),
                                  .launcher = "kubernetes",
                                  .image = status.image,
                                  .plan = GetLabel(status.labels, kPlan),
                                  .instances = status.instances},
                        .state = status.Available()
                                     ? HostedService::State::kRunning
                                     : HostedService::State::kStarting,
                        .url = status.url};
  // The name of a node may be too long for a label.
  if (service.order.device.empty() && !status.pods.empty()) {
    service.order.device = status.pods.front().node;
  }
  auto started = ParseNumber<int64_t>(GetLabel(status.labels, kStarted));
  if (started) {
    service.started_at =
        std::chrono::system_clock::time_point(std::chrono::seconds(*started));
  }
  return service;
}

}  // namespace

Result<ClusterServiceOrder> ToClusterOrder(const ServiceOrder& order,
                                           const std::string& id) {
  if (IsLocalFile(order.network)) {
    return InvalidInput(fmt::format(
        "{}: a cluster cannot read {} of this machine; build it into the "
        "image and name its path there, or use a network of mete zoo list",
        order.app, order.network));
  }
  const std::string network =
      PathInImage(order.network).value_or(order.network);
  ClusterServiceOrder made{
      .name = ClusterName(order.app, order.plan.empty() ? id : IdInPlan(order)),
      .image = order.image,
      .arguments = {"service", network, "--listen",
                    fmt::format("0.0.0.0:{}", kContainerPort), "--insecure",
                    "--threads", std::to_string(order.threads), "--name",
                    order.app, "--drain",
                    fmt::format("{}s", kServiceDrain.count())},
      .port = kContainerPort,
      .ready_path = "/v2/health/ready",
      .node = order.device,
      .instances = order.instances,
      .limits = order.limits,
      .labels = {{kPlaced, "true"}}};
  SetLabel(made.labels, kApp, order.app);
  SetLabel(made.labels, kNode, order.device);
  SetLabel(made.labels, kNetwork, order.network);
  SetLabel(made.labels, kPlan, order.plan);
  return made;
}

Result<HostedService> ClusterHosting::Start(const ServiceOrder& order,
                                            std::stop_token stop) {
  ASSIGN_OR_RETURN(ClusterServiceOrder made,
                   ToClusterOrder(order, needs_.draw_id()));
  made.labels[kStarted] =
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(
                         needs_.clock.Wall().time_since_epoch())
                         .count());
  RETURN_IF_ERROR(needs_.services.Apply(made, stop));
  auto status = AwaitService(needs_.services, needs_.clock, made.name,
                             needs_.patience, stop);
  if (status.ok()) return ToHosted(*status);
  // Also after Ctrl-C.
  Status removed = needs_.services.Remove(made.name, {});
  if (removed.ok()) return status.error();
  return Error(
      status.error().code(),
      fmt::format("{}; {} could not be removed: {}", status.error().message(),
                  made.name, removed.error().message()));
}

Result<std::vector<HostedService>> ClusterHosting::List(std::stop_token stop) {
  ASSIGN_OR_RETURN(std::vector<ClusterServiceStatus> found,
                   needs_.services.List({{kPlaced, "true"}}, stop));
  std::vector<HostedService> services;
  for (const ClusterServiceStatus& one : found) {
    services.push_back(ToHosted(one));
  }
  std::ranges::stable_sort(services, {}, &HostedService::started_at);
  return services;
}

Status ClusterHosting::Stop(const std::string& id, std::stop_token stop) {
  ASSIGN_OR_RETURN(ClusterServiceStatus status, needs_.services.Get(id, stop));
  if (!status.labels.contains(kPlaced)) {
    return NotFound("there is no service '" + id + "' of mete place");
  }
  return needs_.services.Remove(id, stop);
}

}  // namespace mete
