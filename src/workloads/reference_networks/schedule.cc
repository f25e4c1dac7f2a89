#include "reference_networks/schedule.h"

#include <algorithm>
#include <cmath>

#include "reference_networks/choice.h"
#include "support/parse_number.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr Named<ScheduleRule> kScheduleRules[] = {
    {"fix", ScheduleRule::kFixed},
    {"step", ScheduleRule::kMilestones},
    {"exp", ScheduleRule::kExponential},
    {"stepLR", ScheduleRule::kEvery}};

}  // namespace

Result<ScheduleRule> ParseScheduleRule(std::string_view name) {
  return Choose(kScheduleRules, "scheduler", name);
}

Result<std::vector<int64_t>> ParseSteps(std::string_view text) {
  std::vector<int64_t> steps;
  for (const std::string& part : SplitAt(text, ',')) {
    auto step = ParseNumber<int64_t>(part);
    if (!step || *step < 1) {
      return InvalidInput("'" + std::string(text) +
                          "': expected epochs like 50,80");
    }
    steps.push_back(*step);
  }
  return steps;
}

double Schedule::RateAt(int64_t epoch) const {
  int64_t times = 0;
  if (rule == ScheduleRule::kExponential) times = epoch;
  if (rule == ScheduleRule::kEvery) times = epoch / steps.front();
  if (rule == ScheduleRule::kMilestones) {
    times = std::ranges::count_if(
        steps, [epoch](int64_t step) { return step <= epoch; });
  }
  return rate * std::pow(gamma, static_cast<double>(times));
}

}  // namespace mete
