#include "adapters/kubernetes/kubernetes_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "adapters/kubernetes/api_objects.h"
#include "adapters/kubernetes/discovery.h"
#include "adapters/kubernetes/job_manifest.h"
#include "adapters/kubernetes/service_manifest.h"
#include "adapters/kubernetes/service_status.h"
#include "net/http.h"
#include "support/json.h"

namespace mete {
namespace {

std::string SelectorFor(const LabelMap& labels) {
  std::string selector =
      fmt::format("{}={},{}", kManagedBy, kManager, kServiceLabel);
  for (const auto& [key, value] : labels) {
    selector += fmt::format(",{}={}", key, value);
  }
  return selector;
}

std::string LabelIn(const Json& object, const char* key) {
  const Json metadata = object.value("metadata", Json::object());
  return GetText(metadata.value("labels", Json::object()), key);
}

// By the service that they belong to.
Result<std::map<std::string, std::vector<Json>>> GroupByService(
    std::vector<Json> objects) {
  return ReadJson("pods", [&] {
    std::map<std::string, std::vector<Json>> groups;
    for (Json& object : objects) {
      groups[LabelIn(object, kServiceLabel)].push_back(std::move(object));
    }
    return groups;
  });
}

}  // namespace

std::string KubernetesServices::DeploymentPath(const std::string& name) const {
  return CollectionPath("apps/v1", "deployments", space_) + "/" +
         PercentEncode(name);
}

std::string KubernetesServices::ServicePath(const std::string& name) const {
  return CollectionPath("v1", "services", space_) + "/" + PercentEncode(name);
}

Result<bool> KubernetesServices::IsOurs(const std::string& path,
                                        const std::string& text,
                                        std::stop_token stop) {
  ASSIGN_OR_RETURN(ApiAnswer answer,
                   client_.Send({.target = path}, std::move(stop)));
  if (answer.status == 404) return false;
  ASSIGN_OR_RETURN(std::string body, ApiBody(std::move(answer), "get " + text));
  ASSIGN_OR_RETURN(Json object, ParseJson(body));
  ASSIGN_OR_RETURN(std::string manager,
                   ReadJson(text, [&] { return LabelIn(object, kManagedBy); }));
  if (manager == kManager) return true;
  return InvalidInput(fmt::format(
      "{} in namespace {} exists and was not created by mete", text, space_));
}

Status KubernetesServices::Write(const std::string& path, const Json& object,
                                 const std::string& act, std::stop_token stop) {
  auto answer = client_.Send(
      {.method = "PATCH",
       // What somebody else changed, such as the number of replicas, is set
       // back to the order.
       .target = path + "?fieldManager=mete&force=true",
       .content_type = "application/apply-patch+yaml",
       .body = object.dump(-1, ' ', false, Json::error_handler_t::replace)},
      std::move(stop));
  RETURN_IF_ERROR(ApiBody(std::move(answer), act));
  return {};
}

Status KubernetesServices::Apply(const ClusterServiceOrder& order,
                                 std::stop_token stop) {
  RETURN_IF_ERROR(CheckServiceOrder(order));
  const std::string deployment = DeploymentPath(order.name);
  const std::string service = ServicePath(order.name);
  ASSIGN_OR_RETURN(bool known,
                   IsOurs(deployment, "Deployment " + order.name, stop));
  RETURN_IF_ERROR(IsOurs(service, "Service " + order.name, stop));
  const std::string act = "start service " + order.name;
  Status written = Write(service, ServiceManifest(order), act, stop);
  if (written.ok()) {
    written = Write(deployment, DeploymentManifest(order), act, stop);
  }
  // Also after an interruption, which `stop` would cause again.
  if (!written.ok() && !known) {
    static_cast<void>(RemoveObjects(order.name, {}).ok());
  }
  return written;
}

Result<ClusterServiceStatus> KubernetesServices::Get(const std::string& name,
                                                     std::stop_token stop) {
  ASSIGN_OR_RETURN(auto found, List({{kServiceLabel, name}}, std::move(stop)));
  if (found.empty()) {
    return NotFound(
        fmt::format("namespace {} has no service {} of mete", space_, name));
  }
  return std::move(found.front());
}

Result<std::vector<ClusterServiceStatus>> KubernetesServices::List(
    const LabelMap& labels, std::stop_token stop) {
  const std::string selector = SelectorFor(labels);
  ASSIGN_OR_RETURN(
      std::vector<Json> deployments,
      ListObjects(client_, CollectionPath("apps/v1", "deployments", space_),
                  selector, stop));
  if (deployments.empty()) return std::vector<ClusterServiceStatus>();
  ASSIGN_OR_RETURN(std::vector<Json> pods,
                   ListObjects(client_, CollectionPath("v1", "pods", space_),
                               selector, stop));
  ASSIGN_OR_RETURN(auto groups, GroupByService(std::move(pods)));
  std::vector<ClusterServiceStatus> services;
  for (const Json& deployment : deployments) {
    ASSIGN_OR_RETURN(std::string name, ReadJson("a Deployment", [&] {
                       return LabelIn(deployment, kServiceLabel);
                     }));
    ASSIGN_OR_RETURN(ClusterServiceStatus status,
                     ReadServiceStatus(deployment, groups[name]));
    services.push_back(std::move(status));
  }
  std::ranges::sort(services, {}, &ClusterServiceStatus::name);
  return services;
}

Status KubernetesServices::Remove(const std::string& name,
                                  std::stop_token stop) {
  RETURN_IF_ERROR(IsOurs(DeploymentPath(name), "Deployment " + name, stop));
  RETURN_IF_ERROR(IsOurs(ServicePath(name), "Service " + name, stop));
  return RemoveObjects(name, std::move(stop));
}

// The Deployment last: as long as it exists, the service is in the list.
Status KubernetesServices::RemoveObjects(const std::string& name,
                                         std::stop_token stop) {
  const std::string act = "remove service " + name;
  RETURN_IF_ERROR(
      DeleteObject(client_, ServicePath(name), Json::object(), act, stop));
  return DeleteObject(client_, DeploymentPath(name),
                      {{"propagationPolicy", "Background"}}, act, stop);
}

}  // namespace mete
