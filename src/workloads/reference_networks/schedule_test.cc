#include "reference_networks/schedule.h"

#include <gmock/gmock.h>

namespace mete {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

std::vector<double> Rates(const char* rule, std::vector<int64_t> steps) {
  Schedule schedule{.rule = ParseScheduleRule(rule).value(),
                    .rate = 1,
                    .gamma = 0.5,
                    .steps = std::move(steps)};
  std::vector<double> rates;
  for (int64_t epoch = 0; epoch < 5; ++epoch) {
    rates.push_back(schedule.RateAt(epoch));
  }
  return rates;
}

TEST(Schedule, DecreasesByItsRule) {
  EXPECT_THAT(Rates("fix", {9}), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(Rates("step", {1, 3}), ElementsAre(1, 0.5, 0.5, 0.25, 0.25));
  EXPECT_THAT(Rates("exp", {9}), ElementsAre(1, 0.5, 0.25, 0.125, 0.0625));
  EXPECT_THAT(Rates("stepLR", {2}), ElementsAre(1, 1, 0.5, 0.5, 0.25));
}

TEST(ParseSteps, AcceptsOnlyEpochs) {
  EXPECT_THAT(ParseSteps("50,80").value(), ElementsAre(50, 80));
  for (const char* bad : {"", "0", "a", "5,", "-1", "3x"}) {
    EXPECT_FALSE(ParseSteps(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace mete
