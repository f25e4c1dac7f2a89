// The system as the commands see it that are not converted yet. Goes with them.
#pragma once

#include <memory>

#include "cli/services.h"
#include "wiring/system.h"

namespace mete {

// Borrows from the system.
std::unique_ptr<Services> MakeServices(System& system);

}  // namespace mete
