#include "predict/together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

// Every instance adds its application's weight to the time of all others and of
// itself: light 1 ms, heavy 10 ms.
class SumPredictor final : public ContentionPredictor {
 public:
  std::string_view method() const override { return "sum"; }
  std::vector<std::string> Applications() const override {
    return {"heavy", "light"};
  }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override {
    double sum = 0;
    for (const Tenant& tenant : tenants) {
      sum += tenant.instances * (tenant.application == "heavy" ? 0.01 : 0.001);
    }
    std::vector<TenantTimes> times(tenants.size());
    for (TenantTimes& one : times) {
      one.times[0] = PredictedTime{.time = Seconds(sum),
                                   .low = Seconds(sum / 2),
                                   .high = Seconds(sum * 2)};
    }
    return times;
  }
};

ContentionDocument SumDocument() {
  return {.device = "board",
          .errors = *ParseJson(
              R"({"service": [{"stable": {"median_relative": 0.2}},
                              {"stable": {"median_relative": 0.1}}]})"),
          .predictor = std::make_shared<SumPredictor>()};
}

TEST(ParseTenants, ReadsInstancesAndRates) {
  auto tenants = ParseTenants("a,b:2,c@5,d:3@0.5");
  ASSERT_TRUE(tenants.ok());
  ASSERT_EQ(tenants->size(), 4u);
  EXPECT_EQ((*tenants)[0].instances, 1);
  EXPECT_EQ((*tenants)[0].rate, 1);
  EXPECT_EQ((*tenants)[1].instances, 2);
  EXPECT_EQ((*tenants)[2].rate, 5);
  EXPECT_EQ((*tenants)[3].application, "d");
  EXPECT_EQ((*tenants)[3].instances, 3);
  EXPECT_EQ((*tenants)[3].rate, 0.5);
}

TEST(ParseTenants, RejectsOtherTexts) {
  for (const char* text : {"", "a,", "a:0", "a:x", "a@0", "a@-1", "a@nan", ":2",
                           "@5", "a:1.5", "a@"}) {
    auto tenants = ParseTenants(text);
    ASSERT_FALSE(tenants.ok()) << text;
    EXPECT_EQ(tenants.error().code(), ErrorCode::kInvalidInput);
  }
}

TEST(PredictTogether, SlowdownsCompareWithTheTenantAlone) {
  auto answer = PredictTogether(SumDocument(), *ParseTenants("light,heavy"));
  ASSERT_TRUE(answer.ok());
  EXPECT_NEAR(*answer->tenants[0].slowdown, 11, 1e-9);
  EXPECT_NEAR(*answer->tenants[1].slowdown, 1.1, 1e-9);
}

TEST(PredictTogether, TheBullyIsWhoseRemovalHelpsTheOthersMost) {
  auto answer =
      PredictTogether(SumDocument(), *ParseTenants("light:2,heavy,light"));
  ASSERT_TRUE(answer->bully);
  EXPECT_EQ(answer->bully->tenant, 1u);
  EXPECT_NEAR(answer->bully->relief, 13.0 / 3, 1e-9);
  answer = PredictTogether(SumDocument(), *ParseTenants("heavy"));
  EXPECT_FALSE(answer->bully);
}

TEST(PredictTogether, ReportsNameTheErrorAndTheBully) {
  auto answer = PredictTogether(SumDocument(), *ParseTenants("light@2,heavy"));
  EXPECT_EQ(TogetherText(*answer),
            "board (sum, median error 10 % on held-out mixes)\n"
            "\n"
            "service      slowdown  mean service time             p95 of its "
            "clients\n"
            "light:1@2/s     11.00  11.0 ms (5.50 ms to 22.0 ms)  -\n"
            "heavy:1@1/s      1.10  11.0 ms (5.50 ms to 22.0 ms)  -\n"
            "\n"
            "Without heavy:1@1/s, the others would be 11.00 times as fast.\n");
  EXPECT_EQ(TogetherToJson(*answer)["bully"]["application"], "heavy");
  EXPECT_THAT(TogetherCsv(*answer),
              HasSubstr("light,1,2,service mean,0.011,0.0055,0.022,0.001"));
}

// A tenant of "heavy" cannot keep up.
class SaturatedPredictor final : public ContentionPredictor {
 public:
  std::string_view method() const override { return "limit"; }
  std::vector<std::string> Applications() const override {
    return {"heavy", "light"};
  }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override {
    std::vector<TenantTimes> times(tenants.size());
    for (size_t i = 0; i < tenants.size(); ++i) {
      times[i].saturated = tenants[i].application == "heavy";
      times[i].times[0] = PredictedTime{.time = Seconds(0.01)};
      times[i].times[8] = PredictedTime{.time = Seconds(0.5),
                                        .low = Seconds(0.4),
                                        .at_least = times[i].saturated};
    }
    return times;
  }
};

TEST(PredictTogether, SaturatedTenantsHaveABoundInsteadOfAValue) {
  auto answer = PredictTogether(
      {.device = "board", .predictor = std::make_shared<SaturatedPredictor>()},
      *ParseTenants("light@2,heavy"));
  EXPECT_EQ(TogetherText(*answer),
            "board (limit)\n"
            "\n"
            "service      slowdown  mean service time  p95 of its clients\n"
            "light:1@2/s      1.00  10.0 ms            500 ms\n"
            "heavy:1@1/s      1.00  10.0 ms            saturated: at least 400 "
            "ms\n"
            "\n"
            "heavy:1@1/s would be busier than any service that kept up in the "
            "training:\n"
            "requests pile up, so times depend on how long the load lasts.\n"
            "\n"
            "Without light:1@2/s, the others would be 1.00 times as fast.\n");
  Json heavy = TogetherToJson(*answer)["tenants"][1];
  EXPECT_EQ(heavy["saturated"], true);
  EXPECT_EQ(DumpJson(heavy["together"]["sojourn"]["p95"]),
            DumpJson(Json{{"at_least", 0.4}}));
  EXPECT_THAT(TogetherCsv(*answer), HasSubstr("heavy,1,1,sojourn p95,,,,,0.4"));
  EXPECT_THAT(TogetherCsv(*answer), HasSubstr("light,1,2,sojourn p95,0.5,"));
}

}  // namespace
}  // namespace mete
