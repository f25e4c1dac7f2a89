// The result of one check by the doctor, and its formats: table, CSV and JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json_fwd.h"

namespace mete {

// How well something works.
enum class FindingState {
  kOk,
  kLimited,  // available, but not fully usable
  kMissing,
};

// "ok", "limited", "missing".
std::string_view ToString(FindingState state);

// One thing a machine can or cannot do.
struct Finding {
  std::string subject;  // one or two words: "cgroups"
  FindingState state = FindingState::kOk;
  std::string seen;    // what the check saw, in one sentence
  std::string advice;  // what to do about it; "" when ok
};

// A table wrapped to 80 columns, with each advice below its finding.
std::string DoctorTable(const std::vector<Finding>& findings);
// One row per finding: subject, state, seen, advice.
std::string DoctorCsv(const std::vector<Finding>& findings);
Json DoctorToJson(const std::vector<Finding>& findings);

}  // namespace mete
