#include "linux/pressure.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::microseconds;

TEST(PressureTest, HasSharesAndATotal) {
  Pressure io = ParsePressure(
      "some avg10=55.40 avg60=52.02 avg300=47.55 total=9285924813\n"
      "full avg10=0.00 avg60=0.00 avg300=0.25 total=29385450\n");
  ASSERT_TRUE(io.some && io.full);
  EXPECT_DOUBLE_EQ(io.some->last_10s, 0.554);
  EXPECT_DOUBLE_EQ(io.some->last_60s, 0.5202);
  EXPECT_DOUBLE_EQ(io.full->last_300s, 0.0025);
  EXPECT_EQ(io.some->total, microseconds(9285924813));
  EXPECT_EQ(io.full->total, microseconds(29385450));
}

TEST(PressureTest, HasNoFullWhereTheKernelReportsNone) {
  Pressure cpu = ParsePressure("some avg10=1.00 avg60=0 avg300=0 total=5\n");
  EXPECT_TRUE(cpu.some.has_value());
  EXPECT_FALSE(cpu.full.has_value());
}

TEST(PressureTest, IsAbsentForAnEmptyTextOrHalfALine) {
  EXPECT_FALSE(ParsePressure("some avg10=1.00 avg60=0.5\n").some.has_value());
  EXPECT_FALSE(ParsePressure("").some.has_value());
}

TEST(PressureTest, IsAbsentIfAnyOfItsNumbersIs) {
  auto some = [](const char* text) {
    return ParsePressure(text).some.has_value();
  };
  EXPECT_TRUE(some("some avg10=1 avg60=2 avg300=3 total=4\n"));
  EXPECT_FALSE(some("some avg10=x avg60=2 avg300=3 total=4\n"));
  EXPECT_FALSE(some("some avg10=1 avg60=x avg300=3 total=4\n"));
  EXPECT_FALSE(some("some avg10=1 avg60=2 avg300=x total=4\n"));
  EXPECT_FALSE(some("some avg10=1 avg60=2 avg300=3 total=x\n"));
  EXPECT_FALSE(some("some avg10=1 avg60=2 avg300=3 total\n"));
  EXPECT_FALSE(some("some avg10=1 avg60=2 avg300=3 total:4\n"));
  EXPECT_FALSE(some("some avg10=1 avg60=2 avg300=3 sumto=4\n"));
}

}  // namespace
}  // namespace mete
