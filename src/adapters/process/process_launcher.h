// Runs a command as processes of this machine: in its own cgroup where
// permitted, and always below a keeper.
#pragma once

#include "linux/system_root.h"
#include "ports/launcher.h"

namespace mete {

// Starts commands.
class ProcessLauncher final : public Launcher {
 public:
  // First removes cgroups left behind by mete processes that have ended.
  explicit ProcessLauncher(SystemRoot root = SystemRoot());

  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override;

 private:
  SystemRoot root_;
};

}  // namespace mete
