// Writes the result of a session as files: profile.json, samples.csv,
// report.html.
#pragma once

#include <string>

#include "measure/run_session.h"
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

}  // namespace mete
