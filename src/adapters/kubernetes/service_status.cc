#include "adapters/kubernetes/service_status.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/kubernetes/job_manifest.h"
#include "adapters/kubernetes/pod_state.h"
#include "adapters/kubernetes/service_manifest.h"
#include "support/json.h"

namespace mete {
namespace {

int CountIn(const Json& status, const char* key) {
  return GetOptional<int>(status, key).value_or(0);
}

// Like `kubectl rollout status`.
bool IsUpToDate(const Json& deployment, int instances) {
  const Json status = deployment.value("status", Json::object());
  const auto observed = GetOptional<int64_t>(status, "observedGeneration");
  const auto& wanted = deployment.at("metadata").at("generation");
  const int updated = CountIn(status, "updatedReplicas");
  return observed.value_or(-1) >= wanted.get<int64_t>() &&
         updated == instances && CountIn(status, "replicas") == updated;
}

// The pods cannot even be created, for example because of a quota.
std::optional<Error> CreationProblem(const Json& deployment) {
  const Json status = deployment.value("status", Json::object());
  for (const Json& condition : status.value("conditions", Json::array())) {
    if (GetText(condition, "type") == "ReplicaFailure" &&
        GetText(condition, "status") == "True") {
      return Unsupported(GetText(condition, "message"));
    }
  }
  return std::nullopt;
}

// How the container of a pod ended before it was started again.
std::string LastEnding(const Json& pod) {
  const Json status = pod.value("status", Json::object());
  for (const Json& container :
       status.value("containerStatuses", Json::array())) {
    if (GetText(container, "name") != kContainerName) continue;
    const Json last = container.value("lastState", Json::object());
    const Json ended = last.value("terminated", Json::object());
    if (ended.empty()) continue;
    return fmt::format(": exit code {} ({})", CountIn(ended, "exitCode"),
                       GetText(ended, "reason"));
  }
  return "";
}

std::optional<Error> InstanceProblem(const PodState& state, const Json& pod) {
  if (state.unschedulable) {
    return Unsupported("no node fits: " + state.message);
  }
  if (auto problem = StartProblem(state)) return problem;
  if (auto failure = StartFailure(state)) return failure;
  if (state.waiting == "CrashLoopBackOff") {
    return Unavailable("the service ends by itself" + LastEnding(pod));
  }
  return std::nullopt;
}

bool IsReady(const Json& pod) {
  const Json status = pod.value("status", Json::object());
  const Json conditions = status.value("conditions", Json::array());
  return std::ranges::any_of(conditions, [](const Json& condition) {
    return GetText(condition, "type") == "Ready" &&
           GetText(condition, "status") == "True";
  });
}

Status AddInstance(const Json& pod, ClusterServiceStatus& status) {
  if (pod.at("metadata").contains("deletionTimestamp")) return {};
  ASSIGN_OR_RETURN(PodState state, ParsePodState(pod));
  status.pods.push_back(
      {.pod = state.name,
       .node = state.node,
       .address = GetText(pod.value("status", Json::object()), "podIP"),
       .ready = IsReady(pod)});
  if (!status.problem) {
    if (auto problem = InstanceProblem(state, pod)) {
      status.problem = problem->While("pod " + state.name);
    }
  }
  return {};
}

LabelMap LabelsIn(const Json& metadata) {
  LabelMap labels;
  const Json listed = metadata.value("labels", Json::object());
  for (const auto& [key, value] : listed.items()) {
    labels[key] = value.get<std::string>();
  }
  return labels;
}

}  // namespace

Result<ClusterServiceStatus> ReadServiceStatus(const Json& deployment,
                                               const std::vector<Json>& pods) {
  return ReadJson("a Deployment", [&]() -> Result<ClusterServiceStatus> {
    const Json& metadata = deployment.at("metadata");
    const Json& spec = deployment.at("spec");
    const Json& container =
        spec.at("template").at("spec").at("containers").at(0);
    ClusterServiceStatus status{
        .name = metadata.at("name").get<std::string>(),
        .labels = LabelsIn(metadata),
        .image = container.at("image").get<std::string>(),
        .instances = spec.at("replicas").get<int>(),
        .ready = CountIn(deployment.value("status", Json::object()),
                         "availableReplicas"),
        .problem = CreationProblem(deployment)};
    if (container.contains("ports")) {
      status.port = container["ports"].at(0).at("containerPort");
    }
    status.url = fmt::format("http://{}.{}.svc:{}", status.name,
                             GetText(metadata, "namespace"), status.port);
    status.up_to_date = IsUpToDate(deployment, status.instances);
    for (const Json& pod : pods) RETURN_IF_ERROR(AddInstance(pod, status));
    std::ranges::sort(status.pods, {}, &ClusterInstance::pod);
    return status;
  });
}

}  // namespace mete
