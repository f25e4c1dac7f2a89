// mete zoo list|build|sample: known networks and random variants as files.
#pragma once

#include "cli/verb.h"
#include "ports/graph_writer.h"

namespace mete {

// Borrowed while the command runs.
struct ZooDependencies {
  GraphWriter& writer;
};

void AddZooCommand(Command root, Verbs& verbs,
                   Lazy<ZooDependencies> dependencies);

}  // namespace mete
