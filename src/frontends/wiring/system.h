// The parts of this machine and its surroundings, each made on first use from
// the settings: the one place that knows every adapter.
#pragma once

#include <memory>

#include "cli/services.h"
#include "config/settings.h"

namespace mete {

// Each part is made when first asked for.
std::unique_ptr<Services> MakeServices(const Settings& settings,
                                       const EnvironmentLookup& environment);

}  // namespace mete
