// What the doctor found, as a value, a table and JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json_fwd.h"

namespace mete {

enum class FindingState {
  kOk,
  kLimited,  // there, but not all of it can be used
  kMissing,
};

// "ok", "limited", "missing".
std::string_view ToString(FindingState state);

// One thing a machine can or cannot do.
struct Finding {
  std::string subject;  // a word or two: "cgroups"
  FindingState state = FindingState::kOk;
  std::string seen;    // what was seen, in one sentence
  std::string advice;  // what to do about it; "" when ok
};

// Wrapped to 80 columns, the advice below what was seen.
std::string DoctorTable(const std::vector<Finding>& findings);
// A row a finding: subject, state, seen, advice.
std::string DoctorCsv(const std::vector<Finding>& findings);
Json DoctorToJson(const std::vector<Finding>& findings);

}  // namespace mete
