// Formats the runs of an application for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/run.h"
#include "measure/run_application.h"
#include "support/json_fwd.h"

namespace mete {

// Describes one run in full. The run must be an application's.
std::string ApplicationText(const Run& run);

// Summarises several runs of the same application: one line per run, then the
// medians with their intervals.
std::string RepeatText(const std::vector<Run>& runs);

// {"runs": […], "summary": …}: the summary is that of RepeatSummaryToJson plus
// "completed", the number of completed runs.
Json RepeatJson(const std::vector<Run>& runs);

// "running: 12 s of at most 60 s, memory 30 MiB, CPU 4.2 s".
std::string ProgressText(const ApplicationProgress& progress);

// "limits: memory 64.0 MiB, 0.5 CPUs (not applied)". Empty without limits.
std::string LimitsLine(const Run& run);

// Whether this limit was in force.
bool IsApplied(const Run& run, EnforcedLimit limit);
bool AreLimitsApplied(const Run& run);  // all of them

// The detail of an outcome, to follow its description: ", exit code 7",
// " (limit 2.00 s); ended by SIGTERM". Empty without a detail.
std::string DetailSuffix(const RunOutcome& outcome);

}  // namespace mete
