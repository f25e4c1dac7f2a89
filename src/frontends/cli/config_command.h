// mete config show: prints the effective settings and where each comes from.
#pragma once

#include "cli/verb.h"

namespace mete {

void AddConfigCommand(Command root, Verbs& verbs);

}  // namespace mete
