// mete bench network|load|infer|measure|describe: the processes that mete
// starts inside a device, under limits or for a fresh start. Users do not call
// them.
#pragma once

#include <functional>

#include "cli/verb.h"
#include "linux/confine.h"
#include "ports/engine.h"
#include "ports/graph_reader.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "support/clock.h"

namespace mete {

// Dependencies of `mete bench`, borrowed while the command runs.
struct BenchDependencies {
  std::function<Result<Engine*>()> open_engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
  GraphReader& reader;
  // Limits this process before it reads a file of a stranger.
  std::function<Status(const Confinement&)> confine;
};

void AddBenchCommand(Command root, Verbs& verbs,
                     Lazy<BenchDependencies> dependencies);

}  // namespace mete
