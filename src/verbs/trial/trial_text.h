// Formats the result of a trial for people and for programs.
#pragma once

#include <string>

#include "support/json_fwd.h"
#include "trial/run_trial.h"

namespace mete {

// The answer first, then a table of all variants and the notes.
std::string TrialText(const TrialResult& result);
// {"objective", "decided", "winner", "variants": […]}. Absent values have no
// key.
Json TrialJson(const TrialResult& result);
// One row for each variant. Absent values are empty cells.
std::string TrialCsv(const TrialResult& result);

}  // namespace mete
