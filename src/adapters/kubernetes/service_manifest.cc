#include "adapters/kubernetes/service_manifest.h"

#include <fmt/format.h>

#include "adapters/kubernetes/job_manifest.h"
#include "support/json.h"

namespace mete {
namespace {

Json ServiceLabels(const ClusterServiceOrder& order) {
  Json labels = Json::object();
  for (const auto& [key, value] : order.labels) labels[key] = value;
  labels[kManagedBy] = kManager;
  labels[kServiceLabel] = order.name;
  return labels;
}

Json ServiceSelector(const ClusterServiceOrder& order) {
  return {{kServiceLabel, order.name}};
}

Json InstanceResources(const Limits& limits) {
  Json amounts = Json::object();
  if (limits.cpus) amounts["cpu"] = fmt::format("{}m", limits.cpus->count);
  if (limits.memory) amounts["memory"] = std::to_string(limits.memory->count);
  return {{"requests", amounts}, {"limits", amounts}};
}

Json InstanceContainer(const ClusterServiceOrder& order) {
  Json container = {{"name", kContainerName},
                    {"image", order.image},
                    {"args", ContainerArguments(order.arguments)},
                    {"resources", InstanceResources(order.limits)},
                    {"ports", Json::array({Json{{"containerPort", order.port},
                                                {"protocol", "TCP"}}})}};
  if (!order.ready_path.empty()) {
    container["readinessProbe"] = {
        {"periodSeconds", 1},
        {"httpGet", {{"path", order.ready_path}, {"port", order.port}}}};
  }
  return container;
}

Json InstancePod(const ClusterServiceOrder& order) {
  Json pod = {// The service has no business with the API server.
              {"automountServiceAccountToken", false},
              {"enableServiceLinks", false},
              {"containers", Json::array({InstanceContainer(order)})}};
  if (!order.node.empty()) pod["affinity"] = NodeAffinity(order.node);
  return pod;
}

Json ServiceMetadata(const ClusterServiceOrder& order) {
  return {{"name", order.name}, {"labels", ServiceLabels(order)}};
}

}  // namespace

Status CheckServiceOrder(const ClusterServiceOrder& order) {
  const std::string act = "service " + order.name + ": ";
  if (order.name.empty()) return InvalidInput("a service needs a name");
  if (order.image.empty()) return InvalidInput(act + "no image is given");
  if (order.instances < 1) {
    return InvalidInput(act + "at least one instance is required");
  }
  if (order.port == 0) return InvalidInput(act + "port 0 is not a port");
  for (const std::string& note : MissingInPods(order.limits).notes) {
    return Unsupported(act + note);
  }
  return {};
}

Json DeploymentManifest(const ClusterServiceOrder& order) {
  return {{"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata", ServiceMetadata(order)},
          {"spec",
           {{"replicas", order.instances},
            {"selector", {{"matchLabels", ServiceSelector(order)}}},
            // A full node has no room for an instance more than ordered.
            {"strategy",
             {{"type", "RollingUpdate"},
              {"rollingUpdate", {{"maxSurge", 0}, {"maxUnavailable", 1}}}}},
            {"template",
             {{"metadata", {{"labels", ServiceLabels(order)}}},
              {"spec", InstancePod(order)}}}}}};
}

Json ServiceManifest(const ClusterServiceOrder& order) {
  return {{"apiVersion", "v1"},
          {"kind", "Service"},
          {"metadata", ServiceMetadata(order)},
          {"spec",
           {{"selector", ServiceSelector(order)},
            {"ports", Json::array({Json{{"port", order.port},
                                        {"protocol", "TCP"},
                                        {"targetPort", order.port}}})}}}};
}

}  // namespace mete
