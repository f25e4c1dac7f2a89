// mete load: sends requests to services at a given rate and measures how long
// they take.
#pragma once

#include "cli/verb.h"
#include "load/run_load.h"
#include "load/start_service.h"
#include "ports/host.h"

namespace mete {

// Dependencies of `mete load`, borrowed while the command runs.
struct LoadCommandDependencies {
  Clock& clock;
  Host& host;
  std::function<Result<std::unique_ptr<HttpChannel>>()> open_channel;
  StartServiceDependencies services;
};

void AddLoadCommand(Command root, Verbs& verbs,
                    Lazy<LoadCommandDependencies> dependencies);

}  // namespace mete
