// How the learning rate falls from epoch to epoch.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

enum class ScheduleRule {
  kFixed,        // fix
  kMilestones,   // step: a factor at each of the epochs named
  kExponential,  // exp: a factor every epoch
  kEvery,        // stepLR: a factor every so many epochs, the first of `steps`
};
Result<ScheduleRule> ParseScheduleRule(std::string_view name);

// "9", "50,80": whole epochs from 1 on. Fails with kInvalidInput.
Result<std::vector<int64_t>> ParseSteps(std::string_view text);

struct Schedule {
  ScheduleRule rule = ScheduleRule::kFixed;
  double rate = 0.001;  // to start with
  double gamma = 0.1;   // the factor
  std::vector<int64_t> steps = {9};

  // Epochs count from 0.
  double RateAt(int64_t epoch) const;
};

}  // namespace mete
