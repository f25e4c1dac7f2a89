#include "contend/service_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Body(const std::string& service, const std::string& queueing) {
  return R"({"uid":"r1","service_times":)" + service +
         R"(,"arrival_times":[10,11],"departure_times":[10.5,11.5],)"
         R"("interarrival_times":[null,1],"queueing_times":)" +
         queueing + R"(,"queue_lens":[0,3],"dropped":0})";
}

TEST(ParseServiceTimes, ReadsEveryList) {
  auto times = ParseServiceTimes(Body("[0.5,0.25]", "[0,0.1]"));
  ASSERT_TRUE(times.ok()) << times.error().message();
  EXPECT_EQ(times->uid, "r1");
  EXPECT_THAT(times->service, ElementsAre(0.5, 0.25));
  EXPECT_THAT(times->arrival, ElementsAre(10, 11));
  EXPECT_THAT(times->departure, ElementsAre(10.5, 11.5));
  EXPECT_THAT(times->queueing, ElementsAre(0, 0.1));
  EXPECT_THAT(times->queue_lengths, ElementsAre(0, 3));
}

TEST(ParseServiceTimes, TheFirstRequestHasNoInterArrivalTime) {
  auto times = ParseServiceTimes(Body("[0.5,0.25]", "[0,0.1]"));
  ASSERT_TRUE(times.ok());
  EXPECT_THAT(times->interarrival, ElementsAre(0, 1));
  EXPECT_FALSE(ParseServiceTimes(Body("[0.5,null]", "[0,0.1]")).ok());
}

TEST(ParseServiceTimes, RejectsListsOfDifferentLength) {
  auto times = ParseServiceTimes(Body("[0.5,0.25]", "[0]"));
  ASSERT_FALSE(times.ok());
  EXPECT_EQ(times.error().code(), ErrorCode::kCorrupt);
  EXPECT_THAT(times.error().message(), HasSubstr("queueing_times"));
}

TEST(ParseServiceTimes, RejectsNegativeTimesAndOtherTypes) {
  EXPECT_FALSE(ParseServiceTimes(Body("[0.5,-1]", "[0,0]")).ok());
  EXPECT_FALSE(ParseServiceTimes(Body("[0.5,\"1\"]", "[0,0]")).ok());
  EXPECT_FALSE(ParseServiceTimes("[]").ok());
  EXPECT_FALSE(ParseServiceTimes("").ok());
}

}  // namespace
}  // namespace mete
