// Adds every verb of the program with its dependencies.
#pragma once

#include <memory>

#include "cli/verb.h"

namespace mete {

class System;

// `system` must be set before a verb runs. It is not used before.
Verbs AddVerbs(Command root, const std::unique_ptr<System>& system);

}  // namespace mete
