// Fills what mete place needs.
#pragma once

#include <string>
#include <vector>

#include "cli/place_command.h"
#include "support/result.h"
#include "wiring/system.h"

namespace mete {

Result<PlaceCommandDependencies> ForPlacing(System& system);

// This machine, whose id is `here`, and the devices that it emulates.
Result<std::vector<LocalPlace>> FindLocalPlaces(RunStore& store,
                                                const std::string& here);

}  // namespace mete
