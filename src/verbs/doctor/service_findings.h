// Findings about services near the machine: containers, Prometheus,
// Kubernetes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "doctor/finding.h"
#include "linux/system_root.h"
#include "ports/system_probes.h"

namespace mete {

// An environment variable's value; absent when unset.
using VariableLookup =
    std::function<std::optional<std::string>(const std::string& name)>;

// DOCKER_HOST, else /var/run/docker.sock.
Finding FindDocker(const SystemRoot& root, const VariableLookup& environment,
                   SystemProbes& probes);
// The user's socket below XDG_RUNTIME_DIR, else /run/podman/podman.sock.
Finding FindPodman(const SystemRoot& root, const VariableLookup& environment,
                   SystemProbes& probes);
// METE_PROMETHEUS, else PROMETHEUS_URL, else localhost:9090.
Finding FindPrometheus(const VariableLookup& environment, SystemProbes& probes);
// KUBECONFIG, else ~/.kube/config, else a pod's service account.
Finding FindKubernetes(const SystemRoot& root,
                       const VariableLookup& environment);

// Parts of a URL such as "http://host:9090/path", "tcp://host:2375",
// "[::1]:9090" or "host".
struct ServiceUrl {
  TcpAddress address;
  bool tls = false;
  std::string path;  // "" or begins with /
};
std::optional<ServiceUrl> ParseServiceUrl(const std::string& text,
                                          uint16_t default_port);

}  // namespace mete
