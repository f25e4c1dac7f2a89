// What to type to measure something again.
#pragma once

#include <string>

#include "domain/run.h"
#include "measure/application_spec.h"

namespace mete {

// The words of a shell that run the application alone, by flags. Permits the
// privilege it asks for. Probes can only be asked for by flags; that the spec
// leaves out the machine's or the hooks is not in it.
std::string MeasureCommand(const ApplicationSpec& spec);

// The same for a run like a stored one, as far as the run tells. Empty for a
// service.
std::string MeasureCommand(const Run& run);

}  // namespace mete
