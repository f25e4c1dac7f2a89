#include "compare/comparison.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

RatioEstimate Between(double low, double high) {
  return {.ratio = (low + high) / 2, .interval = Interval{low, high}};
}

TEST(JudgeSpeed, CannotTellWhenTheIntervalContainsOne) {
  EXPECT_EQ(JudgeSpeed(Between(0.98, 1.03)), SpeedVerdict::kCannotTell);
  EXPECT_EQ(JudgeSpeed(Between(1.0, 1.03)), SpeedVerdict::kCannotTell);
  EXPECT_EQ(JudgeSpeed(Between(1.01, 1.03)), SpeedVerdict::kSlower);
  EXPECT_EQ(JudgeSpeed(Between(0.97, 0.99)), SpeedVerdict::kFaster);
}

TEST(JudgeSpeed, CannotTellWithoutAnInterval) {
  EXPECT_EQ(JudgeSpeed({.ratio = 5}), SpeedVerdict::kCannotTell);
}

TEST(JudgeGate, FailsOnlyIfTheLowerEndIsMoreThanAllowed) {
  EXPECT_EQ(JudgeGate(Between(1.06, 1.10), 0.05), GateVerdict::kFailed);
  EXPECT_EQ(JudgeGate(Between(1.04, 1.10), 0.05), GateVerdict::kUndecided);
  EXPECT_EQ(JudgeGate(Between(1.01, 1.04), 0.05), GateVerdict::kPassed);
  EXPECT_EQ(JudgeGate(Between(0.50, 0.60), 0.05), GateVerdict::kPassed);
}

TEST(JudgeGate, IsUndecidedWithoutAnInterval) {
  EXPECT_EQ(JudgeGate({.ratio = 5}, 0.05), GateVerdict::kUndecided);
}

}  // namespace
}  // namespace mete
