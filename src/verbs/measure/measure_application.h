// Runs a command or an image the requested number of times and stores every
// run.
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

// An application to measure and where to put its files.
struct MeasureApplicationRequest {
  ApplicationSpec application;
  bool allow_privileged = false;
  std::string mete_version;
  // Folder for the files of the run. Several runs use subfolders "1", "2", ….
  // Empty: a folder named by run id in `runs_folder`.
  std::filesystem::path folder;
};

// The dependencies of MeasureApplication, borrowed for the duration of a call.
struct MeasureApplicationDependencies {
  RunStore& runs;
  ApplicationDependencies platform;
  TorchPlaces torch;  // for commands that run mete-torch
  std::filesystem::path runs_folder;
};

// The runs made and whether they could be stored.
struct ApplicationMeasurement {
  std::vector<Run> runs;  // at least one
  Status stored;          // whether all of them are in the store
};

// Ends early when a run is interrupted, rejected or cannot be stored. Fails
// when the application cannot be run at all.
Result<ApplicationMeasurement> MeasureApplication(
    MeasureApplicationRequest request,
    const MeasureApplicationDependencies& dependencies,
    const ProgressLines& lines, std::stop_token stop);

}  // namespace mete
