// Checks that the store exists, for commands that only read it.
#pragma once

#include "config/settings.h"
#include "support/result.h"

namespace mete {

// Fails with kNotFound when the user names a file that does not exist: such a
// command would create an empty store and find nothing in it.
Status RequireStore(const Settings& settings);

}  // namespace mete
