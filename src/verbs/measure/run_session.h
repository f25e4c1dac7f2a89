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

#include "measure/application_outside.h"
#include "measure/prepare_application.h"
#include "measure/run_application.h"
#include "measure/session_spec.h"

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
};

struct SessionRequest {
  SessionSpec spec;
  RunContext context;
  std::filesystem::path folder;  // for the files; made when it is not there
};

// What the session tells meanwhile, from one thread at a time.
struct SessionTalk {
  std::function<void(const std::string&)> progress;
  std::function<void(const std::string&)> warn;
  // Keeps a run. A failure ends the session.
  std::function<Status(const Run&)> save;
};

// Fails when something is wrong that can be seen before anything runs
// (CheckSpec), when nothing could be run at all, with the first reason, or
// when `save` failed. What happens to an application is its own result. When
// `stop` is requested all applications are ended and what there is comes back.
Result<SessionResult> RunSession(const SessionRequest& request,
                                 const ApplicationOutside& outside,
                                 const SessionTalk& talk, std::stop_token stop);

// All runs, in the order of the applications.
std::vector<Run> RunsOf(const SessionResult& session);

// A name as a folder's: letters, digits, "._-"; everything else becomes "-".
std::string FolderName(const std::string& name);

}  // namespace mete
