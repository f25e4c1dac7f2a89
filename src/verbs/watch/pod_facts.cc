#include "watch/pod_facts.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "support/text.h"

namespace mete {
namespace {

double UnixSeconds(WallTime time) {
  return Seconds(time.time_since_epoch()).count();
}

// "10.0.0.5:9100" -> "10.0.0.5"; "[::1]:9100" -> "::1"; names stay.
std::string HostPart(const std::string& reported) {
  if (reported.starts_with('[')) {
    return reported.substr(1, reported.find(']') - 1);
  }
  size_t colon = reported.find(':');
  bool version6 = colon != reported.rfind(':');
  return version6 ? reported : reported.substr(0, colon);
}

JobEvents EventsOf(const PodObject& pod, WallTime now) {
  JobEvents events;
  if (pod.started_at) events.starts.push_back(UnixSeconds(*pod.started_at));
  for (const ContainerObject& container : pod.containers) {
    if (container.last_ending == "OOMKilled" && container.limits.memory) {
      events.out_of_memory.push_back(
          {.time = UnixSeconds(now), .limit = *container.limits.memory});
    }
  }
  return events;
}

}  // namespace

NodeNaming MakeNodeNaming(const std::vector<NodeObject>& known,
                          bool has_cluster) {
  if (!has_cluster) return HostPart;
  auto names = std::make_shared<std::map<std::string, std::string>>();
  for (const NodeObject& node : known) {
    for (const std::string& address : node.addresses) {
      names->emplace(address, node.meta.ref.name);
    }
  }
  // A name takes precedence over an equal address of another node.
  for (const NodeObject& node : known) {
    (*names)[node.meta.ref.name] = node.meta.ref.name;
  }
  return [names](const std::string& reported) -> std::string {
    for (const std::string& name : {reported, HostPart(reported)}) {
      auto found = names->find(name);
      if (found != names->end()) return found->second;
    }
    return "";
  };
}

KnownObjects ObjectsFromUsage(const Usage& usage,
                              const std::vector<std::string>& spaces) {
  KnownObjects objects;
  std::set<std::string> nodes;
  for (const auto& [node, series] : usage.nodes) nodes.insert(node);
  for (const auto& [gpu, series] : usage.gpus) nodes.insert(gpu.node);
  for (const std::string& node : nodes) {
    objects.nodes.push_back(
        {.meta = {.ref = {.api_version = "v1", .kind = "Node", .name = node}}});
  }
  for (const auto& [pod, series] : usage.pods) {
    if (!spaces.empty() && !HasItem(spaces, pod.space)) continue;
    objects.pods.push_back({.pod = {.meta = {.ref = {.api_version = "v1",
                                                     .kind = "Pod",
                                                     .space = pod.space,
                                                     .name = pod.name}}}});
  }
  return objects;
}

PodFacts MakePodFacts(const KnownObjects& objects, const Usage& usage,
                      WallTime now) {
  PodFacts facts;
  std::map<std::string, PodKey> by_uid;
  std::set<PodKey> known;
  for (const KnownPod& entry : objects.pods) {
    const ObjectRef& ref = entry.pod.meta.ref;
    PodKey key{ref.space, ref.name};
    facts.events[key] = EventsOf(entry.pod, now);
    known.insert(key);
    if (!ref.uid.empty()) by_uid[ref.uid] = key;
  }
  for (const auto& [gpu, gpu_usage] : usage.gpus) {
    std::set<PodKey> users(gpu_usage.pods.begin(), gpu_usage.pods.end());
    for (const ProcessOnGpu& process : gpu_usage.processes) {
      auto pod = by_uid.find(process.pod_uid);
      if (pod != by_uid.end()) users.insert(pod->second);
    }
    for (const PodKey& user : users) {
      if (known.contains(user)) facts.gpus[user].push_back(gpu);
    }
  }
  return facts;
}

}  // namespace mete
