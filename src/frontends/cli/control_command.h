// mete control: keeps objectives on live series, by acting on what disturbs.
#pragma once

#include "cli/verb.h"
#include "control/controller.h"

namespace mete {

void AddControlCommand(Command root, Verbs& verbs,
                       Lazy<ControllerDependencies> dependencies);

}  // namespace mete
