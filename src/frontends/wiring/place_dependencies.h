// Fills what mete place needs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/place_command.h"
#include "support/result.h"
#include "wiring/system.h"

namespace mete {

Result<PlaceCommandDependencies> ForPlacing(System& system);

// Services of this machine that outlive mete. `system` must outlive it.
std::unique_ptr<ServiceHost> OpenServiceHost(System& system);

// The devices of the store on which services can be started from here: this
// machine, whose id is `here`, and those that it emulates.
Result<std::vector<LocalPlace>> FindLocalPlaces(RunStore& store,
                                                const std::string& here);

}  // namespace mete
