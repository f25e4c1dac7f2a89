#include "sweep/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::SizeIs;

SweepPoint Point(uint64_t memory, uint64_t millicores, double seconds,
                 bool worked = true) {
  return {.limits = {.memory = memory, .millicores = millicores},
          .worked = worked,
          .duration = Seconds(seconds)};
}

TEST(Floor, IsTheSmallestValueAboveTheHighestFailure) {
  Floor floor = FindFloor({{10, {.failed = 1}},
                           {20, {.worked = 1}},  // luck
                           {30, {.worked = 1, .failed = 1}},
                           {40, {.worked = 3}},
                           {50, {.worked = 1}}},
                          SweepSearch::kBisect);
  EXPECT_EQ(floor.smallest, 40u);
  EXPECT_EQ(floor.runs, 3u);
  EXPECT_EQ(floor.fails, 30u);
}

TEST(Floor, LinearSweepSkipsACrashAndEndsAtTheLimit) {
  Tallies tallies = {{10, {.failed = 1, .ran_dry = 1}},
                     {20, {.worked = 1}},
                     {30, {.failed = 1}},
                     {40, {.worked = 1}}};
  EXPECT_EQ(FindFloor(tallies, SweepSearch::kLinear).smallest, 20u);
  EXPECT_EQ(FindFloor(tallies, SweepSearch::kLinear).fails, 10u);
  EXPECT_EQ(FindFloor(tallies, SweepSearch::kBisect).smallest, 40u);
  tallies.erase(10);
  tallies.erase(20);
  EXPECT_EQ(FindFloor(tallies, SweepSearch::kLinear).smallest, 40u);
  EXPECT_EQ(FindFloor(tallies, SweepSearch::kLinear).fails, 30u);
}

TEST(Floor, IsAbsentWhenNothingWorks) {
  Floor floor = FindFloor({{10, {.failed = 1}}, {20, {.failed = 1}}},
                          SweepSearch::kLinear);
  EXPECT_FALSE(floor.smallest.has_value());
  EXPECT_EQ(floor.fails, 20u);
}

TEST(Floor, CountsTheRunsThatFailed) {
  Floor floor = FindFloor({{10, {.failed = 5}},
                           {20, {.worked = 3, .failed = 2}},
                           {30, {.worked = 4}}},
                          SweepSearch::kBisect);
  EXPECT_EQ(floor.smallest, 30u);
  EXPECT_EQ(floor.runs, 4u);
  EXPECT_EQ(floor.fails, 20u);
  EXPECT_EQ(floor.failed_runs, 2u);
  EXPECT_EQ(floor.tried_runs, 5u);
}

// Nothing has worked yet, so the crash says nothing about smaller values.
TEST(Floor, LinearSweepDoesNotSkipACrashOfTheLargestValue) {
  Floor floor = FindFloor({{30, {.worked = 1}}, {40, {.failed = 1}}},
                          SweepSearch::kLinear);
  EXPECT_FALSE(floor.smallest);
  EXPECT_EQ(floor.fails, 40u);
}

TEST(SweepAnswer, IsConfirmedByAsManyRunsAsThePlanRequires) {
  Sweep sweep{.plan = {.memory = LimitRange{20, 10, 10},
                       .search = SweepSearch::kBisect,
                       .confirm = 2},
              .points = {Point(20, 0, 1), Point(10, 0, 1, false)}};
  for (SweepPoint& point : sweep.points) point.limits.millicores.reset();
  EXPECT_FALSE(ComputeAnswer(sweep).confirmed);
  sweep.points.push_back(sweep.points[0]);
  EXPECT_TRUE(ComputeAnswer(sweep).confirmed);
  sweep.points.pop_back();
  sweep.plan.search = SweepSearch::kLinear;  // repeat 1
  EXPECT_TRUE(ComputeAnswer(sweep).confirmed);
  sweep.points[0].worked = false;
  EXPECT_FALSE(ComputeAnswer(sweep).confirmed);
}

TEST(SweepAnswer, LeavesOutTimesBelowTheFloor) {
  auto of_cpus = [](uint64_t millicores, bool worked) {
    SweepPoint point = Point(0, millicores, 5, worked);
    point.limits.memory.reset();
    return point;
  };
  Sweep sweep{.plan = {.cpus = LimitRange{400, 100, 100},
                       .search = SweepSearch::kBisect},
              .points = {of_cpus(400, true), of_cpus(300, true),
                         of_cpus(200, false), of_cpus(100, true)}};
  SweepAnswer answer = ComputeAnswer(sweep);
  EXPECT_EQ(answer.cpus->smallest, 300u);
  ASSERT_THAT(answer.times, SizeIs(2));
  EXPECT_EQ(answer.times[0].millicores, 400u);
  EXPECT_EQ(answer.times[1].millicores, 300u);
}

TEST(SweepAnswer, HasTheFloorAtEachCpuLimit) {
  Sweep sweep{.plan = {.memory = LimitRange{30, 10, 10},
                       .cpus = LimitRange{1000, 500, 500}},
              .points = {Point(30, 1000, 1), Point(20, 1000, 1),
                         Point(10, 1000, 1, false), Point(30, 500, 2),
                         Point(20, 500, 2, false)}};
  SweepAnswer answer = ComputeAnswer(sweep);
  ASSERT_THAT(answer.memory, SizeIs(2));
  EXPECT_EQ(answer.memory[0].millicores, 1000u);
  EXPECT_EQ(answer.memory[0].floor.smallest, 20u);
  EXPECT_EQ(answer.memory[1].floor.smallest, 30u);
  EXPECT_TRUE(answer.confirmed);
}

TEST(SweepAnswer, FrontContainsOnlyUnbeatenPoints) {
  Sweep sweep{.plan = {.memory = LimitRange{30, 10, 10},
                       .cpus = LimitRange{1000, 500, 500}},
              .points = {Point(30, 1000, 1.0), Point(20, 1000, 1.0),
                         Point(20, 500, 2.0), Point(30, 500, 2.5),
                         Point(10, 500, 9, false)}};
  sweep.points.push_back(Point(20, 500, 3.0));  // a repeat
  EXPECT_THAT(ComputeAnswer(sweep).front,
              ElementsAre(FieldsAre(1, 1.0, true), FieldsAre(2, 2.5, false)));
}

TEST(SweepAnswer, StepsThatWaitForThePeriodAreBimodal) {
  SweepPoint fast = Point(0, 1000, 1);
  fast.limits.memory.reset();
  fast.steps = StepTimes{"inference", 100, Seconds(0.010), Seconds(0.010),
                         Seconds(0.011)};
  SweepPoint waits = fast;
  waits.limits.millicores = 250;
  waits.throttled = 0.9;
  waits.steps = StepTimes{"inference", 100, Seconds(0.040), Seconds(0.010),
                          Seconds(0.085)};
  Sweep sweep{.plan = {.cpus = LimitRange{1000, 250, 250}},
              .points = {fast, waits}};
  SweepAnswer answer = ComputeAnswer(sweep);
  ASSERT_THAT(answer.times, SizeIs(2));
  EXPECT_FALSE(answer.times[0].bimodal);
  EXPECT_TRUE(answer.times[1].bimodal);
  EXPECT_DOUBLE_EQ(answer.times[1].time.seconds, 0.040);
  EXPECT_EQ(answer.cpus->smallest, 250u);
  // One step in a thousand waits.
  sweep.points[1].steps->p99 = Seconds(0.011);
  EXPECT_TRUE(ComputeAnswer(sweep).times[1].bimodal);
}

// A step time with its interval, long enough for any CPU limit.
SweepPoint Stepped(uint64_t memory, uint64_t millicores, double low,
                   double high) {
  SweepPoint point = Point(memory, millicores, 5);
  if (memory == 0) point.limits.memory.reset();
  double mean = (low + high) / 2;
  point.steps = StepTimes{.name = "inference",
                          .count = static_cast<uint64_t>(5 / mean),
                          .mean = Seconds(mean),
                          .p50 = Seconds(mean),
                          .p99 = Seconds(mean),
                          .mean_low = Seconds(low),
                          .mean_high = Seconds(high)};
  return point;
}

TEST(SweepAnswer, NamesEveryLimitThatMayBeTheFastest) {
  Sweep sweep{
      .plan = {.cpus = LimitRange{1000, 100, 100}},
      .points = {Stepped(0, 1000, 0.009, 0.012), Stepped(0, 400, 0.008, 0.010),
                 Stepped(0, 100, 0.090, 0.110)}};
  EXPECT_THAT(ComputeAnswer(sweep).fastest, ElementsAre(1000u, 400u));
  sweep.points[0] = Stepped(0, 1000, 0.004, 0.005);
  EXPECT_THAT(ComputeAnswer(sweep).fastest, ElementsAre(1000u));
}

// A single run without steps has no interval; beside runs that have one, it
// proves nothing.
TEST(SweepAnswer, NamesTheLimitsThatWereNotCompared) {
  Sweep sweep{.plan = {.cpus = LimitRange{1000, 100, 100}},
              .points = {Stepped(0, 1000, 0.009, 0.012),
                         Stepped(0, 400, 0.008, 0.010)}};
  EXPECT_THAT(ComputeAnswer(sweep).not_compared, testing::IsEmpty());
  sweep.points[1].steps.reset();
  SweepAnswer answer = ComputeAnswer(sweep);
  EXPECT_THAT(answer.not_compared, ElementsAre(400u));
  EXPECT_THAT(answer.fastest, ElementsAre(1000u));
  EXPECT_THAT(answer.times, SizeIs(2));
  sweep.points[0].steps.reset();
  answer = ComputeAnswer(sweep);
  EXPECT_THAT(answer.not_compared, testing::IsEmpty());
  EXPECT_THAT(answer.fastest, ElementsAre(1000u, 400u));
}

TEST(SweepAnswer, StepsThatNeverWaitAreNotBimodal) {
  SweepPoint point = Stepped(0, 250, 0.009, 0.011);
  point.throttled = 0.9;
  point.steps->p50 = Seconds(0.01);
  point.steps->p99 = Seconds(0.02);  // twice as long is not longer than that
  Sweep sweep{.plan = {.cpus = LimitRange{250, 250, 250}}, .points = {point}};
  EXPECT_FALSE(ComputeAnswer(sweep).times[0].bimodal);
  sweep.points[0].steps->p99 = Seconds(0.021);
  EXPECT_TRUE(ComputeAnswer(sweep).times[0].bimodal);
  sweep.points[0].throttled = 0;
  EXPECT_FALSE(ComputeAnswer(sweep).times[0].bimodal);
  sweep.points[0].throttled.reset();
  EXPECT_FALSE(ComputeAnswer(sweep).times[0].bimodal);
}

TEST(SweepAnswer, EstimatesTheTimeAtTheLimitsOfEachRun) {
  Sweep sweep{.points = {Point(20, 1000, 4), Point(10, 1000, 9, false),
                         Point(20, 1000, 6)}};
  auto times = EstimateTimes(sweep);
  ASSERT_THAT(times, SizeIs(3));
  EXPECT_DOUBLE_EQ(times[0]->seconds, 5);
  EXPECT_FALSE(times[1]);
  EXPECT_DOUBLE_EQ(times[2]->seconds, 5);
}

TEST(SweepAnswer, IsEmptyWithoutRuns) {
  SweepAnswer answer =
      ComputeAnswer({.plan = {.memory = LimitRange{20, 10, 10}}});
  EXPECT_THAT(answer.memory, testing::IsEmpty());
  EXPECT_FALSE(answer.confirmed);
  EXPECT_THAT(answer.fastest, testing::IsEmpty());
}

TEST(SweepAnswer, MarksFrontPointsThatMayNotBelongToIt) {
  Sweep sweep{
      .plan = {.memory = LimitRange{30, 10, 10},
               .cpus = LimitRange{1000, 500, 500}},
      .points = {Stepped(30, 1000, 0.009, 0.011),
                 Stepped(20, 1000, 0.010, 0.012),
                 Stepped(20, 500, 0.019, 0.021), Stepped(30, 500, 0.020, 0.024),
                 Stepped(40, 500, 0.030, 0.034)}};
  SweepAnswer answer = ComputeAnswer(sweep);
  EXPECT_THAT(answer.front, ElementsAre(FieldsAre(0, testing::_, true),
                                        FieldsAre(1, testing::_, false),
                                        FieldsAre(2, testing::_, false)));
  EXPECT_THAT(answer.near_front, ElementsAre(FieldsAre(3, testing::_, true)));
}

}  // namespace
}  // namespace mete
