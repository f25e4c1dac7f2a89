// mete-torch train-contention: trains NeuRO's network from a contention table
// and writes its weights for mete.
#pragma once

#include <string>

#include "flags/command.h"
#include "support/result.h"

namespace mete {

// The values of the flags.
struct ContentionFlags {
  std::string table;
  std::string out;
  std::string start;  // empty: random weights
  int64_t epochs = 10;
  uint64_t seed = 1;
  bool no_absent = false;
};

void AddContentionFlags(const Command& command, ContentionFlags& flags);
Status RunContentionTraining(const ContentionFlags& flags);

}  // namespace mete
