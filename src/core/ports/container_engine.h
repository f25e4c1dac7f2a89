// Port: an engine that keeps images and runs containers (docker, podman).
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "ports/launcher.h"
#include "support/result.h"

namespace mete {

// When to ask the registry for an image.
enum class PullPolicy { kMissing, kAlways, kNever };

struct ImageFacts {
  std::string sha256;  // of its configuration: what "the same image" means
  std::string architecture;  // "amd64"
  std::string engine;        // "docker"
  std::string engine_version;
};

class ContainerEngine : public Launcher {
 public:
  // Makes sure the image is there. `progress` gets one line at a time.
  // Fails with kNotFound when neither the engine nor the registry has it, with
  // kUnavailable when `stop` was requested or the registry cannot be reached.
  virtual Result<ImageFacts> FetchImage(
      const std::string& reference, PullPolicy policy,
      const std::function<void(const std::string&)>& progress,
      std::stop_token stop) = 0;
};

}  // namespace mete
