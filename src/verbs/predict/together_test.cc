#include "predict/together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

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

// Its weights are so large that times overflow.
class DamagedPredictor final : public ContentionPredictor {
 public:
  explicit DamagedPredictor(PredictedTime time) : time_(time) {}
  std::string_view method() const override { return "damaged"; }
  std::vector<std::string> Applications() const override { return {"a"}; }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override {
    std::vector<TenantTimes> times(tenants.size());
    for (TenantTimes& one : times) one.times[3] = time_;
    return times;
  }

 private:
  PredictedTime time_;
};

TEST(PredictTogether, RefusesTimesThatAreNone) {
  const Seconds one(1);
  const Seconds infinite(std::numeric_limits<double>::infinity());
  const Seconds nan(std::numeric_limits<double>::quiet_NaN());
  for (const PredictedTime& time :
       {PredictedTime{.time = infinite}, PredictedTime{.time = nan},
        PredictedTime{.time = Seconds(-1)},
        PredictedTime{.time = Seconds(1e300)},
        PredictedTime{.time = one, .low = nan, .high = one},
        PredictedTime{.time = one, .low = one, .high = infinite}}) {
    auto answer =
        PredictTogether({.device = "board",
                         .predictor = std::make_shared<DamagedPredictor>(time)},
                        *ParseTenants("a"));
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code(), ErrorCode::kCorrupt);
  }
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

TEST(ParseTenants, LimitsInstancesAndRates) {
  EXPECT_TRUE(ParseTenants("a:1000@1000000").ok());
  EXPECT_EQ(ParseTenants("a:1001").error().message(),
            "'a:1001': there may be at most 1000 instances");
  EXPECT_EQ(ParseTenants("a@1000001").error().message(),
            "'a@1000001': the rate may be at most 1000000/s");
  EXPECT_TRUE(ParseTenants("a:1@0.001").ok());
  EXPECT_EQ(ParseTenants("a:0").error().message(),
            "'a:0' is not APP[:INSTANCES][@RATE], as in cnn:2@8");
}

TEST(PredictTogether, JsonHasEveryTenantTogetherAndAlone) {
  auto answer = PredictTogether(SumDocument(), *ParseTenants("light@2,heavy"));
  const Json json = TogetherToJson(*answer);
  EXPECT_EQ(json["device"], "board");
  EXPECT_EQ(json["method"], "sum");
  EXPECT_EQ(json["median_relative_error"], 0.1);
  ASSERT_EQ(json["tenants"].size(), 2u);
  const Json& light = json["tenants"][0];
  EXPECT_EQ(light["application"], "light");
  EXPECT_EQ(light["instances"], 1);
  EXPECT_EQ(light["rate"], 2.0);
  EXPECT_NEAR(light["slowdown"], 11, 1e-9);
  const Json& mean = light["together"]["service"]["mean"];
  EXPECT_NEAR(mean["seconds"], 0.011, 1e-12);
  EXPECT_NEAR(mean["low"], 0.0055, 1e-12);
  EXPECT_NEAR(mean["high"], 0.022, 1e-12);
  EXPECT_EQ(light["together"].size(), 1u);  // the other times are not known
  EXPECT_NEAR(light["alone"]["service"]["mean"]["seconds"], 0.001, 1e-12);
  EXPECT_EQ(json["bully"]["tenant"], 1);
  EXPECT_NEAR(json["bully"]["relief"], 11, 1e-9);
}

TEST(PredictTogether, CsvHasALineForEachTimeThatIsKnown) {
  auto answer = PredictTogether(SumDocument(), *ParseTenants("light:2,heavy"));
  EXPECT_EQ(TogetherCsv(*answer),
            "application,instances,rate,time,together_s,low_s,high_s,alone_s,"
            "at_least_s\n"
            "light,2,1,service mean,0.012,0.006,0.024,0.002,\n"
            "heavy,1,1,service mean,0.012,0.006,0.024,0.01,\n");
}

// Other programs may have written anything into the document.
TEST(PredictTogether, TheErrorIsTheLeastThatCanBeRead) {
  auto error = [](const char* errors) {
    ContentionDocument document = SumDocument();
    document.errors = *ParseJson(errors);
    return PredictTogether(document, *ParseTenants("light"))->median_error;
  };
  EXPECT_EQ(error(R"({"service": [5, {"stable": 5}, {},
                      {"stable": {"median_relative": "x"}},
                      {"stable": {"median_relative": 0.3}},
                      {"stable": {"median_relative": 0.4}}]})"),
            0.3);
  EXPECT_FALSE(error(R"({"service": []})"));
  EXPECT_FALSE(error(R"({"service": 5})"));
  EXPECT_FALSE(error(R"({"sojourn": []})"));
}

TEST(PredictTogether, WithoutAnErrorTheTextHasNone) {
  ContentionDocument document = SumDocument();
  document.errors = Json::object();
  auto answer = PredictTogether(document, *ParseTenants("light"));
  EXPECT_THAT(TogetherText(*answer), testing::StartsWith("board (sum)\n\n"));
  EXPECT_THAT(TogetherText(*answer), testing::Not(HasSubstr("Without")));
  EXPECT_FALSE(TogetherToJson(*answer).contains("bully"));
  EXPECT_FALSE(TogetherToJson(*answer).contains("median_relative_error"));
}

// Knows nothing of "odd"; fails for a heavy tenant that is alone.
class PartialPredictor final : public ContentionPredictor {
 public:
  std::string_view method() const override { return "partial"; }
  std::vector<std::string> Applications() const override { return {}; }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override {
    if (tenants.size() == 1 && tenants[0].application == "heavy") {
      return Unavailable("heavy alone");
    }
    std::vector<TenantTimes> times(tenants.size());
    for (size_t i = 0; i < times.size(); ++i) {
      if (tenants[i].application == "odd") continue;
      times[i].times[0] = PredictedTime{
          .time = Seconds(0.01 * static_cast<double>(tenants.size()))};
    }
    return times;
  }
};

TEST(PredictTogether, UnknownTimesHaveNoSlowdown) {
  ContentionDocument document = SumDocument();
  document.predictor = std::make_shared<PartialPredictor>();
  auto answer = PredictTogether(document, *ParseTenants("odd,light,light"));
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_FALSE(answer->tenants[0].slowdown);
  EXPECT_NEAR(*answer->tenants[1].slowdown, 3, 1e-9);
  EXPECT_THAT(TogetherText(*answer), HasSubstr("odd:1@1/s           -  -"));
  EXPECT_THAT(TogetherText(*answer), HasSubstr("3.00  30.0 ms  "));
  EXPECT_EQ(TogetherToJson(*answer)["tenants"][0]["together"], Json::object());
  EXPECT_FALSE(
      TogetherToJson(*answer)["tenants"][1]["together"]["service"]["mean"]
          .contains("low"));
  // Each of the three relieves the others by the same factor.
  EXPECT_EQ(answer->bully->tenant, 0u);
  EXPECT_NEAR(answer->bully->relief, 1.5, 1e-9);
}

TEST(PredictTogether, WhereNoTimesAreKnownNobodyIsRelieved) {
  ContentionDocument document = SumDocument();
  document.predictor = std::make_shared<PartialPredictor>();
  auto answer = PredictTogether(document, *ParseTenants("odd,odd"));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->bully->relief, 1);
}

TEST(PredictTogether, FailsAsThePredictorDoes) {
  ContentionDocument document = SumDocument();
  document.predictor = std::make_shared<PartialPredictor>();
  EXPECT_EQ(
      PredictTogether(document, *ParseTenants("light,heavy")).error().message(),
      "heavy alone");
}

}  // namespace
}  // namespace mete
