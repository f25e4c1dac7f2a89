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

TEST(FillSteps, OfASingleValueIsOneUnit) {
  SweepPlan plan{.memory = LimitRange{10 * kMebi, 10 * kMebi, 0},
                 .cpus = LimitRange{500, 500, 0}};
  FillSteps(Mebibytes(1), plan);
  EXPECT_EQ(plan.memory->step, kMebi);
  EXPECT_EQ(plan.cpus->step, 10u);
  plan.cpus = LimitRange{500, 100, 1};
  FillSteps(Mebibytes(1), plan);
  EXPECT_EQ(plan.cpus->step, 1u);
}

TEST(CheckPlan, RefusesCountsOfZero) {
  SweepPlan plan{.cpus = LimitRange{1000, 10, 10}, .repeat = 0};
  EXPECT_EQ(CheckPlan(plan).error().message(), "--repeat must be at least 1");
  plan = {.cpus = LimitRange{1000, 10, 10}, .confirm = 0};
  EXPECT_EQ(CheckPlan(plan).error().message(), "--confirm must be at least 1");
  plan = {.cpus = LimitRange{1000, 10, 10}, .repeat = 1, .confirm = 1};
  EXPECT_TRUE(CheckPlan(plan).ok());
}

TEST(CheckPlan, ChecksBothRanges) {
  SweepPlan plan{.memory = LimitRange{400 * kMebi, 40 * kMebi, kMebi},
                 .cpus = LimitRange{1000, 9, 10}};
  EXPECT_FALSE(CheckPlan(plan).ok());
  plan.cpus = LimitRange{1000, 1000, 10};
  EXPECT_TRUE(CheckPlan(plan).ok());
  plan.memory = LimitRange{6 * kMebi, 6 * kMebi, kMebi};
  EXPECT_TRUE(CheckPlan(plan).ok());
}

TEST(CheckPlan, WritesSizesAsTheUserDoes) {
  auto complaint = [](uint64_t from, uint64_t to) {
    return CheckPlan({.memory = LimitRange{from, to, 1}}).error().message();
  };
  EXPECT_THAT(complaint(1024, 2048), HasSubstr("write 2Ki:1Ki"));
  EXPECT_THAT(complaint(1025, 2047), HasSubstr("write 2047:1025"));
}

TEST(UsualRepeat, IsTwiceForANetworkUnderACpuLimitAlone) {
  const LimitRange range{1000, 100, 100};
  EXPECT_EQ(UsualRepeat({.cpus = range}, true), 2u);
  EXPECT_EQ(UsualRepeat({.cpus = range}, false), 1u);
  EXPECT_EQ(UsualRepeat({.memory = range}, true), 1u);
  EXPECT_EQ(UsualRepeat({.memory = range, .cpus = range}, true), 1u);
}

TEST(FillSteps, ATenthThatIsAWholeNumberOfUnitsIsNotRounded) {
  SweepPlan plan{.cpus = LimitRange{1000, 200, 0}};
  FillSteps(Mebibytes(1), plan);
  EXPECT_EQ(plan.cpus->step, 80u);
  plan.cpus = LimitRange{1001, 200, 0};
  FillSteps(Mebibytes(1), plan);
  EXPECT_EQ(plan.cpus->step, 90u);
}

TEST(CheckPlan, ARangeMayBeASingleValue) {
  EXPECT_TRUE(CheckPlan({.cpus = LimitRange{500, 500, 10}}).ok());
  EXPECT_FALSE(CheckPlan({.cpus = LimitRange{500, 501, 10}}).ok());
}

}  // namespace
}  // namespace mete
