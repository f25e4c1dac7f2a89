// Runs the applications of a session, one after the other or side by side, and
// keeps every run with its files.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "measure/application_dependencies.h"
#include "measure/prepare_application.h"
#include "measure/progress_lines.h"
#include "measure/run_application.h"
#include "measure/session_spec.h"
#include "ports/run_store.h"

namespace mete {

// The session's own files, beside the folders of its runs.
inline constexpr const char* kSessionProfileFile = "profile.json";
inline constexpr const char* kSessionSamplesFile = "samples.csv";
inline constexpr const char* kSessionReportFile = "report.html";

// What came of one application.
struct ApplicationResult {
  ApplicationSpec spec;
  std::vector<ApplicationRun> runs;
  // Why it could not be started, or not again. The others go on.
  std::optional<Error> failure;
};

struct SessionResult {
  SessionSpec spec;
  Device device;
  std::string mete_version;
  std::filesystem::path folder;  // absolute
  std::chrono::system_clock::time_point started_at;
  double seconds = 0;
  bool interrupted = false;
  std::vector<ApplicationResult> applications;
  Status stored;  // whether all runs are in the store
};

struct SessionRequest {
  SessionSpec spec;
  // For the files; made when it is not there. Empty: one in the current folder,
  // named by the session and the time.
  std::filesystem::path folder;
  bool allow_privileged = false;
  std::string mete_version;
};

// Borrowed for the length of a call. The store is used by one thread.
struct SessionDependencies {
  RunStore& runs;
  ApplicationDependencies platform;
};

// Fails when something is wrong that can be seen before anything runs: what
// CheckSpec sees, and a folder that holds files. Fails too when nothing could
// be run at all, with the first reason. What happens to an application is its
// own result. A run that cannot be stored ends the session, and so does a
// request to stop; what there is comes back.
Result<SessionResult> RunSession(const SessionRequest& request,
                                 const SessionDependencies& dependencies,
                                 const ProgressLines& lines,
                                 std::stop_token stop);

// All runs, in the order of the applications.
std::vector<Run> CollectRuns(const SessionResult& session);

// A name as a folder's: letters, digits, "._-"; everything else becomes "-".
std::string FolderName(const std::string& name);

}  // namespace mete
