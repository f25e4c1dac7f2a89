#include "adapters/kubernetes/kubernetes_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "adapters/kubernetes/list_watch.h"
#include "adapters/kubernetes/watch_spaces.h"
#include "net/http.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr int kMostConflicts = 5;

// Whether annotations of such objects can be changed through their subresource
// "status". The server then ignores changes of anything that runs: the right to
// patch it does not include the right to replace the image of a pod. Custom
// resources ignore annotations there.
bool HasStatusPath(const ObjectRef& object) {
  const std::string group =
      object.api_version.substr(0, object.api_version.find('/'));
  return group == "v1" || group == "apps" || group == "batch";
}

// The server did what the patch says; it does not always do it without an
// error.
bool Applied(const AnnotationPatch& patch, const ObjectMeta& after) {
  return std::ranges::all_of(patch.set, [&](const auto& entry) {
    auto found = after.annotations.find(entry.first);
    return found != after.annotations.end() && found->second == entry.second;
  });
}

std::vector<std::string> SpacesOf(const ClusterScope& scope) {
  return scope.spaces.empty() ? std::vector<std::string>{""} : scope.spaces;
}

std::string AnnotationBody(const AnnotationPatch& patch) {
  Json annotations = Json::object();
  for (const std::string& key : patch.remove) annotations[key] = nullptr;
  for (const auto& [key, value] : patch.set) annotations[key] = value;
  Json body = {{"metadata", {{"annotations", std::move(annotations)}}}};
  // With it, the server rejects the change of another object of this name.
  if (!patch.object.uid.empty()) body["metadata"]["uid"] = patch.object.uid;
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const OwnerReference* Follow(const std::vector<OwnerReference>& owners) {
  if (owners.empty()) return nullptr;
  auto controller =
      std::ranges::find(owners, true, &OwnerReference::controller);
  return controller == owners.end() ? &owners.front() : &*controller;
}

bool EndsTheChain(const Error& error) {
  return error.code() == ErrorCode::kNotFound ||
         error.code() == ErrorCode::kPermissionDenied;
}

}  // namespace

Result<std::vector<NodeObject>> KubernetesCluster::ListNodes(
    const ClusterScope& scope, std::stop_token stop) {
  ASSIGN_OR_RETURN(
      ClusterObjects all,
      ListCollection(client_, MakeCollection(WatchedKind::kNodes, scope, ""),
                     std::move(stop)));
  std::ranges::sort(
      all.nodes, {},
      [](const NodeObject& node) -> const auto& { return node.meta.ref.name; });
  return std::move(all.nodes);
}

Result<std::vector<PodObject>> KubernetesCluster::ListPods(
    const ClusterScope& scope, std::stop_token stop) {
  std::vector<PodObject> pods;
  for (const std::string& space : SpacesOf(scope)) {
    ASSIGN_OR_RETURN(
        ClusterObjects found,
        ListCollection(client_,
                       MakeCollection(WatchedKind::kPods, scope, space), stop));
    std::move(found.pods.begin(), found.pods.end(), std::back_inserter(pods));
  }
  std::ranges::sort(pods, [](const PodObject& a, const PodObject& b) {
    return std::tie(a.meta.ref.space, a.meta.ref.name) <
           std::tie(b.meta.ref.space, b.meta.ref.name);
  });
  return pods;
}

Status KubernetesCluster::Watch(WatchedKind kind, const ClusterScope& scope,
                                const WatchCallbacks& callbacks,
                                std::stop_token stop) {
  std::vector<std::string> spaces = SpacesOf(scope);
  if (kind == WatchedKind::kNodes) spaces = {""};
  if (spaces.size() == 1) {
    return WatchCollection(client_, MakeCollection(kind, scope, spaces[0]),
                           callbacks, clock_, std::move(stop));
  }
  return WatchSpaces({.client = client_,
                      .scope = scope,
                      .callbacks = callbacks,
                      .clock = clock_},
                     std::move(stop));
}

Result<ObjectMeta> KubernetesCluster::Get(const ObjectRef& object,
                                          std::stop_token stop) {
  ASSIGN_OR_RETURN(std::string path, discovery_.Path(object, stop));
  ASSIGN_OR_RETURN(std::string body,
                   ApiBody(client_.Send({.target = path}, stop),
                           "get " + ObjectText(object)));
  ASSIGN_OR_RETURN(ObjectMeta meta, ParseMeta(body, object));
  if (!object.uid.empty() && meta.ref.uid != object.uid) {
    return NotFound("get " + ObjectText(object) +
                    ": another object has this name now");
  }
  return meta;
}

Result<std::vector<ObjectMeta>> KubernetesCluster::Owners(
    const ObjectMeta& object, std::stop_token stop) {
  std::vector<ObjectMeta> chain;
  std::set<std::string> seen = {object.ref.uid};
  const OwnerReference* owner = Follow(object.owners);
  while (owner != nullptr && seen.insert(owner->uid).second) {
    auto found = Get({.api_version = owner->api_version,
                      .kind = owner->kind,
                      .space = object.ref.space,
                      .name = owner->name,
                      .uid = owner->uid},
                     stop);
    if (!found.ok()) {
      if (EndsTheChain(found.error())) return chain;
      return found.error();
    }
    chain.push_back(*std::move(found));
    owner = Follow(chain.back().owners);
  }
  return chain;
}

Result<ObjectMeta> KubernetesCluster::Patch(const AnnotationPatch& patch,
                                            std::stop_token stop) {
  ASSIGN_OR_RETURN(std::string path, discovery_.Path(patch.object, stop));
  if (HasStatusPath(patch.object)) {
    auto patched = PatchAt(path + "/status", patch, stop);
    if (patched.ok() && Applied(patch, *patched)) return patched;
    const bool refused =
        !patched.ok() &&
        (patched.error().code() == ErrorCode::kPermissionDenied ||
         patched.error().code() == ErrorCode::kNotFound);
    if (!patched.ok() && !refused) return patched;
  }
  return PatchAt(path, patch, stop);
}

Result<ObjectMeta> KubernetesCluster::PatchAt(const std::string& path,
                                              const AnnotationPatch& patch,
                                              std::stop_token stop) {
  const std::string act = "annotate " + ObjectText(patch.object);
  ApiRequest request{.method = "PATCH",
                     .target = fmt::format("{}?fieldManager={}{}", path,
                                           PercentEncode(patch.field_manager),
                                           patch.dry_run ? "&dryRun=All" : ""),
                     .content_type = "application/merge-patch+json",
                     .body = AnnotationBody(patch)};
  for (int conflicts = 0;; ++conflicts) {
    ASSIGN_OR_RETURN(ApiAnswer answer, client_.Send(request, stop));
    // Either somebody else was faster, or it is another object, whose uid is
    // immutable (422).
    if (answer.status == 409 || answer.status == 422) {
      RETURN_IF_ERROR(Get(patch.object, stop).While(act));
    }
    if (answer.status != 409 || conflicts >= kMostConflicts) {
      ASSIGN_OR_RETURN(std::string body, ApiBody(std::move(answer), act));
      return ParseMeta(body, patch.object);
    }
    if (!client_.Pause(conflicts, stop)) {
      return Error(ErrorCode::kInterrupted, act + ": interrupted");
    }
  }
}

}  // namespace mete
