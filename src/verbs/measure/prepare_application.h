// From what to run to what a launcher can start: paths checked, privileges
// refused or allowed, what it needs fetched.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "measure/application_dependencies.h"
#include "measure/application_spec.h"
#include "measure/run_application.h"

namespace mete {

// Where and under which rules it is to run.
struct RunContext {
  Device device;
  std::string mete_version;
  bool allow_privileged = false;
};

// All that is wrong and can be seen without running anything: no command,
// numbers out of bounds, a dataset that cannot be read, more privilege than
// allowed.
Status CheckSpec(const ApplicationSpec& spec, bool allow_privileged);

// The id of its run is still open. Fails as CheckSpec does, as Launchers::Find
// does when nothing can run it here, and as Launcher::Prepare does. `progress`
// gets a line at a time.
Result<PreparedApplication> PrepareApplication(
    const ApplicationSpec& spec, const RunContext& context,
    const ApplicationDependencies& platform,
    const std::function<void(const std::string&)>& progress,
    std::stop_token stop);

}  // namespace mete
