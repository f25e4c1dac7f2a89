// Drives the load of a mix with the load generator of mete load.
#pragma once

#include "contend/mix_load.h"
#include "load/run_load.h"

namespace mete {

// The dependencies must outlive the function.
DriveLoad DriveWithPoissonLoad(LoadDependencies dependencies);

}  // namespace mete
