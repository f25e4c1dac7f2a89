#include "analyze/right_sizing.h"

#include <gtest/gtest.h>

#include "analyze/test_usage.h"

namespace mete {
namespace {

TimeSeries ConstantUsage(size_t count, double value) {
  return TestUsage(count, 60, [=](double) { return value; });
}

TEST(RightSizing, WhatWasNotMeasuredIsAbsent) {
  const RightSizing sizing = FindRightSizing({}, {});
  EXPECT_FALSE(sizing.cpu);
  EXPECT_FALSE(sizing.memory);
}

TEST(RightSizing, MoreHistoryMeansMoreConfidenceAndLessMargin) {
  const auto hour = FindRightSizing({.cpu = ConstantUsage(60, 1)}, {});
  const auto week =
      FindRightSizing({.cpu = ConstantUsage(size_t{7} * 1440, 1)}, {});
  EXPECT_LT(hour.cpu->confidence, 0.1);
  EXPECT_NEAR(week.cpu->confidence, 0.875, 0.01);
  EXPECT_GT(hour.cpu->request, week.cpu->request);
  EXPECT_GE(week.cpu->request, 1.15);
  EXPECT_LE(week.cpu->request, 1.3);
}

TEST(RightSizing, StartUpSpikesOfTheCpuDoNotCount) {
  TimeSeries cpu =
      TestUsage(600, 60, [](double t) { return t < 120 ? 8.0 : 1.0; });
  const auto sizing = FindRightSizing({.cpu = cpu}, {});
  EXPECT_DOUBLE_EQ(sizing.cpu->peak, 1);
  EXPECT_LT(sizing.cpu->limit, 2);
  EXPECT_EQ(sizing.notes.size(), 1u);
}

TEST(RightSizing, MemoryCoversThePeakEvenAtStartUp) {
  TimeSeries memory =
      TestUsage(600, 60, [](double t) { return t < 120 ? 4e9 : 1e9; });
  const auto sizing = FindRightSizing({.memory = memory}, {});
  EXPECT_GT(sizing.memory->limit, 4e9);
  EXPECT_LT(sizing.memory->request, 4e9);
}

TEST(RightSizing, RunningOutOfMemoryRaisesTheRequest) {
  const JobEvents events{
      .out_of_memory = {{.time = kTestStart, .limit = Gibibytes(2)}}};
  const auto sizing =
      FindRightSizing({.memory = ConstantUsage(600, 1e9)}, events);
  EXPECT_GE(sizing.memory->request, 1.2 * 2147483648);
  EXPECT_GE(sizing.memory->limit, sizing.memory->request);
  EXPECT_EQ(sizing.notes.at(0),
            "memory: raised after running out of memory at 2.0 GiB");
}

TEST(RightSizing, OldUsageCountsLess) {
  TimeSeries cpu = TestUsage(size_t{14} * 1440, 60, [](double t) {
    return t < 4 * 86400 ? 4.0 : 1.0;
  });
  EXPECT_LT(FindRightSizing({.cpu = cpu}, {}).cpu->request, 1.4);
}

}  // namespace
}  // namespace mete
