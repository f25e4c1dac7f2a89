// The calls of the API that running Jobs needs, as typed functions.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/pod_state.h"
#include "domain/application_details.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// A Job that some mete created.
struct OwnedJob {
  std::string name;
  std::string owner;      // tag of the process
  std::string machine;    // that the process runs on
  std::string heartbeat;  // when that was last known to be alive
};

// A change of a pod.
struct PodChange {
  PodState pod;
  bool deleted = false;
};

// Jobs and pods of one namespace. Thread-safe. Borrows the client.
class JobApi {
 public:
  JobApi(ApiClient& client, std::string space)
      : client_(client), space_(std::move(space)) {}

  // "v1.20.2".
  Result<std::string> ServerVersion(std::stop_token stop) const;

  // Creates it. That it exists already is fine: an earlier attempt succeeded
  // although its answer was lost.
  Status Create(const Json& job, std::stop_token stop) const;
  // Deletes the Job, and its pods later. Succeeds if it is gone.
  Status Delete(const std::string& job, std::stop_token stop = {}) const;
  // Deletes a pod: SIGTERM, then SIGKILL after the grace. Absent: the pod's own
  // grace. 0 forgets the pod at once. Succeeds if it is gone.
  Status DeletePod(const std::string& pod, std::optional<int> grace) const;
  // Declares that the owner of the Job is alive (server-side apply).
  Status Beat(const std::string& job, const std::string& time,
              std::stop_token stop) const;
  Result<std::vector<OwnedJob>> Owned(std::stop_token stop) const;

  // Calls `change` for the pod of a Job now and after every change, until that
  // returns false or `stop` is requested. Fails only with errors that a retry
  // cannot fix.
  Status Follow(const std::string& job,
                const std::function<bool(const PodChange&)>& change,
                std::stop_token stop) const;

  // Passes on the output, past and future, until the container ends.
  Status Logs(const std::string& pod,
              const std::function<void(std::string_view)>& output,
              std::stop_token stop) const;

  // What the node's kubelet counted for the pod. Fails with kPermissionDenied
  // without the right to ask, with kNotFound before it has counted anything.
  Result<ResourceUsage> Usage(const PodState& pod, std::stop_token stop) const;

  // Names of the nodes that are ready and accept pods.
  Result<std::vector<std::string>> ReadyNodes(std::stop_token stop) const;
  // Identifies the machine of a node.
  Result<std::string> MachineId(const std::string& node,
                                std::stop_token stop) const;

 private:
  std::string Jobs() const;
  std::string Pods() const;
  Result<std::string> List(const std::string& job,
                           const std::function<bool(const PodChange&)>& change,
                           bool& wanted, std::stop_token stop) const;

  ApiClient& client_;
  const std::string space_;
};

}  // namespace mete
