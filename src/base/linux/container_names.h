// Names of containers and pods, as far as they can be read from files: no
// engine and no API server is queried.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "linux/container_identity.h"
#include "linux/system_root.h"

namespace mete {

// Names of one container. "" means unknown.
struct ContainerName {
  std::string name;  // of the container within its pod
  std::string pod_name;
  std::string pod_namespace;
};

// Reads the folders that kubelet creates in /var/log/pods (world-readable), the
// links in /var/log/containers, and Docker's own files (root only). Not
// thread-safe.
class ContainerNames {
 public:
  explicit ContainerNames(const SystemRoot& root) : root_(root) {}

  // Lists the folders again. Before the first call no pod name is known.
  void Refresh();
  // Reads a Docker file on every call, so call it once for each container.
  ContainerName Of(const ContainerIdentity& container) const;

 private:
  std::string NameInDocker(const std::string& id) const;

  SystemRoot root_;
  std::map<std::string, ContainerName, std::less<>> pods_;        // by uid
  std::map<std::string, ContainerName, std::less<>> containers_;  // by id
};

}  // namespace mete
