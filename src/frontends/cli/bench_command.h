// mete bench network|load|infer: what mete starts inside a device it measures
// on, or under limits. Not for people.
#pragma once

#include <functional>

#include "cli/verb.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "support/clock.h"

namespace mete {

// Borrowed while the command runs.
struct BenchDependencies {
  std::function<Result<Engine*>()> open_engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
};

void AddBenchCommand(Command root, Verbs& verbs,
                     Lazy<BenchDependencies> dependencies);

}  // namespace mete
