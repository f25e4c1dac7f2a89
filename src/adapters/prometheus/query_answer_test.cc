#include "adapters/prometheus/query_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

TEST(QueryAnswer, ReadsLabelsAndValues) {
  auto samples = ParseQueryAnswer(
      R"({"status":"success","data":{"resultType":"vector","result":[)"
      R"({"metric":{"__name__":"up","instance":"rpi-1"},)"
      R"("value":[1712345678.123,"0.25"]},)"
      R"({"metric":{},"value":[1712345678.123,"1e+09"]}]}})");
  ASSERT_TRUE(samples.ok()) << samples.error().message();
  ASSERT_EQ(samples->size(), 2u);
  EXPECT_EQ((*samples)[0].name(), "up");
  EXPECT_EQ((*samples)[0].Label("instance"), "rpi-1");
  EXPECT_EQ((*samples)[0].Label("none"), "");
  EXPECT_EQ((*samples)[0].value, 0.25);
  EXPECT_EQ((*samples)[1].value, 1e9);
}

TEST(QueryAnswer, OmitsValuesThatAreNotFinite) {
  for (const char* value : {"NaN", "+Inf", "-Inf", "", "x", "1x"}) {
    auto samples = ParseQueryAnswer(
        std::string(R"({"status":"success","data":{"resultType":"vector",)"
                    R"("result":[{"metric":{},"value":[1,")") +
        value + R"("]}]}})");
    ASSERT_TRUE(samples.ok()) << value;
    EXPECT_TRUE(samples->empty()) << value;
  }
}

TEST(QueryAnswer, ContainsTheMessageOfARejection) {
  auto samples = ParseQueryAnswer(
      R"({"status":"error","errorType":"timeout","error":"query timed out"})");
  EXPECT_EQ(samples.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(samples.error().message(), HasSubstr("query timed out"));
}

TEST(QueryAnswer, AnythingElseIsCorrupt) {
  for (
      const char* body :
      {"", "<html>", "[]", "{}", R"({"status":1})", R"({"status":"success"})",
       R"({"status":"success","data":{"resultType":"matrix","result":[]}})",
       R"({"status":"success","data":{"resultType":"vector","result":[1]}})",
       R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":1},"value":[1,"1"]}]}})",
       R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{}}]}})"}) {
    EXPECT_EQ(ParseQueryAnswer(body).error().code(), ErrorCode::kCorrupt)
        << body;
  }
}

}  // namespace
}  // namespace mete
