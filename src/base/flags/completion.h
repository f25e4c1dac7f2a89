// Shell completion scripts, generated from the command tree so that they never
// lag behind it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "flags/command.h"

namespace mete {

// One flag as offered by a shell.
struct CompletionFlag {
  std::vector<std::string> names;  // "-o", "--output"
  std::string description;
  bool takes_value = false;
};

// One command of the tree, including the flags of its parents.
struct CompletionCommand {
  std::string path;  // "mete runs show"
  // name, description
  std::vector<std::pair<std::string, std::string>> children;
  std::vector<CompletionFlag> flags;
};

// The root first, then in depth-first order.
std::vector<CompletionCommand> CompletionTree(Command root);

std::string BashCompletion(const std::vector<CompletionCommand>& tree);
std::string ZshCompletion(const std::vector<CompletionCommand>& tree);
std::string FishCompletion(const std::vector<CompletionCommand>& tree);

}  // namespace mete
