// mete measure: latency of a network on this machine, or what a command or an
// image takes.
#pragma once

#include "cli/verb.h"
#include "measure/measure_and_store_network.h"
#include "measure/measure_application.h"

namespace mete {

void AddMeasureCommand(Command root, Verbs& verbs,
                       Lazy<MeasureNetworkDependencies> network,
                       Lazy<MeasureApplicationDependencies> applications);

}  // namespace mete
