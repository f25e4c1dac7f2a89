// Learning rate schedules.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// How the learning rate decreases.
enum class ScheduleRule {
  kFixed,        // fix
  kMilestones,   // step: a factor at each of the given epochs
  kExponential,  // exp: a factor every epoch
  kEvery,        // stepLR: a factor every N epochs, N is the first of `steps`
};
Result<ScheduleRule> ParseScheduleRule(std::string_view name);

// "9", "50,80": epochs from 1. Fails with kInvalidInput.
Result<std::vector<int64_t>> ParseSteps(std::string_view text);

// A learning rate as a function of the epoch.
struct Schedule {
  ScheduleRule rule = ScheduleRule::kFixed;
  double rate = 0.001;  // initial
  double gamma = 0.1;   // the factor
  std::vector<int64_t> steps = {9};

  // Epochs count from 0.
  double RateAt(int64_t epoch) const;
};

}  // namespace mete
