// mete measure: measures the latency of a network, or the time and resources
// that a command or an image uses.
#pragma once

#include "cli/verb.h"
#include "measure/measure_and_store_network.h"
#include "measure/measure_application.h"
#include "measure/observe_service.h"

namespace mete {

void AddMeasureCommand(Command root, Verbs& verbs,
                       Lazy<MeasureNetworkDependencies> network,
                       Lazy<MeasureApplicationDependencies> applications,
                       Lazy<ObserveDependencies> services);

}  // namespace mete
