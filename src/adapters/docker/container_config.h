// Converts a launch request to the JSON body of POST /containers/create.
#pragma once

#include <string>
#include <vector>

#include "ports/launcher.h"
#include "support/json_fwd.h"

namespace mete {

// Everything that defines a container.
struct ContainerRequest {
  const LaunchRequest& launch;
  std::vector<std::string> image_environment;  // "NAME=value" each
  std::string owner;         // owner of the container, kept as a label
  std::string parent_group;  // cgroup to create it in; empty: the engine's
};

// The label that identifies the mete process that created a container:
// "PID-START-NAMESPACE".
constexpr const char* kOwnerLabel = "dev.mete.owner";

Json ContainerConfig(const ContainerRequest& request);

}  // namespace mete
