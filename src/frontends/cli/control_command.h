// mete control: enforces SLOs on live metrics by throttling what disturbs them.
#pragma once

#include "cli/verb.h"
#include "control/controller.h"

namespace mete {

void AddControlCommand(Command root, Verbs& verbs,
                       Lazy<ControllerDependencies> dependencies);

}  // namespace mete
