#include "sweep/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

TEST(FillSteps, LinearStepIsATenthOfTheRangeInWholeUnits) {
  SweepPlan plan{.memory = LimitRange{400 * kMebi, 45 * kMebi, 0},
                 .cpus = LimitRange{1000, 150, 0}};
  FillSteps(Mebibytes(1), plan);
  EXPECT_EQ(plan.memory->step, 36 * kMebi);  // 35.5 MiB
  EXPECT_EQ(plan.cpus->step, 90u);           // 85
}

TEST(FillSteps, BisectionUsesTheResolution) {
  SweepPlan plan{.memory = LimitRange{400 * kMebi, 40 * kMebi, 0},
                 .cpus = LimitRange{1000, 100, 0},
                 .search = SweepSearch::kBisect};
  FillSteps(Mebibytes(2), plan);
  EXPECT_EQ(plan.memory->step, 2 * kMebi);
  EXPECT_EQ(plan.cpus->step, 50u);
}

TEST(FillSteps, KeepsAGivenStep) {
  SweepPlan plan{.memory = LimitRange{400 * kMebi, 40 * kMebi, 8 * kMebi}};
  FillSteps(Mebibytes(1), plan);
  EXPECT_EQ(plan.memory->step, 8 * kMebi);
}

TEST(CheckPlan, RefusesInvalidPlans) {
  auto complaint = [](const SweepPlan& plan) {
    Status checked = CheckPlan(plan);
    return checked.ok() ? "" : checked.error().message();
  };
  EXPECT_THAT(complaint({}), HasSubstr("--memory or --cpus"));
  EXPECT_EQ(complaint({.memory = LimitRange{40 * kMebi, 400 * kMebi, kMebi}}),
            "--memory: FROM must be larger than TO: write 400Mi:40Mi");
  EXPECT_EQ(complaint({.cpus = LimitRange{100, 1500, 10}}),
            "--cpus: FROM must be larger than TO: write 1.5:0.1");
  EXPECT_THAT(complaint({.memory = LimitRange{40 * kMebi, 5 * kMebi, kMebi}}),
              HasSubstr("minimum is 6"));
  EXPECT_THAT(complaint({.cpus = LimitRange{1000, 9, 10}}),
              HasSubstr("minimum is 0.01"));
  EXPECT_EQ(complaint({.cpus = LimitRange{1000, 10, 10}}), "");
}

}  // namespace
}  // namespace mete
