// Sweeps a network or an application: builds what is run, goes on with a sweep
// that was interrupted, and stores every run and the sweep.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "domain/sweep.h"
#include "measure/application_dependencies.h"
#include "measure/application_spec.h"
#include "measure/progress_lines.h"
#include "measure/torch_program.h"
#include "ports/graph_reader.h"
#include "ports/run_store.h"
#include "ports/sweep_store.h"
#include "support/result.h"
#include "sweep/infer_network.h"
#include "sweep/run_sweep.h"

namespace mete {

struct SweepOrder {
  // Inference of a network; absent: the application's own command or image.
  std::optional<InferRequest> network;
  // How it is run. Limits that are not swept hold for every run.
  ApplicationSpec application;
  SweepPlan plan;
  bool allow_privileged = false;
  std::string mete_version;
};

// Borrowed for the length of a call.
struct SweepDependencies {
  RunStore& runs;
  SweepStore& sweeps;
  GraphReader& reader;
  ApplicationDependencies platform;
  TorchPlaces torch;                  // for commands that run mete-torch
  std::filesystem::path program;      // mete itself, to run networks
  std::filesystem::path runs_folder;  // gets a folder by run id
};

struct SweepCallbacks {
  ProgressLines lines;
  // Called with a sweep that was interrupted and is resumed. May be empty.
  std::function<void(const Sweep&)> resumed;
};

// The same workload and plan on the same device are the same sweep: one that
// was interrupted is resumed. Fails as RunSweep does, and when the network
// cannot be read or mete-torch is not here.
Result<SweepResult> SweepWorkload(const SweepOrder& order,
                                  const SweepDependencies& dependencies,
                                  const SweepCallbacks& callbacks,
                                  std::stop_token stop);

}  // namespace mete
