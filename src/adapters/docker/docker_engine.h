// Runs images through a container engine that speaks the Docker Engine API:
// docker, or podman's compatible service.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adapters/docker/docker_api.h"
#include "linux/system_root.h"
#include "ports/launcher.h"

namespace mete {

class DockerEngine final : public Launcher {
 public:
  // Containers and groups that a mete left behind that is no more are removed
  // first. Fails with kUnavailable or kPermissionDenied and what to do when the
  // engine does not answer.
  static Result<std::unique_ptr<DockerEngine>> Open(
      Endpoint endpoint, SystemRoot root = SystemRoot());

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
