// Objects of a Kubernetes cluster, reduced to what mete reads and writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/units.h"

namespace mete {

// Names one object. Two objects that had the same name one after the other
// differ in their uid.
struct ObjectRef {
  std::string api_version;  // "v1", "batch/v1", "kubeflow.org/v1"
  std::string kind;         // "Node", "Pod", "MPIJob"
  std::string space;        // the namespace; "" for cluster-wide objects
  std::string name;
  std::string uid;  // "" when unknown
  auto operator<=>(const ObjectRef&) const = default;
};

// "MPIJob ml/train-7", "Node edge-1".
std::string ObjectText(const ObjectRef& object);

// An entry of metadata.ownerReferences. Owners are in the namespace of what
// they own, or cluster-wide.
struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool controller = false;
  bool operator==(const OwnerReference&) const = default;
};

using LabelMap = std::map<std::string, std::string, std::less<>>;

// The metadata of an object of any kind.
struct ObjectMeta {
  ObjectRef ref;
  std::string resource_version;
  LabelMap labels;
  LabelMap annotations;
  std::vector<OwnerReference> owners;
  std::optional<std::chrono::system_clock::time_point> created_at;
};

// Amounts of CPU, memory and devices: requests, limits or a node's capacity.
// What is not stated is absent.
struct ResourceAmounts {
  std::optional<Millicores> cpus;
  std::optional<Bytes> memory;
  // Extended resources by name: "nvidia.com/gpu" -> 2.
  std::map<std::string, int64_t, std::less<>> devices;
  bool operator==(const ResourceAmounts&) const = default;
};

// The GPUs among the devices: resources whose name ends in "gpu".
int64_t CountGpus(const ResourceAmounts& amounts);

// A node: its capacity and what pods may request of it.
struct NodeObject {
  ObjectMeta meta;
  ResourceAmounts capacity;
  ResourceAmounts allocatable;
  std::vector<std::string> addresses;  // status.addresses, of every type
  bool ready = false;
  bool unschedulable = false;
};

// A container of a pod, with the state that its kubelet reported last.
struct ContainerObject {
  std::string name;
  std::string image;
  std::string id;  // without the runtime's prefix; "" before it starts
  ResourceAmounts requests;
  ResourceAmounts limits;
  int64_t restarts = 0;
  // Why it ended last: "OOMKilled", "Error"; "" when it never ended.
  std::string last_ending;
};

// status.phase of a pod.
enum class PodPhase { kPending, kRunning, kSucceeded, kFailed, kUnknown };

struct PodObject {
  ObjectMeta meta;
  std::string node;  // "" before it is scheduled
  PodPhase phase = PodPhase::kUnknown;
  std::optional<std::chrono::system_clock::time_point> started_at;
  std::vector<ContainerObject> containers;  // without init containers
};

// Requests or limits of all containers of a pod. A value that one of the
// containers does not state is absent.
ResourceAmounts TotalRequests(const PodObject& pod);
ResourceAmounts TotalLimits(const PodObject& pod);

// The control-plane view at one moment. Either list is empty when it was not
// asked for.
struct ClusterObjects {
  std::vector<NodeObject> nodes;
  std::vector<PodObject> pods;
  std::string resource_version;  // of the list
};

}  // namespace mete
