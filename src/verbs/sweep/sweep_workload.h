// Sweeps a network or an application: builds the command to run, resumes an
// interrupted sweep, and stores the sweep and every run.
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
#include "ports/page_cache.h"
#include "ports/run_store.h"
#include "ports/sweep_store.h"
#include "support/result.h"
#include "sweep/infer_network.h"
#include "sweep/run_sweep.h"

namespace mete {

// The workload and the plan of a sweep.
struct SweepOrder {
  // The network to run inference with. Absent: `application` names its own
  // command or image.
  std::optional<InferRequest> network;
  // How to run the workload. Limits that are not swept apply to every run.
  ApplicationSpec application;
  SweepPlan plan;
  bool allow_privileged = false;
  std::string mete_version;
};

// The dependencies of SweepWorkload, borrowed for the duration of a call.
struct SweepDependencies {
  RunStore& runs;
  SweepStore& sweeps;
  GraphReader& reader;
  PageCache& page_cache;
  ApplicationDependencies platform;
  TorchPlaces torch;                  // for commands that run mete-torch
  std::filesystem::path program;      // mete itself, to run networks
  std::filesystem::path runs_folder;  // holds one folder per run id
  // The length of a sequence to suggest when the user leaves it open. May be
  // empty.
  std::function<int64_t(const Network&)> suggest_length{};
};

// Reports on a sweep while it runs.
struct SweepCallbacks {
  ProgressLines lines;
  // Called with an interrupted sweep that is resumed. May be empty.
  std::function<void(const Sweep&)> resumed;
};

// Resumes the interrupted sweep with the same workload, plan and device if
// there is one; otherwise starts a new sweep. Fails as RunSweep does, when the
// network cannot be read, and when mete-torch is required but not installed.
Result<SweepResult> SweepWorkload(const SweepOrder& order,
                                  const SweepDependencies& dependencies,
                                  const SweepCallbacks& callbacks,
                                  std::stop_token stop);

}  // namespace mete
