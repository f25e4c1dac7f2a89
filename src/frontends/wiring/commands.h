// Every verb of the program, with what it needs from outside.
#pragma once

#include <memory>

#include "cli/verb.h"

namespace mete {

class System;

// `system` is filled in before a verb runs; no part of it is used before.
Verbs AddVerbs(Command root, const std::unique_ptr<System>& system);

}  // namespace mete
