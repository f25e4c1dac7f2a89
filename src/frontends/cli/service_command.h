// mete service: serves one network over HTTP.
#pragma once

#include <filesystem>
#include <functional>

#include "cli/verb.h"
#include "measure/run_id.h"
#include "ports/engine.h"
#include "ports/graph_writer.h"
#include "ports/image_reader.h"
#include "support/clock.h"

namespace mete {

// Dependencies of `mete service`, borrowed while the command runs.
struct ServiceCommandDependencies {
  Lazy<Engine*> open_engine;
  GraphWriter& writer;
  ImageReader& images;
  Clock& clock;
  std::function<RunEntropy()> draw_entropy;
  std::filesystem::path networks_folder;  // keeps networks of the zoo
};

void AddServiceCommand(Command root, Verbs& verbs,
                       Lazy<ServiceCommandDependencies> dependencies);

}  // namespace mete
