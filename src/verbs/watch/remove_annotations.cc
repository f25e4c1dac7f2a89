#include "watch/remove_annotations.h"

#include <fmt/format.h>

#include <set>

#include "support/json.h"
#include "support/text.h"
#include "watch/decide_annotations.h"

namespace mete {
namespace {

// Nodes, pods and the owners of pods, each once.
Result<std::vector<ObjectMeta>> ListAnnotated(const ClusterScope& scope,
                                              Cluster& cluster,
                                              RemovalReport& report,
                                              std::stop_token stop) {
  std::vector<ObjectMeta> all;
  if (scope.spaces.empty() && scope.label_selector.empty()) {
    ASSIGN_OR_RETURN(auto nodes, cluster.ListNodes({}, stop));
    for (NodeObject& node : nodes) all.push_back(std::move(node.meta));
  }
  ASSIGN_OR_RETURN(auto pods, cluster.ListPods(scope, stop));
  std::vector<ObjectMeta> owners;
  std::set<std::string> seen;  // nearest owners: their pods share the others
  for (PodObject& pod : pods) {
    bool fresh = false;
    for (const OwnerReference& owner : pod.meta.owners) {
      fresh = seen.insert(owner.uid).second || fresh;
    }
    if (fresh) {
      auto chain = cluster.Owners(pod.meta, stop);
      if (chain.ok()) {
        owners.insert(owners.end(), chain->begin(), chain->end());
      } else if (chain.error().code() == ErrorCode::kPermissionDenied) {
        report.warnings.push_back(fmt::format("owner of {}: {}",
                                              ObjectText(pod.meta.ref),
                                              chain.error().message()));
      } else {
        return chain.error();
      }
    }
    all.push_back(std::move(pod.meta));
  }
  std::set<ObjectRef> added;
  for (ObjectMeta& owner : owners) {
    // The node of a static pod is listed, if it is in scope at all.
    if (owner.ref.kind == "Node" || !added.insert(owner.ref).second) continue;
    all.push_back(std::move(owner));
  }
  return all;
}

// Sinks without a cluster list every namespace.
bool InScope(const ObjectMeta& object, const ClusterScope& scope) {
  return scope.spaces.empty() || HasItem(scope.spaces, object.ref.space);
}

std::vector<std::string> OurKeys(const LabelMap& annotations) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : annotations) {
    if (IsWatchAnnotation(key, value)) keys.push_back(key);
  }
  return keys;
}

}  // namespace

Result<RemovalReport> RemoveAnnotations(const RemovalRequest& request,
                                        Cluster* cluster, AnnotationSink& sink,
                                        std::stop_token stop) {
  RemovalReport report{.dry_run = request.dry_run};
  std::vector<ObjectMeta> objects = sink.Abandoned({});
  if (cluster != nullptr) {
    ASSIGN_OR_RETURN(objects,
                     ListAnnotated(request.scope, *cluster, report, stop));
  }
  std::vector<AnnotationPatch> patches;
  for (const ObjectMeta& object : objects) {
    if (!InScope(object, request.scope)) continue;
    std::vector<std::string> keys = OurKeys(sink.Current(object));
    if (keys.empty()) continue;
    report.entries.push_back({.object = object.ref, .keys = keys});
    patches.push_back({.object = object.ref,
                       .remove = std::move(keys),
                       .seen_version = object.resource_version});
  }
  if (request.dry_run) return report;
  auto results = sink.Write(patches, stop);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].ok()) continue;
    ++report.failed;
    report.entries[i].failure = results[i].error().message();
  }
  return report;
}

namespace {

const char* StateOf(const RemovalEntry& entry, bool dry_run) {
  if (!entry.failure.empty()) return "failed";
  return dry_run ? "would be removed" : "removed";
}

}  // namespace

Table RemovalTable(const RemovalReport& report) {
  Table table({{"object"}, {"annotations", Align::kRight}, {"state"}});
  for (const RemovalEntry& entry : report.entries) {
    table.AddRow({ObjectText(entry.object), FormatCount(entry.keys.size()),
                  StateOf(entry, report.dry_run)});
  }
  return table;
}

Json RemovalToJson(const RemovalReport& report) {
  Json json;
  json["failed"] = report.failed;
  json["warnings"] = report.warnings;
  json["objects"] = Json::array();
  for (const RemovalEntry& entry : report.entries) {
    Json object;
    object["kind"] = entry.object.kind;
    SetText(object, "namespace", entry.object.space);
    object["name"] = entry.object.name;
    object["removed"] = entry.keys;
    SetText(object, "failure", entry.failure);
    json["objects"].push_back(std::move(object));
  }
  return json;
}

std::string RemovalLine(const RemovalReport& report) {
  size_t keys = 0, objects = 0;
  for (const RemovalEntry& entry : report.entries) {
    if (!entry.failure.empty()) continue;
    ++objects;
    keys += entry.keys.size();
  }
  std::string line = fmt::format(
      "{}, {} {}", Counted(objects, "object"), Counted(keys, "annotation"),
      report.dry_run ? "would be removed" : "removed");
  if (report.failed > 0) {
    line += fmt::format("; {} failed", Counted(report.failed, "object"));
  }
  return line;
}

}  // namespace mete
