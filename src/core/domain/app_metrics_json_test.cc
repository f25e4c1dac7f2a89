#include "domain/app_metrics_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/json.h"

namespace mete {
namespace {

AppMetrics TwoMetrics() {
  return {{"decode",
           {.kind = AppMetricKind::kTimer,
            .unit = "seconds",
            .rate_hz = 29.97,
            .p50 = 0.011,
            .p95 = 0.014,
            .p99 = 0.021,
            .count = 1800,
            .dropped = 3,
            .per_second = {30, 30}}},
          {"frame", {.kind = AppMetricKind::kRate, .count = 1}}};
}

TEST(AppMetricsJson, HasTheDocumentedKeysInTheirOrder) {
  EXPECT_EQ(AppMetricsToJson(TwoMetrics()).dump(),
            R"({"decode":{"kind":"timer","unit":"seconds","rate_hz":29.97,)"
            R"("p50":0.011,"p95":0.014,"p99":0.021,"count":1800,"dropped":3},)"
            R"("frame":{"kind":"rate","count":1,"dropped":0}})");
}

TEST(AppMetricsJson, WritesAnEmptyObjectWithoutMetrics) {
  EXPECT_EQ(AppMetricsToJson({}).dump(), "{}");
}

TEST(AppMetricsJson, SurvivesARoundTripThroughText) {
  std::string text = DumpJson(AppMetricsToJson(TwoMetrics()));
  auto back = AppMetricsFromJson(*ParseJson(text));
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(DumpJson(AppMetricsToJson(*back)), text);
  EXPECT_EQ(back->at("decode").p99, 0.021);
  EXPECT_EQ(back->at("frame").rate_hz, std::nullopt);
}

TEST(AppMetricsJson, OmitsANumberThatIsNotFinite) {
  AppMetrics metrics = TwoMetrics();
  metrics["decode"].p50 = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(AppMetricsToJson(metrics)["decode"].contains("p50"));
}

TEST(AppMetricsJson, RejectsUnknownKindsByName) {
  Json json = AppMetricsToJson(TwoMetrics());
  json["frame"]["kind"] = "gauge";
  auto back = AppMetricsFromJson(json);
  ASSERT_FALSE(back.ok());
  EXPECT_EQ(back.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(back.error().message(),
            "read app metrics: frame: 'gauge' is not timer, rate or number");
}

TEST(AppMetricsJson, RejectsMissingKeysAndOtherTypes) {
  Json json = AppMetricsToJson(TwoMetrics());
  json["frame"].erase("count");
  EXPECT_FALSE(AppMetricsFromJson(json).ok());
  EXPECT_FALSE(AppMetricsFromJson(Json("text")).ok());
  EXPECT_FALSE(AppMetricsFromJson(Json{{"frame", 3}}).ok());
  EXPECT_FALSE(AppMetricsFromJson(Json::array()).ok());
}

}  // namespace
}  // namespace mete
