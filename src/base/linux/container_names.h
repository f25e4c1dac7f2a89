// What people call containers and pods, as far as files tell it: no engine and
// no API server is asked.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "linux/container_identity.h"
#include "linux/system_root.h"

namespace mete {

// "" for what is not known.
struct ContainerName {
  std::string name;  // of the container, in its pod
  std::string pod_name;
  std::string pod_namespace;
};

// From the folders that kubelet makes in /var/log/pods for anyone to list,
// the links in /var/log/containers, and docker's own files, which root alone
// can read. One thread.
class ContainerNames {
 public:
  explicit ContainerNames(const SystemRoot& root) : root_(root) {}

  // Lists the folders anew; before that nothing is known of pods.
  void Refresh();
  // Reads a file of docker's: ask once for each container.
  ContainerName Of(const ContainerIdentity& container) const;

 private:
  std::string NameInDocker(const std::string& id) const;

  SystemRoot root_;
  std::map<std::string, ContainerName, std::less<>> pods_;        // by uid
  std::map<std::string, ContainerName, std::less<>> containers_;  // by id
};

}  // namespace mete
