// The folder of a session: what a later mete needs to go on with a session that
// was interrupted or killed.
//
// session.json says which session it is and whether it is finished. The folder
// of each run that is in the store has a run.json, which is written last: a run
// without one was lost.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "measure/run_application.h"
#include "measure/session_spec.h"
#include "ports/run_store.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

inline constexpr const char* kSessionStateFile = "session.json";
inline constexpr const char* kRunFile = "run.json";

// What session.json contains.
struct SessionState {
  std::string name;
  std::string key;     // differs between sessions that run different things
  std::string device;  // id
  std::chrono::system_clock::time_point started_at;
  double seconds = 0;  // spent up to the last run that was kept
  int resumed = 0;     // how often a later mete went on with it
  bool finished = false;
};

// Identifies what a session runs: its file, and the applications with their
// paths resolved.
std::string SessionKey(const SessionSpec& spec);

// The folder while a session runs in it. A lock keeps other processes from
// running a session in the same folder; it ends with this process.
class SessionFolder {
 public:
  // Creates the folder if necessary. `state` describes the session to run. If
  // the folder has an unfinished session with the same key and device, the
  // state continues that one. Fails with kInvalidInput, and one line that says
  // what to do, when the folder has anything else.
  static Result<SessionFolder> Open(const std::filesystem::path& folder,
                                    SessionState state);

  const std::filesystem::path& path() const { return path_; }  // absolute
  const SessionState& state() const { return state_; }

  // Records that a run is in the store, and the time spent so far. Creates its
  // folder if necessary.
  Status KeepRun(const std::filesystem::path& run_folder,
                 const ApplicationRun& done, double seconds);
  // The run that was kept in this folder, or none if it was lost or
  // interrupted.
  std::optional<ApplicationRun> FindRun(const std::filesystem::path& run_folder,
                                        RunStore& runs) const;
  Status Finish(double seconds);
  // Removes what Open created, because nothing was run.
  void Discard();

 private:
  SessionFolder() = default;
  Status Write() const;

  std::filesystem::path path_;
  SessionState state_;
  Descriptor lock_;
  std::vector<std::filesystem::path> made_;  // folders, the outermost first
};

}  // namespace mete
