// Makes one run and writes its files: the application's output and the samples.
// Also collects the metrics reported through its hooks.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "measure/application_dependencies.h"
#include "measure/prepare_application.h"
#include "measure/run_application.h"

namespace mete {

// The files of a run, in its folder.
inline constexpr const char* kLogFile = "app.log";
inline constexpr const char* kSamplesFile = "samples.csv";

// Reports on a run in progress. Both may be empty.
struct RunCallbacks {
  ApplicationProgressCallback progress;
  std::function<void(const std::string&)> warn;
};

// Draws a run id, for a folder that is named after it.
std::string NewRunId(const ApplicationDependencies& platform);

// Runs the application once, after a look at the machine if the application
// asks for one, and writes app.log and samples.csv to the folder,
// which is created if necessary. Fails as RunApplication does and when the
// hooks cannot be opened. Then, and when a limit was rejected, no file is left
// and a folder it created is removed.
Result<ApplicationRun> RecordRun(PreparedApplication application,
                                 const std::filesystem::path& folder,
                                 const ApplicationDependencies& platform,
                                 const RunCallbacks& callbacks,
                                 std::stop_token stop);

}  // namespace mete
