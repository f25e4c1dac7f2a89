// mete trial: short runs of one application with different resources, to find
// where it does best.
#pragma once

#include "cli/verb.h"
#include "measure/measure_application.h"

namespace mete {

void AddTrialCommand(Command root, Verbs& verbs,
                     Lazy<MeasureApplicationDependencies> dependencies);

}  // namespace mete
