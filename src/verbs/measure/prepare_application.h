// Turns an application spec into something a launcher can start: checks paths,
// refuses or allows privileges, and pulls images.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "measure/application_dependencies.h"
#include "measure/application_spec.h"
#include "measure/run_application.h"

namespace mete {

// The device to run on and the privileges to allow.
struct RunContext {
  Device device;
  std::string mete_version;
  bool allow_privileged = false;
  // The user that runs commands; absent: mete's own. Networks and containers
  // are started as always.
  std::optional<ProcessUser> user{};
};

// Fails on any mistake that can be found without running anything: no command,
// numbers out of bounds, an unreadable dataset or network, more privileges than
// allowed.
Status CheckSpec(const ApplicationSpec& spec, bool allow_privileged);

// Leaves the run id empty. Fails as CheckSpec and CheckPin do, as
// Launchers::Find does
// when nothing can run the application here, and as Launcher::Prepare does.
// `progress` is called with one line at a time.
Result<PreparedApplication> PrepareApplication(
    const ApplicationSpec& spec, const RunContext& context,
    const ApplicationDependencies& platform,
    const std::function<void(const std::string&)>& progress,
    std::stop_token stop);

}  // namespace mete
