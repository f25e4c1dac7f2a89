// mete session run|check|example: measures several applications described by a
// file.
#pragma once

#include "cli/verb.h"
#include "measure/run_session.h"

namespace mete {

// `check` and `example` need no dependencies.
void AddSessionCommand(Command root, Verbs& verbs,
                       Lazy<SessionDependencies> dependencies);

}  // namespace mete
