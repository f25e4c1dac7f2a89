// Writes the result of a session as files: profile.json, samples.csv,
// report.html.
#pragma once

#include <string>

#include "measure/run_session.h"
#include "support/clock.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

inline constexpr int kProfileSchemaVersion = 1;

// Everything but the samples. docs/reference/session.md lists all keys.
Json ProfileToJson(const SessionResult& session);

// An entry of `applications`: {"name", "spec", "failure", "runs", "summary"}.
// `failure` may be empty.
Json ApplicationProfile(const ApplicationSpec& spec,
                        const std::vector<Run>& runs,
                        const std::string& failure);

// The samples of all runs, with `application` and `run` as first columns.
std::string SessionSamplesCsv(const SessionResult& session);

// Writes the files requested by the spec into the session's folder.
Status WriteSessionFiles(const SessionResult& session);

// Writes the files while the session runs, so that they exist if mete is
// killed. Takes at most some five percent of the session's time: with many
// runs, the files of a killed session may lack the last ones.
class RunningSessionFiles {
 public:
  explicit RunningSessionFiles(const Clock& clock) : clock_(clock) {}

  // Call it after each run.
  void Update(const SessionResult& session);

 private:
  const Clock& clock_;
  std::chrono::nanoseconds not_before_{};
};

}  // namespace mete
