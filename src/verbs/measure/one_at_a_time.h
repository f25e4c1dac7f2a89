// A launcher for several threads that starts applications one at a time.
#pragma once

#include <memory>
#include <mutex>

#include "ports/launcher.h"

namespace mete {

// Serialises Start, because a launcher may have to set up something that
// applications share, such as their parent cgroup. All launchers of a process
// share `starting`.
class OneAtATime final : public Launcher {
 public:
  OneAtATime(Launcher& launcher, std::mutex& starting)
      : launcher_(launcher), starting_(starting) {}

  Result<LaunchFacts> Prepare(
      const LaunchRequest& request,
      const std::function<void(const std::string&)>& progress,
      std::stop_token stop) override {
    return launcher_.Prepare(request, progress, std::move(stop));
  }
  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override {
    std::lock_guard lock(starting_);
    return launcher_.Start(request);
  }

 private:
  Launcher& launcher_;
  std::mutex& starting_;
};

}  // namespace mete
