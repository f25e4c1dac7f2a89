// What an engine is told to create: a launch request as the JSON body of
// POST /containers/create.
#pragma once

#include <string>
#include <vector>

#include "ports/launcher.h"
#include "support/json_fwd.h"

namespace mete {

struct ContainerRequest {
  const LaunchRequest& launch;
  std::vector<std::string> image_environment;  // "NAME=value" each
  std::string owner;         // whose container it is, kept as a label
  std::string parent_group;  // control group to lie in; empty: the engine's
};

// The label that says which mete made a container: "PID-START-NAMESPACE".
constexpr const char* kOwnerLabel = "dev.mete.owner";

Json ContainerConfig(const ContainerRequest& request);

}  // namespace mete
