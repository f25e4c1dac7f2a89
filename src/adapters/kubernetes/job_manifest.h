// Describes an application as a Job of Kubernetes.
#pragma once

#include <string>
#include <vector>

#include "ports/launcher.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Labels and annotations of what mete creates.
inline constexpr const char* kManagedBy = "app.kubernetes.io/managed-by";
inline constexpr const char* kManager = "mete";
inline constexpr const char* kRunLabel = "mete.dev/run";
inline constexpr const char* kOwnerLabelKey = "mete.dev/owner";  // process
inline constexpr const char* kMachineLabel = "mete.dev/machine";
inline constexpr const char* kHeartbeat = "mete.dev/heartbeat";
inline constexpr const char* kContainerName = "app";

// Everything that decides about a Job.
struct ManifestRequest {
  const LaunchRequest& launch;  // with a container
  std::string name;
  std::string owner;      // tag of this process
  std::string machine;    // that it runs on
  std::string heartbeat;  // "2026-11-18T13:00:00Z"
  std::string gpu_resource = "nvidia.com/gpu";
};

// The JSON of the Job. Fails with kUnsupported for options of containers that
// clusters do not have, and names them.
Result<Json> JobManifest(const ManifestRequest& request);

// Limits of the request that a pod cannot have, with a note for each.
LimitReport MissingInPods(const Limits& limits);

// A list of arguments in which nothing is replaced: "$(NAME)" would be a
// variable.
Json ContainerArguments(const std::vector<std::string>& arguments);

// Binds a pod to the node of this name, which differs from its host name in
// some clusters.
Json NodeAffinity(const std::string& node);

// At most 63 letters, digits, '-', '_' and '.', as labels require.
std::string LabelValue(const std::string& text);

}  // namespace mete
