// Finds the API server to talk to: in kubeconfig files, or through the service
// account of the pod that mete runs in.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "adapters/kubernetes/kubeconfig.h"
#include "net/endpoint.h"
#include "support/result.h"

namespace mete {

// One API server and how to log in to it.
struct ClusterAccess {
  Url server;
  KubeCluster cluster;
  KubeUser user;
  std::string space;   // namespace for what mete creates
  std::string origin;  // "context dev of /home/ann/.kube/config"
};

// What the user chose; empty: the default.
struct AccessRequest {
  std::function<std::optional<std::string>(const std::string&)> environment;
  // Instead of KUBECONFIG and ~/.kube/config.
  std::filesystem::path kubeconfig{};
  std::string context{};
  std::string space{};
  // Accept clusters with insecure-skip-tls-verify.
  bool allow_insecure = false;
  // Where pods find their service account.
  std::filesystem::path service_account =
      "/var/run/secrets/kubernetes.io/serviceaccount";
};

// Looks at the chosen file, then at those in KUBECONFIG, then at
// ~/.kube/config, then for a service account. Fails with kNotFound when there
// is none of them, with kInvalidInput and a remedy for what cannot be used, and
// with kPermissionDenied for a cluster whose certificate is not to be verified
// unless that is allowed.
Result<ClusterAccess> FindClusterAccess(const AccessRequest& request);

}  // namespace mete
