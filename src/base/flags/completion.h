// Shell completion scripts, made from the command tree itself so that they
// never lag behind it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "flags/command.h"

namespace mete {

// One flag as a shell offers it.
struct CompletionFlag {
  std::vector<std::string> names;  // "-o", "--output"
  std::string description;
  bool takes_value = false;
};

// One command of the tree, flags of its parents included.
struct CompletionCommand {
  std::string path;  // "mete runs show"
  std::vector<std::pair<std::string, std::string>> children;  // name, meaning
  std::vector<CompletionFlag> flags;
};

// The root first, then depth first.
std::vector<CompletionCommand> CompletionTree(Command root);

std::string BashCompletion(const std::vector<CompletionCommand>& tree);
std::string ZshCompletion(const std::vector<CompletionCommand>& tree);
std::string FishCompletion(const std::vector<CompletionCommand>& tree);

}  // namespace mete
