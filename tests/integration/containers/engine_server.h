// Starts a real container engine for tests on a socket in a scratch folder,
// with one image. It ends with its owner.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "net/endpoint.h"
#include "support/file.h"
#include "support/result.h"

namespace mete {

// The image has busybox and known_workload in /bin.
constexpr const char* kTestImage = "mete-test";

// A running Docker or Podman.
class EngineServer {
 public:
  // Fails with the reason to skip a test: not root, not installed, or the
  // engine does not start here.
  static Result<std::unique_ptr<EngineServer>> StartDocker();
  static Result<std::unique_ptr<EngineServer>> StartPodman();
  ~EngineServer();
  EngineServer(const EngineServer&) = delete;

  Endpoint endpoint() const { return {.socket = Path("s")}; }
  std::string Path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  // Returns the engine's log, for failing tests.
  std::string log() const;

 private:
  explicit EngineServer(ScratchFolder folder) : folder_(std::move(folder)) {}
  Status Run(std::vector<std::string> command);
  Status AwaitReady();
  Status ImportImage();

  ScratchFolder folder_;
  pid_t pid_ = 0;
};

}  // namespace mete
