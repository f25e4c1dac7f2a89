// An application's run for people.
#pragma once

#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/run_application.h"
#include "support/json_fwd.h"

namespace mete {

// Everything about one run; the run must be of an application.
std::string ApplicationText(const Run& run);

// Several runs of the same application: a line for each, and what they have
// in common with its interval.
std::string RepeatText(const std::vector<Run>& runs);

// {"runs": […], "summary": …} with the summary of RepeatSummaryToJson and
// "completed", the number of runs that did.
Json RepeatJson(const std::vector<Run>& runs);

// "running: 12 s of at most 60 s, memory 30 MiB, CPU 4.2 s".
std::string ProgressText(const ApplicationProgress& progress);

// "completed", "out of memory".
std::string DescribeOutcome(OutcomeKind outcome);

}  // namespace mete
