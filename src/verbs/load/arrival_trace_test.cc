#include <gtest/gtest.h>

#include "load/arrival_schedule.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using Times = std::vector<std::chrono::nanoseconds>;

TEST(ArrivalTrace, ReadsTimesAndGaps) {
  const Times expected{milliseconds(500), milliseconds(600),
                       milliseconds(1600)};
  for (const char* text :
       {"0.5\n0.6\n1.6\n", "arrival_s\n0.5\n\n0.6 # late\r\n1.6",
        "# a comment\ngap_s\n0.5\n0.1\n1\n"}) {
    auto schedule = ParseArrivalTrace(text);
    ASSERT_TRUE(schedule.ok()) << text << schedule.error().message();
    EXPECT_EQ(schedule->times, expected) << text;
  }
}

TEST(ArrivalTrace, EndsOneMeanGapAfterTheLastArrival) {
  EXPECT_EQ(ParseArrivalTrace("1\n2\n5\n")->window, milliseconds(7000));
  EXPECT_EQ(ParseArrivalTrace("3")->window, milliseconds(4000));
}

TEST(ArrivalTrace, GivenWindowCutsOffLaterArrivals) {
  auto schedule = ParseArrivalTrace("1\n2\n3\n", Seconds(2));
  EXPECT_EQ(schedule->times, Times{milliseconds(1000)});
  EXPECT_EQ(schedule->window, milliseconds(2000));
  EXPECT_FALSE(ParseArrivalTrace("1\n", Seconds(0.5)).ok());
}

TEST(ArrivalTrace, NamesTheLineThatIsWrong) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& wrong :
       {Case{"1\nx\n", "line 2: expected a number of seconds"},
        Case{"1\n\n0.5\n", "line 3: arrival times must not decrease"},
        Case{"-1\n", "line 1: a time cannot be negative"},
        Case{"1\ngap_s\n", "line 2: expected a number of seconds"},
        Case{"nan\n", "line 1: expected a number of seconds"},
        Case{"1e9\n",
             "line 1: arrivals must lie within a day; is the unit right?"},
        Case{"", "no arrival times"}, Case{"gap_s\n", "no arrival times"}}) {
    auto schedule = ParseArrivalTrace(wrong.text);
    ASSERT_FALSE(schedule.ok()) << wrong.text;
    EXPECT_EQ(schedule.error().message(), wrong.message);
    EXPECT_EQ(schedule.error().code(), ErrorCode::kInvalidInput);
  }
}

TEST(ArrivalTrace, WritesWhatItReads) {
  auto poisson = PoissonArrivals({.rate = 300, .window = Seconds(3)});
  auto again = ParseArrivalTrace(FormatArrivalTrace(*poisson), Seconds(3));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->times, poisson->times);
}

}  // namespace
}  // namespace mete
