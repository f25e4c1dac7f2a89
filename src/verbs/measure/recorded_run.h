// One run with its files: what the application wrote, what it told through its
// hooks, and the samples.
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

// What is said while it runs. Both may be empty.
struct RunCallbacks {
  ApplicationProgressCallback progress;
  std::function<void(const std::string&)> warn;
};

// Draws an id, for `folder` of a run that is kept by it.
std::string NewRunId(const ApplicationDependencies& platform);

// Runs it once and leaves app.log and samples.csv in the folder, which is made
// when it is not there. Fails as RunApplication does and when its hooks
// cannot be opened; then, and when a limit was refused, no file is left and a
// folder that was made is removed.
Result<ApplicationRun> RecordRun(PreparedApplication application,
                                 const std::filesystem::path& folder,
                                 const ApplicationDependencies& platform,
                                 const RunCallbacks& callbacks,
                                 std::stop_token stop);

}  // namespace mete
