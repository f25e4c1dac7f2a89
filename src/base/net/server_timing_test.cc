#include "net/server_timing.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(ServerTiming, ReadsServiceAndQueueTimesInMilliseconds) {
  ServerTiming timing = ParseServerTiming("service;dur=12.5, queue;dur=3");
  EXPECT_DOUBLE_EQ(timing.service.value().count(), 0.0125);
  EXPECT_DOUBLE_EQ(timing.queue.value().count(), 0.003);
}

TEST(ServerTiming, IgnoresOtherMetricsAndParameters) {
  ServerTiming timing =
      ParseServerTiming("db;dur=53, cache;desc=\"x\" , service;desc=a; dur=1");
  EXPECT_DOUBLE_EQ(timing.service.value().count(), 0.001);
  EXPECT_FALSE(timing.queue.has_value());
}

TEST(ServerTiming, TakesTheFirstOfTwoMetricsWithOneName) {
  EXPECT_DOUBLE_EQ(
      ParseServerTiming("service;dur=1,service;dur=2").service.value().count(),
      0.001);
}

TEST(ServerTiming, LeavesOutWhatIsNoDuration) {
  for (const char* field :
       {"", "service", "service;", "service;dur",
        "service;dur=", "service;dur=x", "service;dur=-1", "service;dur=inf",
        "service;dur=nan", ",,;;,", "service;;;=,"}) {
    EXPECT_EQ(ParseServerTiming(field), ServerTiming{}) << field;
  }
}

TEST(ServerTiming, FormatsWhatItParses) {
  ServerTiming timing{.service = Seconds(0.0125), .queue = Seconds(0.5)};
  EXPECT_EQ(FormatServerTiming(timing),
            "service;dur=12.500000, queue;dur=500.000000");
  EXPECT_EQ(ParseServerTiming(FormatServerTiming(timing)), timing);
  EXPECT_EQ(FormatServerTiming({}), "");
}

TEST(ServerTiming, ADurationMayBeZero) {
  EXPECT_EQ(ParseServerTiming("queue;dur=0").queue, Seconds(0));
  EXPECT_EQ(ParseServerTiming("queue;x=1;dur=2").queue, Seconds(0.002));
  EXPECT_EQ(ParseServerTiming("queue;dur=1,queue;dur=2").queue, Seconds(0.001));
}

}  // namespace
}  // namespace mete
