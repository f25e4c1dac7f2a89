#include "control/rule_state.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::seconds;
using Wish = RuleState::Wish;

// Below 100, clear at 80; 2 s, 10 s, 5 s.
SloRule Below100() {
  return {.name = "r",
          .objective = {.bound = {.value = 100}, .clear = 80},
          .violated_for = Seconds(2),
          .clear_for = Seconds(10),
          .cool_down = Seconds(5)};
}

class RuleStateTest : public testing::Test {
 protected:
  Wish At(int second, std::optional<double> value, bool complete = true) {
    return state_.Take(value, complete, seconds(second));
  }
  // Violated at 0 and acted at 2.
  void Act(bool more = false) {
    At(0, 120);
    ASSERT_EQ(At(2, 120), Wish::kAct);
    state_.Acted(more, seconds(2));
  }

  SloRule rule_ = Below100();
  RuleState state_{rule_};
};

TEST_F(RuleStateTest, StaysWithinWhileTheObjectiveIsMet) {
  EXPECT_EQ(At(0, 99.9), Wish::kNothing);
  EXPECT_EQ(state_.phase(), RulePhase::kWithin);
}

TEST_F(RuleStateTest, BoundItselfIsAViolation) {
  At(0, 100);
  EXPECT_EQ(state_.phase(), RulePhase::kViolating);
}

TEST_F(RuleStateTest, ActsOnlyAfterTheViolationHasLasted) {
  EXPECT_EQ(At(0, 120), Wish::kNothing);
  EXPECT_EQ(At(1, 120), Wish::kNothing);
  EXPECT_EQ(At(2, 120), Wish::kAct);
}

TEST_F(RuleStateTest, ForgetsAShortViolation) {
  At(0, 120);
  At(1, 90);
  EXPECT_EQ(state_.phase(), RulePhase::kWithin);
  At(2, 120);
  EXPECT_EQ(At(3, 120), Wish::kNothing);
}

TEST_F(RuleStateTest, RepeatsAWishThatIsNotGranted) {
  At(0, 120);
  EXPECT_EQ(At(2, 120), Wish::kAct);
  EXPECT_EQ(At(3, 120), Wish::kAct);
  EXPECT_EQ(state_.phase(), RulePhase::kViolating);
}

TEST_F(RuleStateTest, ActsAgainOnlyAfterTheCoolDownIfMoreCanBeDone) {
  Act(true);
  EXPECT_EQ(state_.phase(), RulePhase::kActed);
  EXPECT_EQ(At(6, 120), Wish::kNothing);
  EXPECT_EQ(At(7, 120), Wish::kAct);
  state_.Acted(false, seconds(7));
  EXPECT_EQ(At(30, 120), Wish::kNothing);
}

TEST_F(RuleStateTest, DoesNothingBetweenTheThresholds) {
  Act(true);
  EXPECT_EQ(At(20, 90), Wish::kNothing);
  EXPECT_EQ(state_.phase(), RulePhase::kActed);
}

TEST_F(RuleStateTest, RestoresAfterBeingClearLongEnough) {
  Act();
  EXPECT_EQ(At(3, 80), Wish::kNothing);
  EXPECT_EQ(state_.phase(), RulePhase::kRecovering);
  EXPECT_EQ(At(12, 80), Wish::kNothing);
  EXPECT_EQ(At(13, 80), Wish::kRestore);
  state_.Restored(seconds(13));
  EXPECT_EQ(state_.phase(), RulePhase::kWithin);
}

TEST_F(RuleStateTest, RecoveryEndsBetweenTheThresholds) {
  Act();
  At(3, 80);
  At(8, 90);
  EXPECT_EQ(state_.phase(), RulePhase::kActed);
  At(9, 80);
  EXPECT_EQ(At(13, 80), Wish::kNothing);
  EXPECT_EQ(At(19, 80), Wish::kRestore);
}

TEST_F(RuleStateTest, MissingReadingsNeitherTriggerNorClear) {
  At(0, 120);
  EXPECT_EQ(At(5, std::nullopt), Wish::kNothing);
  EXPECT_EQ(state_.phase(), RulePhase::kViolating);
  // The timer restarts.
  EXPECT_EQ(At(6, 120), Wish::kNothing);
  EXPECT_EQ(At(8, 120), Wish::kAct);
  state_.Acted(false, seconds(8));
  At(9, 70);
  EXPECT_EQ(At(30, std::nullopt), Wish::kNothing);
  EXPECT_EQ(state_.phase(), RulePhase::kRecovering);
  EXPECT_EQ(At(31, 70), Wish::kNothing);
  EXPECT_EQ(At(41, 70), Wish::kRestore);
}

TEST_F(RuleStateTest, IncompleteReadingTriggersButDoesNotClear) {
  At(0, 120, false);
  EXPECT_EQ(At(2, 120, false), Wish::kAct);
  state_.Acted(false, seconds(2));
  At(3, 10, false);
  EXPECT_EQ(state_.phase(), RulePhase::kActed);
}

TEST_F(RuleStateTest, WaitsForTheCoolDownAfterRestoring) {
  Act();
  At(3, 80);
  At(13, 80);
  state_.Restored(seconds(13));
  At(14, 120);
  EXPECT_EQ(At(17, 120), Wish::kNothing);
  EXPECT_EQ(At(18, 120), Wish::kAct);
}

TEST_F(RuleStateTest, WaitsTwiceAsLongAfterAQuickNewViolation) {
  Act();
  At(3, 80);
  At(13, 80);
  state_.Restored(seconds(13));
  At(14, 120);
  ASSERT_EQ(At(18, 120), Wish::kAct);
  state_.Acted(false, seconds(18));
  EXPECT_EQ(state_.clear_for(), Seconds(20));
  At(19, 80);
  EXPECT_EQ(At(38, 80), Wish::kNothing);
  EXPECT_EQ(At(39, 80), Wish::kRestore);
  // Much later it counts as a new violation.
  state_.Restored(seconds(39));
  At(200, 120);
  ASSERT_EQ(At(202, 120), Wish::kAct);
  state_.Acted(false, seconds(202));
  EXPECT_EQ(state_.clear_for(), Seconds(10));
}

TEST_F(RuleStateTest, KeepsReadingsAsEvidence) {
  At(0, 120);
  At(1, 150);
  At(2, 130);
  EXPECT_EQ(state_.stretch().readings, 3);
  EXPECT_EQ(state_.stretch().least, 120);
  EXPECT_EQ(state_.stretch().most, 150);
  EXPECT_EQ(state_.stretch().since, seconds(0));
}

TEST_F(RuleStateTest, HandlesAnObjectiveAboveABound) {
  rule_.objective = {
      .side = ObjectiveSide::kAbove, .bound = {.value = 10}, .clear = 12};
  At(0, 10);
  EXPECT_EQ(At(2, 9), Wish::kAct);
  state_.Acted(false, seconds(2));
  At(3, 11);
  EXPECT_EQ(state_.phase(), RulePhase::kActed);
  At(4, 12);
  EXPECT_EQ(state_.phase(), RulePhase::kRecovering);
}

TEST(ActBudget, CountsASlidingMinute) {
  ActBudget budget(2);
  EXPECT_TRUE(budget.Take(seconds(0)));
  EXPECT_TRUE(budget.Take(seconds(30)));
  EXPECT_FALSE(budget.Take(seconds(59)));
  EXPECT_TRUE(budget.Take(seconds(60)));
  EXPECT_FALSE(budget.Take(seconds(61)));
}

TEST_F(RuleStateTest, WaitsAtMostEightTimesAsLong) {
  auto start = seconds(0);
  auto take = [&](int after, double value) {
    return state_.Take(value, true, start + seconds(after));
  };
  for (int waits : {1, 2, 4, 8, 8}) {
    take(0, 120);
    ASSERT_EQ(take(10, 120), Wish::kAct) << waits;
    state_.Acted(false, start + seconds(10));
    EXPECT_EQ(state_.clear_for(), Seconds(10 * waits));
    take(11, 80);
    ASSERT_EQ(take(11 + 10 * waits, 80), Wish::kRestore) << waits;
    start += seconds(11 + 10 * waits);
    state_.Restored(start);
  }
}

// Restored at 13; 10 s clear, 2 s violated and 5 s cooling down are 17 s.
TEST_F(RuleStateTest, ANewViolationIsQuickUpToAllThreeTimes) {
  Act();
  At(3, 80);
  At(13, 80);
  state_.Restored(seconds(13));
  At(20, 120);
  ASSERT_EQ(At(30, 120), Wish::kAct);
  state_.Acted(false, seconds(30));
  EXPECT_EQ(state_.clear_for(), Seconds(20));
}

TEST_F(RuleStateTest, ANewViolationIsNotQuickAfterMoreThanAllThreeTimes) {
  Act();
  At(3, 80);
  At(13, 80);
  state_.Restored(seconds(13));
  At(20, 120);
  ASSERT_EQ(At(31, 120), Wish::kAct);
  state_.Acted(false, seconds(31));
  EXPECT_EQ(state_.clear_for(), Seconds(10));
}

}  // namespace
}  // namespace mete
