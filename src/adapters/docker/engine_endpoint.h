// Finds the container engine as docker's own client would: DOCKER_HOST, the
// chosen context, then the usual sockets of docker and podman.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "net/endpoint.h"
#include "support/result.h"

namespace mete {

struct EngineSearch {
  // Looks up an environment variable; absent when unset or empty.
  std::function<std::optional<std::string>(const std::string& name)>
      environment;
  std::filesystem::path root = "/";  // where the usual sockets are looked for
};

// Fails with kUnavailable and what to do when there is none, with kUnsupported
// for an engine on another machine: its containers would be measured here.
Result<Endpoint> FindEngine(const EngineSearch& search);

}  // namespace mete
