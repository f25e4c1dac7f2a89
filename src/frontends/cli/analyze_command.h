// mete analyze: the periods, trend and forecast of a series in a file.
#pragma once

#include "cli/verb.h"

namespace mete {

void AddAnalyzeCommand(Command root, Verbs& verbs);

}  // namespace mete
