#include "watch/annotation_change.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(AnnotationChange, SmallDifferencesOfMeasuredNumbersDoNotCount) {
  EXPECT_TRUE(SameText("271.82", "265", 0.1));
  EXPECT_FALSE(SameText("271.82", "200", 0.1));
  EXPECT_TRUE(SameText("0.01", "0.4", 0.1));
  EXPECT_TRUE(SameText("{'mem_used': '11GB', 'max_gpu_util': 95}",
                       "{'mem_used': '11GB', 'max_gpu_util': 99}", 0.1));
  EXPECT_FALSE(
      SameText("{'cyclic_pattern': True}", "{'cyclic_pattern': False}", 0.1));
  EXPECT_FALSE(SameText("5", "5x", 0.1));
  EXPECT_FALSE(SameText("12", "", 0.1));
  EXPECT_TRUE(SameText("1e999", "1e999", 0.1));  // no number can hold it
}

TEST(AnnotationChange, NamesAndProcessIdsMustBeEqual) {
  EXPECT_FALSE(SameText("{'n1-gpu-10_util': 5}", "{'n1-gpu-11_util': 5}", 0.1));
  EXPECT_FALSE(SameText("[(18477, '11094MB')]", "[(18478, '11094MB')]", 0.1));
  EXPECT_TRUE(SameText("[(18477, '11094MB')]", "[(18477, '11100MB')]", 0.1));
}

TEST(AnnotationChange, MetricsAreComparedInRelationToTheirMaximum) {
  const char* before =
      R"({"metrics":{"cpu":{"max":2.0,"mean":0.01,"forecast":{"peak":1.9}}}})";
  EXPECT_TRUE(SameProfile(
      before,
      R"({"metrics":{"cpu":{"max":2.1,"mean":0.1,"forecast":{"peak":2}}}})",
      0.1));
  EXPECT_FALSE(SameProfile(
      before,
      R"({"metrics":{"cpu":{"max":2.0,"mean":0.5,"forecast":{"peak":1.9}}}})",
      0.1));
  EXPECT_FALSE(SameProfile(
      before, R"({"metrics":{"cpu":{"max":2.0,"mean":0.01}}})", 0.1));
}

TEST(AnnotationChange, PeriodsAreComparedInRelationToThemselves) {
  auto profile = [](const char* seconds, const char* confidence) {
    return std::string(R"({"max":1000000,"period":{"seconds":)") + seconds +
           R"(,"confidence":)" + confidence + "}}";
  };
  EXPECT_TRUE(SameProfile(profile("10", "0.9"), profile("10.4", "0.97"), 0.1));
  EXPECT_FALSE(SameProfile(profile("10", "0.9"), profile("20", "0.9"), 0.1));
  EXPECT_FALSE(SameProfile(profile("10", "0.9"), profile("10", "0.2"), 0.1));
}

TEST(AnnotationChange, TheMethodOfAForecastDoesNotCount) {
  EXPECT_TRUE(SameProfile(R"({"forecast":{"method":"a","mase":0.5}})",
                          R"({"forecast":{"method":"b"}})", 0.1));
}

TEST(AnnotationChange, AnythingElseMustBeEqual) {
  EXPECT_TRUE(SameProfile("not JSON", "not JSON", 0.1));
  EXPECT_FALSE(SameProfile("not JSON", "{}", 0.1));
  EXPECT_FALSE(SameProfile(R"({"version":1})", R"({"version":"1"})", 0.1));
  EXPECT_FALSE(SameProfile("[1]", "[1,2]", 0.1));
}

}  // namespace
}  // namespace mete
