// mete bench network|load|infer|measure: the processes that mete starts inside
// a device, under limits or for a fresh start. Users do not call them.
#pragma once

#include <functional>

#include "cli/verb.h"
#include "ports/engine.h"
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
};

void AddBenchCommand(Command root, Verbs& verbs,
                     Lazy<BenchDependencies> dependencies);

}  // namespace mete
