#include "adapters/kubernetes/job_api.h"

#include <fmt/format.h>

#include "adapters/kubernetes/api_objects.h"
#include "adapters/kubernetes/discovery.h"
#include "adapters/kubernetes/job_manifest.h"
#include "adapters/kubernetes/kubelet_stats.h"
#include "adapters/kubernetes/list_watch.h"
#include "net/http.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr HttpPatience kFollowPatience{.silence = std::chrono::seconds(100)};
constexpr HttpPatience kLogPatience{.silence = std::nullopt};
constexpr int kGone = 410;

std::string JobSelector(const std::string& job) {
  return "labelSelector=" + PercentEncode("job-name=" + job);
}

std::string LabelOf(const Json& metadata, const char* part, const char* key) {
  auto labels = metadata.find(part);
  if (labels == metadata.end() || !labels->is_object()) return "";
  auto found = labels->find(key);
  bool usable = found != labels->end() && found->is_string();
  return usable ? found->get<std::string>() : "";
}

}  // namespace

std::string JobApi::Jobs() const {
  return CollectionPath("batch/v1", "jobs", space_);
}

std::string JobApi::Pods() const {
  return CollectionPath("v1", "pods", space_);
}

Result<std::string> JobApi::ServerVersion(std::stop_token stop) const {
  ASSIGN_OR_RETURN(
      std::string body,
      ApiBody(client_.Send({.target = "/version"}, std::move(stop)),
              "read its version"));
  ASSIGN_OR_RETURN(Json version, ParseJson(body));
  return ReadJson("its version",
                  [&] { return version.at("gitVersion").get<std::string>(); });
}

Status JobApi::Create(const Json& job, std::stop_token stop) const {
  ASSIGN_OR_RETURN(
      ApiAnswer answer,
      client_.Send(
          {.method = "POST",
           .target = Jobs() + "?fieldManager=mete",
           .content_type = "application/json",
           .body = job.dump(-1, ' ', false, Json::error_handler_t::replace)},
          std::move(stop)));
  if (answer.ok() || AlreadyExists(answer)) return {};
  return ApiError(answer, "create a Job in namespace " + space_);
}

Status JobApi::Delete(const std::string& job, std::stop_token stop) const {
  return DeleteObject(client_, Jobs() + "/" + PercentEncode(job),
                      {{"propagationPolicy", "Background"}},
                      "delete Job " + job, std::move(stop));
}

Status JobApi::DeletePod(const std::string& pod,
                         std::optional<int> grace) const {
  Json options = Json::object();
  if (grace) options["gracePeriodSeconds"] = *grace;
  return DeleteObject(client_, Pods() + "/" + PercentEncode(pod), options,
                      "delete pod " + pod);
}

Status JobApi::Beat(const std::string& job, const std::string& time,
                    std::stop_token stop) const {
  const Json patch = {
      {"apiVersion", "batch/v1"},
      {"kind", "Job"},
      {"metadata", {{"name", job}, {"annotations", {{kHeartbeat, time}}}}}};
  auto answer = client_.Send(
      {.method = "PATCH",
       .target = fmt::format("{}/{}?fieldManager=mete-heartbeat&force=true",
                             Jobs(), PercentEncode(job)),
       .content_type = "application/apply-patch+yaml",
       .body = patch.dump()},
      std::move(stop));
  RETURN_IF_ERROR(ApiBody(std::move(answer), "update Job " + job));
  return {};
}

Result<std::vector<OwnedJob>> JobApi::Owned(std::stop_token stop) const {
  const std::string selector =
      fmt::format("{}={},{}", kManagedBy, kManager, kOwnerLabelKey);
  ASSIGN_OR_RETURN(std::vector<Json> jobs,
                   ListObjects(client_, Jobs(), selector, std::move(stop)));
  return ReadJson("Jobs", [&] {
    std::vector<OwnedJob> owned;
    for (const Json& job : jobs) {
      const Json& metadata = job.at("metadata");
      owned.push_back(
          {.name = metadata.at("name").get<std::string>(),
           .owner = LabelOf(metadata, "labels", kOwnerLabelKey),
           .machine = LabelOf(metadata, "labels", kMachineLabel),
           .heartbeat = LabelOf(metadata, "annotations", kHeartbeat)});
    }
    return owned;
  });
}

// Reports the pods that exist, and returns the version to watch from.
Result<std::string> JobApi::List(
    const std::string& job, const std::function<bool(const PodChange&)>& change,
    bool& wanted, std::stop_token stop) const {
  ASSIGN_OR_RETURN(
      std::string body,
      ApiBody(client_.Send({.target = Pods() + "?" + JobSelector(job)},
                           std::move(stop)),
              "list the pods of Job " + job));
  ASSIGN_OR_RETURN(Json list, ParseJson(body));
  return ReadJson("pods", [&]() -> Result<std::string> {
    for (const Json& item : list.at("items")) {
      ASSIGN_OR_RETURN(PodState pod, ParsePodState(item));
      wanted = wanted && change({.pod = std::move(pod)});
    }
    return list.at("metadata").at("resourceVersion").get<std::string>();
  });
}

Status JobApi::Follow(const std::string& job,
                      const std::function<bool(const PodChange&)>& change,
                      std::stop_token stop) const {
  bool wanted = true;
  std::string version;
  int attempt = 0;
  auto take = [&](std::string_view line) {
    auto event = ParsePodEvent(line);
    if (!event.ok()) {
      version.clear();  // lists again
      return false;
    }
    if (!event->version.empty()) version = event->version;
    if (!event->pod) return true;
    wanted = change({.pod = *std::move(event->pod), .deleted = event->deleted});
    return wanted;
  };
  while (wanted && !stop.stop_requested()) {
    if (version.empty()) {
      auto listed = List(job, change, wanted, stop);
      if (!listed.ok()) {
        if (stop.stop_requested()) break;
        const ErrorCode code = listed.error().code();
        if (code != ErrorCode::kUnavailable && code != ErrorCode::kTimeout) {
          return listed.error();
        }
        client_.Pause(attempt++, stop);
        continue;
      }
      version = *std::move(listed);
      if (!wanted) break;
    }
    LineSplitter lines;
    const auto start = client_.Now();
    auto answer = client_.Stream(
        {.target =
             fmt::format("{}?{}&watch=true&allowWatchBookmarks=true&"
                         "timeoutSeconds=240&resourceVersion={}",
                         Pods(), JobSelector(job), PercentEncode(version))},
        [&](std::string_view piece) { return lines.Feed(piece, take); },
        kFollowPatience, stop);
    if (answer.ok() && answer->status == kGone) version.clear();
    if (!wanted) break;
    const bool lasted = client_.Now() - start >= kShortWatch;
    if (lasted && answer.ok() && answer->ok()) {
      attempt = 0;
    } else {
      client_.Pause(attempt++, stop);
    }
  }
  return {};
}

Status JobApi::Logs(const std::string& pod,
                    const std::function<void(std::string_view)>& output,
                    std::stop_token stop) const {
  auto answer = client_.Stream(
      {.target = fmt::format("{}/{}/log?container={}&follow=true", Pods(),
                             PercentEncode(pod), kContainerName)},
      [&](std::string_view piece) {
        output(piece);
        return true;
      },
      kLogPatience, std::move(stop));
  RETURN_IF_ERROR(ApiBody(std::move(answer), "read the log of pod " + pod));
  return {};
}

Result<ResourceUsage> JobApi::Usage(const PodState& pod,
                                    std::stop_token stop) const {
  ASSIGN_OR_RETURN(
      ApiAnswer answer,
      client_.Send(
          {.target = fmt::format(
               "/api/v1/nodes/{}/proxy/stats/summary?only_cpu_and_memory=true",
               PercentEncode(pod.node))},
          std::move(stop)));
  ASSIGN_OR_RETURN(
      std::string body,
      ApiBody(std::move(answer), "read the statistics of node " + pod.node));
  return ParseKubeletStats(body, pod.uid);
}

Result<std::vector<std::string>> JobApi::ReadyNodes(
    std::stop_token stop) const {
  ASSIGN_OR_RETURN(
      ClusterObjects objects,
      ListCollection(client_, MakeCollection(WatchedKind::kNodes, {}, ""),
                     std::move(stop)));
  std::vector<std::string> names;
  for (const NodeObject& node : objects.nodes) {
    if (node.ready && !node.unschedulable) names.push_back(node.meta.ref.name);
  }
  return names;
}

Result<std::string> JobApi::MachineId(const std::string& node,
                                      std::stop_token stop) const {
  ASSIGN_OR_RETURN(
      std::string body,
      ApiBody(client_.Send({.target = "/api/v1/nodes/" + PercentEncode(node)},
                           std::move(stop)),
              "get node " + node));
  ASSIGN_OR_RETURN(Json json, ParseJson(body));
  return ReadJson("node", [&] {
    return json.at("status").at("nodeInfo").at("machineID").get<std::string>();
  });
}

}  // namespace mete
