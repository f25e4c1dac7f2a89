// mete completion bash|zsh|fish: a script for the shell on stdout.
#pragma once

#include "cli/verb.h"

namespace mete {

void AddCompletionCommand(Command root, Verbs& verbs);

}  // namespace mete
