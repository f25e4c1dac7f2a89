// What a controller needs, taken from the parts of the system.
#pragma once

#include "control/controller.h"
#include "wiring/system.h"

namespace mete {

// Borrows from `system`.
ControllerDependencies ForControl(System& system);

}  // namespace mete
