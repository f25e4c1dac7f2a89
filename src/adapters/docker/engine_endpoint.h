// Finds the container engine as Docker's own client does: DOCKER_HOST, the
// selected context, then the usual sockets of Docker and Podman.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "net/endpoint.h"
#include "support/result.h"

namespace mete {

// Where to search.
struct EngineSearch {
  // Looks up an environment variable; absent when unset or empty.
  std::function<std::optional<std::string>(const std::string& name)>
      environment;
  std::filesystem::path root = "/";  // for the usual sockets
};

// When there is none, fails with kUnavailable and advice. Fails with
// kUnsupported for an engine on another machine, whose containers cannot be
// measured from here.
Result<Endpoint> FindEngine(const EngineSearch& search);

}  // namespace mete
