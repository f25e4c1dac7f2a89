#include "sweep/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace mete {
namespace {

using testing::ElementsAre;

// Runs a plan with a workload that succeeds wherever `works` returns true.
struct Played {
  std::vector<SweepPoint> points;
  std::vector<uint64_t> mebibytes;  // tried, in order
};

Played Play(const SweepPlan& plan,
            const std::function<bool(const PointLimits&, size_t)>& works,
            OutcomeKind failure = OutcomeKind::kOutOfMemory) {
  Played played;
  while (auto limits = NextPoint(plan, played.points)) {
    SweepPoint point{.limits = *limits};
    point.worked = works(*limits, played.points.size());
    if (!point.worked) point.outcome.kind = failure;
    played.points.push_back(point);
    if (limits->memory) played.mebibytes.push_back(*limits->memory / kMebi);
    if (played.points.size() > 1000) break;
  }
  return played;
}

auto NeedsMebibytes(uint64_t floor) {
  return [floor](const PointLimits& limits, size_t) {
    return *limits.memory >= floor * kMebi;
  };
}

LimitRange Mebi(uint64_t from, uint64_t to, uint64_t step) {
  return {from * kMebi, to * kMebi, step * kMebi};
}

TEST(LinearSearch, DescendsByTheStepAndStopsAtTheFirstOutOfMemory) {
  Played played = Play({.memory = Mebi(100, 50, 10)}, NeedsMebibytes(75));
  EXPECT_THAT(played.mebibytes, ElementsAre(100, 90, 80, 70));
}

TEST(LinearSearch, RepeatsEveryValueAsRequested) {
  Played played =
      Play({.memory = Mebi(30, 10, 10), .repeat = 2}, NeedsMebibytes(0));
  EXPECT_THAT(played.mebibytes, ElementsAre(30, 30, 20, 20, 10, 10));
}

TEST(LinearSearch, EndsAboveALimitThatTheStepsSkip) {
  Played played = Play({.memory = Mebi(100, 75, 10)}, NeedsMebibytes(0));
  EXPECT_THAT(played.mebibytes, ElementsAre(100, 90, 80));
}

TEST(LinearSearch, SkipsACrashThatTheLimitDidNotCause) {
  auto crashes_at_90 = [](const PointLimits& limits, size_t) {
    return *limits.memory != 90 * kMebi;
  };
  Played played =
      Play({.memory = Mebi(100, 80, 10)}, crashes_at_90, OutcomeKind::kCrashed);
  EXPECT_THAT(played.mebibytes, ElementsAre(100, 90, 80));
}

TEST(LinearSearch, EndsAtOnceWhenTheLargestValueFails) {
  Played played = Play({.memory = Mebi(100, 80, 10)}, NeedsMebibytes(101),
                       OutcomeKind::kCrashed);
  EXPECT_THAT(played.mebibytes, ElementsAre(100));
}

TEST(Bisection, FindsTheSmallestValueThatWorksAndConfirmsIt) {
  for (uint64_t floor = 1; floor <= 100; ++floor) {
    SweepPlan plan{.memory = Mebi(100, 1, 1), .search = SweepSearch::kBisect};
    Played played = Play(plan, NeedsMebibytes(floor));
    Tallies tallies = TalliesByMemory(played.points, std::nullopt);
    ASSERT_EQ(tallies[floor * kMebi].worked, 3u) << floor;
    if (floor > 1) {
      ASSERT_EQ(tallies[(floor - 1) * kMebi].failed, 1u) << floor;
    }
    EXPECT_LE(played.points.size(), 11u) << floor;
  }
}

TEST(Bisection, WorksWhenTheStepDoesNotDivideTheRange) {
  SweepPlan plan{.memory = Mebi(400, 41, 4), .search = SweepSearch::kBisect};
  Played played = Play(plan, NeedsMebibytes(399));
  Tallies tallies = TalliesByMemory(played.points, std::nullopt);
  EXPECT_EQ(tallies[400 * kMebi].worked, 3u);
  EXPECT_EQ(tallies[397 * kMebi].failed, 1u);
}

TEST(Bisection, ValueThatFailsItsConfirmationDoesNotWork) {
  // 60 works once and fails the second time; larger values work.
  size_t at_60 = 0;
  auto works = [&](const PointLimits& limits, size_t) {
    if (*limits.memory == 60 * kMebi) return ++at_60 == 1;
    return *limits.memory > 60 * kMebi;
  };
  SweepPlan plan{.memory = Mebi(100, 10, 10), .search = SweepSearch::kBisect};
  Played played = Play(plan, works);
  Tallies tallies = TalliesByMemory(played.points, std::nullopt);
  EXPECT_EQ(tallies[70 * kMebi].worked, 3u);
  EXPECT_EQ(played.mebibytes.back(), 70u);
}

TEST(Bisection, NeedsLessThanAThirdOfTheRunsOfALinearSweep) {
  SweepPlan plan{.memory = Mebi(400, 40, 4), .search = SweepSearch::kBisect};
  SweepPlan linear{.memory = Mebi(400, 40, 4)};
  size_t bisected = Play(plan, NeedsMebibytes(150)).points.size();
  size_t in_turn = Play(linear, NeedsMebibytes(150)).points.size();
  EXPECT_LT(3 * bisected, in_turn);
}

TEST(Grid, SearchesMemoryAtEachCpuLimit) {
  SweepPlan plan{.memory = Mebi(30, 10, 10),
                 .cpus = LimitRange{1000, 500, 500}};
  Played played = Play(plan, NeedsMebibytes(20));
  ASSERT_EQ(played.points.size(), 6u);
  EXPECT_EQ(*played.points[2].limits.millicores, 1000u);
  EXPECT_EQ(*played.points[3].limits.millicores, 500u);
  EXPECT_THAT(played.mebibytes, ElementsAre(30, 20, 10, 30, 20, 10));
}

TEST(Grid, EndsWhenTheMostMemoryIsNotEnough) {
  SweepPlan plan{.memory = Mebi(20, 10, 10),
                 .cpus = LimitRange{1000, 250, 250}};
  auto needs_750 = [](const PointLimits& limits, size_t) {
    return *limits.millicores >= 750;
  };
  Played played = Play(plan, needs_750, OutcomeKind::kTimedOut);
  EXPECT_EQ(*played.points.back().limits.millicores, 500u);
  EXPECT_EQ(played.points.size(), 5u);
}

TEST(ListValues, DescendsToTheEndOfTheRange) {
  EXPECT_THAT(ListValues({30, 10, 10}), ElementsAre(30, 20, 10));
  EXPECT_THAT(ListValues({30, 11, 10}), ElementsAre(30, 20));
  EXPECT_THAT(ListValues({30, 30, 10}), ElementsAre(30));
  EXPECT_THAT(ListValues({30, 0, 0}), ElementsAre(30));
  EXPECT_THAT(ListValues({20, 0, 10}), ElementsAre(20, 10, 0));
}

TEST(Tallies, KnowWhatTheLimitCaused) {
  auto point = [](OutcomeKind kind, bool worked = false) {
    return SweepPoint{.limits = {.memory = 10, .millicores = 500},
                      .outcome = {.kind = kind},
                      .worked = worked,
                      .duration = Seconds(2)};
  };
  std::vector<SweepPoint> points = {
      point(OutcomeKind::kCompleted, true), point(OutcomeKind::kOutOfMemory),
      point(OutcomeKind::kTimedOut), point(OutcomeKind::kCrashed),
      point(OutcomeKind::kCompleted)};
  points.back().too_slow = true;
  Tally by_memory = TalliesByMemory(points, 500).at(10);
  EXPECT_EQ(by_memory.worked, 1u);
  EXPECT_EQ(by_memory.failed, 4u);
  EXPECT_EQ(by_memory.ran_dry, 3u);
  EXPECT_TRUE(TalliesByMemory(points, std::nullopt).empty());
  Tally by_cpus = TalliesByCpus(points).at(500);
  EXPECT_EQ(by_cpus.ran_dry, 3u);
  EXPECT_EQ(by_cpus.observed, Seconds(2));  // of the run that worked
  EXPECT_EQ(by_cpus.spent, Seconds(2));
}

TEST(RequiredRuns, DependOnTheSearch) {
  SweepPlan plan{.search = SweepSearch::kBisect, .repeat = 2, .confirm = 5};
  EXPECT_EQ(RequiredRuns(plan), 5u);
  plan.search = SweepSearch::kLinear;
  EXPECT_EQ(RequiredRuns(plan), 2u);
}

TEST(NextPoint, HasNoneWithoutLimitsToSweep) {
  EXPECT_FALSE(NextPoint({}, {}));
  EXPECT_EQ(RunsLeft({}, {}), 0u);
}

// One limit for all runs has nothing to bisect.
TEST(Bisection, OfASingleValueRepeatsIt) {
  SweepPlan plan{.memory = LimitRange{10, 10, 0},
                 .search = SweepSearch::kBisect,
                 .repeat = 2};
  EXPECT_EQ(Play(plan, NeedsMebibytes(0)).points.size(), 2u);
  EXPECT_EQ(RunsLeft(plan, {}), 2u);
}

TEST(RunsLeft, OfALinearSweepAreThoseNotMade) {
  SweepPlan plan{.memory = Mebi(30, 10, 10), .repeat = 2};
  EXPECT_EQ(RunsLeft(plan, {}), 6u);
  auto points = Play(plan, NeedsMebibytes(0)).points;
  points.resize(3);
  EXPECT_EQ(RunsLeft(plan, points), 3u);
  plan.cpus = LimitRange{1000, 500, 500};
  EXPECT_EQ(RunsLeft(plan, {}), 12u);
  EXPECT_EQ(RunsLeft({.cpus = LimitRange{1000, 500, 500}}, {}), 2u);
}

TEST(RunsLeft, OfABisectionIsTheLogarithmAndTheConfirmations) {
  SweepPlan plan{.memory = Mebi(9, 1, 1), .search = SweepSearch::kBisect};
  EXPECT_EQ(RunsLeft(plan, {}), 4u + 3 - 1);
}

TEST(RunsLeft, DecreasesToZero) {
  SweepPlan plan{.memory = Mebi(100, 1, 1), .search = SweepSearch::kBisect};
  EXPECT_GT(RunsLeft(plan, {}), 5u);
  EXPECT_EQ(RunsLeft(plan, Play(plan, NeedsMebibytes(30)).points), 0u);
}

TEST(NextPoint, RepeatsShortRunsUnderACpuLimit) {
  SweepPlan plan{.cpus = LimitRange{1000, 500, 500}};
  SweepPoint brief{
      .limits = {.millicores = 1000}, .worked = true, .duration = Seconds(0.9)};
  SweepPoint half = brief;
  half.limits.millicores = 500;
  std::vector<SweepPoint> points = {brief};
  EXPECT_EQ(NextPoint(plan, points)->millicores, 500u);  // in turn
  points.push_back(half);
  EXPECT_EQ(NextPoint(plan, points)->millicores, 1000u);
  points.insert(points.end(), {brief, brief, half});  // 27 and 18 periods
  EXPECT_EQ(NextPoint(plan, points)->millicores, 500u);
  points.push_back(half);
  EXPECT_EQ(NextPoint(plan, points), std::nullopt);
  // A long run of which the steps are a small part is not repeated.
  brief.duration = Seconds(60);
  brief.steps = StepTimes{.name = "step", .count = 10, .mean = Seconds(0.001)};
  EXPECT_EQ(NextPoint(plan, {brief})->millicores, 500u);
  plan = {.memory = LimitRange{100, 50, 50}};
  SweepPoint of_memory{
      .limits = {.memory = 100}, .worked = true, .duration = Seconds(0.1)};
  EXPECT_EQ(NextPoint(plan, {of_memory})->memory, 50u);
}

TEST(Bisection, RepeatsShortRunsUnderACpuLimit) {
  SweepPlan plan{.cpus = LimitRange{1000, 200, 100},
                 .search = SweepSearch::kBisect};
  SweepPoint brief{
      .limits = {.millicores = 1000}, .worked = true, .duration = Seconds(0.7)};
  std::vector<SweepPoint> points = {brief};
  EXPECT_EQ(NextPoint(plan, points)->millicores, 1000u);
  points.push_back(brief);
  EXPECT_EQ(NextPoint(plan, points)->millicores, 1000u);
  points.push_back(brief);  // 21 periods
  EXPECT_EQ(NextPoint(plan, points)->millicores, 500u);
  // A failure decides at once.
  brief.limits.millicores = 500;
  points.push_back(brief);
  EXPECT_EQ(NextPoint(plan, points)->millicores, 500u);
  points.back().worked = false;
  EXPECT_EQ(NextPoint(plan, points)->millicores, 700u);
}

TEST(Grid, RepeatsShortRunsUnderACpuLimit) {
  SweepPlan plan{.memory = Mebi(30, 10, 10),
                 .cpus = LimitRange{1000, 500, 500}};
  SweepPoint brief{.limits = {.memory = 30 * kMebi, .millicores = 1000},
                   .worked = true,
                   .duration = Seconds(1.1)};
  EXPECT_EQ(NextPoint(plan, {brief})->memory, 30 * kMebi);
  EXPECT_EQ(NextPoint(plan, {brief, brief})->memory, 20 * kMebi);
}

TEST(Bisection, EndsAtOnceWhenTheLargestValueFails) {
  SweepPlan plan{.memory = Mebi(100, 1, 1), .search = SweepSearch::kBisect};
  EXPECT_THAT(Play(plan, NeedsMebibytes(101)).mebibytes, ElementsAre(100));
}

// 20 periods of 0.1 s are enough, and 200 are too many to be spent on it.
TEST(NextPoint, RepeatsRunsUntilTheyCoverTwoSecondsButNotForMoreThanTwenty) {
  SweepPlan plan{.cpus = LimitRange{1000, 1000, 0}};
  auto repeats = [&](double steps, double duration) {
    SweepPoint point{.limits = {.millicores = 1000},
                     .worked = true,
                     .duration = Seconds(duration)};
    point.steps = StepTimes{.name = "s", .count = 1, .mean = Seconds(steps)};
    return NextPoint(plan, {point}).has_value();
  };
  EXPECT_TRUE(repeats(1.99, 1.99));
  EXPECT_FALSE(repeats(2, 2));
  EXPECT_TRUE(repeats(1, 19.9));
  EXPECT_FALSE(repeats(1, 20));
  EXPECT_FALSE(repeats(0, 1));  // a time of 0 is not known
  EXPECT_TRUE(repeats(0.001, 1));
}

}  // namespace
}  // namespace mete
