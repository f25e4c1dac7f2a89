// From what to run to what a launcher can start: paths checked, privileges
// refused or allowed, the image fetched.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "measure/application_outside.h"
#include "measure/application_spec.h"
#include "measure/run_application.h"

namespace mete {

// Where and under which rules it is to run.
struct RunContext {
  Device device;
  std::string mete_version;
  bool allow_privileged = false;
};

struct PreparedApplication {
  ApplicationSpec spec;
  ApplicationRequest request;    // its run id is still open
  Launcher* launcher = nullptr;  // borrowed from the outside
};

// All that is wrong and can be seen without running anything: no command,
// numbers out of bounds, a dataset that cannot be read, more privilege than
// allowed.
Status CheckSpec(const ApplicationSpec& spec, bool allow_privileged);

// Fails as CheckSpec does, with kUnavailable when there is no container engine
// and as ContainerEngine::FetchImage does. `fetching` gets a line of progress
// at a time.
Result<PreparedApplication> PrepareApplication(
    const ApplicationSpec& spec, const RunContext& context,
    const ApplicationOutside& outside,
    const std::function<void(const std::string&)>& fetching,
    std::stop_token stop);

}  // namespace mete
