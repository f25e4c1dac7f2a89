// mete session run|check|example: measures several applications described by a
// file.
#pragma once

#include "cli/verb.h"
#include "measure/run_session.h"

namespace mete {

// `check` uses only `network_check`, and `example` nothing.
void AddSessionCommand(Command root, Verbs& verbs,
                       Lazy<SessionDependencies> dependencies,
                       Lazy<NetworkCheck> network_check);

}  // namespace mete
