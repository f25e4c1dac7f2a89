// Runs images through a container engine with the Docker Engine API: Docker, or
// Podman's compatible service.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adapters/docker/docker_api.h"
#include "linux/system_root.h"
#include "ports/launcher.h"

namespace mete {

// Creates containers and returns them as running applications.
class DockerEngine final : public Launcher {
 public:
  // First removes containers and cgroups left behind by mete processes that
  // have ended. When the engine does not respond, fails with kUnavailable or
  // kPermissionDenied and advice; after `stop`, with kInterrupted.
  static Result<std::unique_ptr<DockerEngine>> Open(
      Endpoint endpoint, SystemRoot root = SystemRoot(),
      std::stop_token stop = {});

  // Makes sure the image is there.
  Result<LaunchFacts> Prepare(
      const LaunchRequest& request,
      const std::function<void(const std::string&)>& progress,
      std::stop_token stop) override;

  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override;

  const EngineFacts& facts() const { return facts_; }

 private:
  DockerEngine(DockerApi api, EngineFacts facts, SystemRoot root)
      : api_(std::move(api)),
        facts_(std::move(facts)),
        root_(std::move(root)) {}

  DockerApi api_;
  EngineFacts facts_;
  SystemRoot root_;
};

}  // namespace mete
