// What `mete watch` needs.
#pragma once

#include "cli/watch_command.h"
#include "support/result.h"

namespace mete {

class System;

Result<WatchCommandDependencies> ForWatching(System& system);

}  // namespace mete
