// Users of this machine.
#pragma once

#include <string>

#include "machine/process_user.h"
#include "support/result.h"

namespace mete {

// Finds a user by name or by number. A number need not be in the user database.
// Fails with kNotFound.
Result<ProcessUser> FindUser(const std::string& name_or_id);

}  // namespace mete
