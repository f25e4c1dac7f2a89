// mete serve: serves the HTTP API and runs a worker for submitted jobs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "cli/verb.h"
#include "collect/inspect_machine.h"
#include "control/controller.h"
#include "jobs/work_off.h"
#include "measure/run_id.h"
#include "place/place_network.h"
#include "ports/graph_reader.h"
#include "ports/host.h"
#include "ports/job_store.h"
#include "ports/node_source.h"
#include "ports/run_store.h"
#include "ports/service_host.h"
#include "predict/latency_predictor.h"

namespace mete {

// Dependencies of `mete serve`, borrowed while the command runs.
struct ServeDependencies {
  JobStore& jobs;
  RunStore& runs;  // a connection of its own; the worker uses another
  Host& host;
  Clock& clock;
  NodeSource& nodes;
  GraphReader& reader;
  std::function<Result<PredictorSet>()> read_predictors;
  std::function<RunEntropy()> draw_entropy;
  Lazy<WorkOffDependencies> worker;  // not used with --no-worker
  std::function<Result<std::unique_ptr<Controller>>(ControllerRequest)>
      open_controller;
  std::filesystem::path state_folder;  // holds the token and uploads
  // mete itself, which describes uploads in processes of their own. Empty: the
  // server describes them.
  std::filesystem::path program{};
  // To read speed and load of this machine if no Prometheus does.
  MachineDependencies machine{};
  // To start networks where they are predicted to run best. Null: the server
  // starts no services.
  std::shared_ptr<ServiceHost> services{};
  std::function<Result<std::vector<LocalPlace>>()> local_places{};
};

void AddServeCommand(Command root, Verbs& verbs,
                     Lazy<ServeDependencies> dependencies);

}  // namespace mete
