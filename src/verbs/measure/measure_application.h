// Runs a command or an image as often as asked and stores every run.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/application_dependencies.h"
#include "measure/application_spec.h"
#include "measure/progress_lines.h"
#include "measure/torch_program.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

struct MeasureApplicationRequest {
  ApplicationSpec application;
  bool allow_privileged = false;
  std::string mete_version;
  // For the files of the run; of several runs for "1", "2", … in it. Empty: a
  // folder by the run's id where files of runs are kept.
  std::filesystem::path folder;
};

// Borrowed for the length of a call.
struct MeasureApplicationDependencies {
  RunStore& runs;
  ApplicationDependencies platform;
  TorchPlaces torch;  // for commands that run mete-torch
  std::filesystem::path runs_folder;
};

struct ApplicationMeasurement {
  std::vector<Run> runs;  // at least one
  Status stored;          // whether all of them are in the store
};

// Ends early when a run was interrupted, rejected or cannot be stored. Fails
// when the application cannot be run at all.
Result<ApplicationMeasurement> MeasureApplication(
    MeasureApplicationRequest request,
    const MeasureApplicationDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop);

}  // namespace mete
