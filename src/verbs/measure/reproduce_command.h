// Builds the command line that repeats a measurement.
#pragma once

#include <string>

#include "domain/run.h"
#include "measure/application_spec.h"

namespace mete {

// A shell command that runs only this application, with flags. Includes the
// flag that allows privileges if they are needed. Flags can only add probes:
// the command does not show that the spec disables `machine` or `hooks`.
std::string MeasureCommand(const ApplicationSpec& spec);

// The same for a stored run, as far as the run records it. Empty for a service.
std::string MeasureCommand(const Run& run);

}  // namespace mete
