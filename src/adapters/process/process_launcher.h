// Runs a command as processes of this machine: in its own control group where
// that is allowed, below a keeper in any case.
#pragma once

#include "linux/system_root.h"
#include "ports/launcher.h"

namespace mete {

class ProcessLauncher final : public Launcher {
 public:
  // Groups that a mete left behind that is no more are removed first.
  explicit ProcessLauncher(SystemRoot root = SystemRoot());

  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override;

 private:
  SystemRoot root_;
};

}  // namespace mete
