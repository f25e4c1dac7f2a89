// The launcher of every kind of workload. Whoever knows the adapters adds one
// line for each; who runs an application only names its kind.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "domain/run.h"
#include "ports/launcher.h"
#include "support/result.h"

namespace mete {

// Makes a launcher. Fails with what to do when there can be none here, for
// example when no container engine answers.
using LauncherFactory = std::function<Result<std::unique_ptr<Launcher>>()>;

// Makes each launcher when it is first asked for, and owns it. From any thread;
// the launchers themselves are for one thread at a time.
class Launchers {
 public:
  explicit Launchers(std::map<WorkloadKind, LauncherFactory> factories)
      : factories_(std::move(factories)) {}

  // Fails as its factory does, which is asked again the next time, and with
  // kUnsupported when nothing runs workloads of this kind.
  Result<Launcher*> Find(WorkloadKind kind);

 private:
  std::mutex mutex_;
  const std::map<WorkloadKind, LauncherFactory> factories_;
  std::map<WorkloadKind, std::unique_ptr<Launcher>> made_;
};

}  // namespace mete
