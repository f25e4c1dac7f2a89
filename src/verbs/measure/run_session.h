// Runs the applications of a session, sequentially or concurrently, and stores
// every run with its files.
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

// The files of the session itself, beside the folders of its runs.
inline constexpr const char* kSessionProfileFile = "profile.json";
inline constexpr const char* kSessionSamplesFile = "samples.csv";
inline constexpr const char* kSessionReportFile = "report.html";

// The result of one application.
struct ApplicationResult {
  ApplicationSpec spec;
  std::vector<ApplicationRun> runs;
  // Why it could not be started or repeated. The other applications still run.
  std::optional<Error> failure;
};

// The result of a session.
struct SessionResult {
  SessionSpec spec;
  Device device;
  std::string mete_version;
  std::filesystem::path folder;  // absolute
  std::chrono::system_clock::time_point started_at;
  double seconds = 0;
  bool interrupted = false;  // runs are missing
  int resumed = 0;           // how often a later mete went on with it
  std::vector<ApplicationResult> applications;
  Status stored;  // whether all runs are in the store
};

// A session to run and where to put its files.
struct SessionRequest {
  SessionSpec spec;
  // Folder for the files, created if necessary. Empty: a folder in the current
  // directory named after the session and the time.
  std::filesystem::path folder;
  bool allow_privileged = false;
  std::string mete_version;
  // Called after each run with the results so far, marked as interrupted, and
  // with the whole result before the session counts as finished. May be empty.
  std::function<void(const SessionResult&)> so_far{};
};

// The dependencies of RunSession, borrowed for the duration of a call. One
// thread uses the store.
struct SessionDependencies {
  RunStore& runs;
  ApplicationDependencies platform;
};

// Goes on with the session in the folder if it was interrupted or killed: its
// runs are kept, except those of a round of applications side by side that was
// not finished. Fails when a mistake can be found before anything runs: as
// CheckSession and SessionFolder::Open do. Also fails when nothing could be run
// at all, with the first error. Otherwise a failure of one application is part
// of its result. The session ends early when a run cannot be stored or `stop`
// is requested, and returns the results so far.
Result<SessionResult> RunSession(const SessionRequest& request,
                                 const SessionDependencies& dependencies,
                                 const ProgressLines& lines,
                                 std::stop_token stop);

// Fails as CheckSpec does for the first application with a mistake, and when a
// network is damaged.
Status CheckSession(const SessionSpec& spec, bool allow_privileged,
                    const NetworkCheck& check_network);

// All runs, in the order of the applications.
std::vector<Run> CollectRuns(const SessionResult& session);

// Converts a name to a folder name: letters, digits and "._-" stay; every other
// character becomes "-".
std::string FolderName(const std::string& name);

}  // namespace mete
