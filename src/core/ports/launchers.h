// The launcher for every kind of workload. Wiring adds one line per adapter;
// code that runs an application only names its kind.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "domain/run.h"
#include "ports/launcher.h"
#include "support/result.h"

namespace mete {

// Creates a launcher. Fails with advice when that is not possible here, for
// example when no container engine responds, and with kInterrupted after
// `stop`: a cluster may take long to answer.
using LauncherFactory =
    std::function<Result<std::unique_ptr<Launcher>>(std::stop_token stop)>;

// Creates each launcher on first use and owns it. Thread-safe; the launchers
// themselves are not.
class Launchers {
 public:
  // `named` run images elsewhere, and only if the user asks for them by name.
  explicit Launchers(std::map<WorkloadKind, LauncherFactory> factories,
                     std::map<std::string, LauncherFactory> named = {})
      : factories_(std::move(factories)), named_factories_(std::move(named)) {}

  // Fails like its factory, which is called again the next time, or with
  // kUnsupported when no launcher runs workloads of this kind.
  Result<Launcher*> Find(WorkloadKind kind, std::stop_token stop = {});
  // The same for a launcher of images by its name, such as "kubernetes".
  Result<Launcher*> Find(const std::string& name, std::stop_token stop = {});

 private:
  std::mutex mutex_;
  const std::map<WorkloadKind, LauncherFactory> factories_;
  const std::map<std::string, LauncherFactory> named_factories_;
  std::map<WorkloadKind, std::unique_ptr<Launcher>> made_;
  std::map<std::string, std::unique_ptr<Launcher>> named_;
};

}  // namespace mete
