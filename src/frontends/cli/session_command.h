// mete session run|check|example: applications measured in one go, as a file
// describes them.
#pragma once

#include "cli/verb.h"
#include "measure/run_session.h"

namespace mete {

// `check` and `example` need nothing from outside.
void AddSessionCommand(Command root, Verbs& verbs,
                       Lazy<SessionDependencies> dependencies);

}  // namespace mete
