// Port: an engine that stores images and runs containers (Docker, Podman).
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "ports/launcher.h"
#include "support/result.h"

namespace mete {

// When to pull an image from the registry.
enum class PullPolicy { kMissing, kAlways, kNever };

// Facts about an image.
struct ImageFacts {
  std::string sha256;        // of its configuration; identifies the image
  std::string architecture;  // "amd64"
  std::string engine;        // "docker"
  std::string engine_version;
};

// Runs containers.
class ContainerEngine : public Launcher {
 public:
  // Ensures that the image is present. `progress` receives one line at a time.
  // Fails with kNotFound when neither the engine nor the registry has it, with
  // kUnavailable when `stop` was requested or the registry cannot be reached.
  virtual Result<ImageFacts> FetchImage(
      const std::string& reference, PullPolicy policy,
      const std::function<void(const std::string&)>& progress,
      std::stop_token stop) = 0;
};

}  // namespace mete
