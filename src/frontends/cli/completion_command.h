// mete completion bash|zsh|fish: prints a completion script for the shell.
#pragma once

#include "cli/verb.h"

namespace mete {

void AddCompletionCommand(Command root, Verbs& verbs);

}  // namespace mete
