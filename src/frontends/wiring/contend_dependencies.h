// What mete contend needs: services as processes or containers, and their load.
#pragma once

#include "cli/contend_command.h"
#include "wiring/system.h"

namespace mete {

Result<ContendCommandDependencies> ForContending(System& system);

}  // namespace mete
