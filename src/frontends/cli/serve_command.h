// mete serve: the HTTP API, and a worker for the jobs it takes.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "cli/verb.h"
#include "control/controller.h"
#include "jobs/work_off.h"
#include "measure/run_id.h"
#include "ports/graph_reader.h"
#include "ports/host.h"
#include "ports/job_store.h"
#include "ports/node_source.h"
#include "predict/latency_predictor.h"

namespace mete {

// Borrowed while the command runs.
struct ServeDependencies {
  JobStore& jobs;
  Host& host;
  Clock& clock;
  NodeSource& nodes;
  GraphReader& reader;
  std::function<Result<PredictorSet>()> read_predictors;
  std::function<RunEntropy()> draw_entropy;
  Lazy<WorkOffDependencies> worker;  // asked for unless --no-worker
  std::function<Result<std::unique_ptr<Controller>>(ControllerRequest)>
      open_controller;
  std::filesystem::path state_folder;  // of the server's token and uploads
};

void AddServeCommand(Command root, Verbs& verbs,
                     Lazy<ServeDependencies> dependencies);

}  // namespace mete
