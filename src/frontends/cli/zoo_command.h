// mete zoo list|build|sample: writes well-known networks and random variants.
#pragma once

#include "cli/verb.h"
#include "ports/graph_writer.h"

namespace mete {

// Dependencies of `mete zoo`, borrowed while the command runs.
struct ZooDependencies {
  GraphWriter& writer;
};

void AddZooCommand(Command root, Verbs& verbs,
                   Lazy<ZooDependencies> dependencies);

}  // namespace mete
