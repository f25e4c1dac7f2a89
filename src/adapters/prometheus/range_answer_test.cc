#include "adapters/prometheus/range_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

std::string Matrix(const std::string& results) {
  return R"({"status":"success","data":{"resultType":"matrix","result":[)" +
         results + "]}}";
}

TEST(RangeAnswer, ReadsLabelsTimesAndValues) {
  std::string body =
      Matrix(R"({"metric":{"pod":"a","x":"q\"\u00e4"},)"
             R"("values":[[1700000000,"1"],[1700000001.5,"2.5e+3"]]},)"
             R"({"metric":{},"values":[[1700000000,"-4"]]})");
  auto set = ParseRangeAnswer(body);
  ASSERT_TRUE(set.ok()) << set.error().message();
  ASSERT_EQ(set->size(), 2u);
  EXPECT_EQ((*set)[0].Label("pod"), "a");
  EXPECT_EQ((*set)[0].Label("x"), "q\"ä");
  EXPECT_EQ((*set)[0].Label("none"), "");
  EXPECT_THAT((*set)[0].times,
              ElementsAre(WallTime(milliseconds(1700000000000)),
                          WallTime(milliseconds(1700000001500))));
  EXPECT_THAT((*set)[0].values, ElementsAre(1, 2500));
  EXPECT_THAT((*set)[1].values, ElementsAre(-4));
}

TEST(RangeAnswer, GapsStayGaps) {
  std::string body = Matrix(
      R"({"metric":{},"values":[[10,"1"],[11,"NaN"],[12,"+Inf"],[20,"2"]]},)"
      R"({"metric":{"pod":"never"},"values":[[10,"NaN"]]})");
  auto set = ParseRangeAnswer(body);
  ASSERT_TRUE(set.ok()) << set.error().message();
  ASSERT_EQ(set->size(), 1u);
  EXPECT_THAT((*set)[0].times, ElementsAre(WallTime(milliseconds(10000)),
                                           WallTime(milliseconds(20000))));
  EXPECT_THAT((*set)[0].values, ElementsAre(1, 2));
}

TEST(RangeAnswer, TimesThatOverflowAreLeftOut) {
  std::string body =
      Matrix(R"({"metric":{},"values":[[-9.1e9,"1"],[9e9,"2"],[9.1e9,"3"],)"
             R"([1e10,"4"],[1e300,"5"]]})");
  auto set = ParseRangeAnswer(body);
  ASSERT_TRUE(set.ok()) << set.error().message();
  EXPECT_THAT((*set)[0].values, ElementsAre(2));
  EXPECT_THAT((*set)[0].times,
              ElementsAre(WallTime(milliseconds(9'000'000'000'000))));
}

// They are copied for every query and every round.
TEST(RangeAnswer, RefusesLabelsOfMegabytes) {
  auto with_label = [](size_t length) {
    std::string body =
        Matrix(R"({"metric":{"pod":")" + std::string(length, 'x') +
               R"("},"values":[[10,"1"]]})");
    return ParseRangeAnswer(body);
  };
  EXPECT_TRUE(with_label(16 * 1024).ok());
  EXPECT_EQ(with_label(16 * 1024 + 1).error().code(), ErrorCode::kCorrupt);
}

TEST(RangeAnswer, AcceptsKeysInAnyOrder) {
  std::string body =
      R"({"data":{"result":[{"values":[[1,"2"]],"metric":{"a":"b"}}],)"
      R"("resultType":"matrix"},"isPartial":false,"status":"success"})";
  auto set = ParseRangeAnswer(body);
  ASSERT_TRUE(set.ok()) << set.error().message();
  EXPECT_EQ(set->at(0).Label("a"), "b");
}

TEST(RangeAnswer, AnythingElseIsCorrupt) {
  for (
      const char* text :
      {"", "<html>", "[]", "{}", R"({"status":"error"})",
       R"({"status":"success"})",
       R"({"status":"success","data":{"resultType":"vector","result":[]}})",
       R"({"status":"success","data":{"resultType":"matrix","result":[1]}})",
       R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":1},"values":[]}]}})",
       R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1]]}]}})",
       R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[]]}]}})",
       R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2",3]]}]}})",
       R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"]]})"}) {
    std::string body = text;
    auto set = ParseRangeAnswer(body);
    ASSERT_FALSE(set.ok()) << text;
    EXPECT_EQ(set.error().code(), ErrorCode::kCorrupt) << text;
  }
}

TEST(RangeAnswer, FindsTheReasonOfARejection) {
  std::string body =
      R"({"status":"error","errorType":"bad_data","error":"parse\nerror"})";
  EXPECT_EQ(RejectionText(body), "parse error");
  for (const char* text : {"", "<html>", "{}", R"({"error":5})"}) {
    std::string other = text;
    EXPECT_EQ(RejectionText(other), "") << text;
  }
}

}  // namespace
}  // namespace mete
