// mete compare: which of two workloads is faster, by how much, and how sure
// that is.
#pragma once

#include "cli/verb.h"
#include "measure/measure_application.h"

namespace mete {

void AddCompareCommand(Command root, Verbs& verbs,
                       Lazy<MeasureApplicationDependencies> dependencies);

}  // namespace mete
