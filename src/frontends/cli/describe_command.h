// mete describe: prints a network's characteristics without running it.
#pragma once

#include "cli/verb.h"
#include "ports/graph_reader.h"

namespace mete {

// Dependencies of `mete describe`, borrowed while the command runs.
struct DescribeDependencies {
  GraphReader& reader;
};

void AddDescribeCommand(Command root, Verbs& verbs,
                        Lazy<DescribeDependencies> dependencies);

}  // namespace mete
