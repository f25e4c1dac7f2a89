#include "contention/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

// Predicts the same time for every tenant and statistic.
class ConstantPredictor final : public ContentionPredictor {
 public:
  ConstantPredictor(double time, double half_width)
      : time_{.time = Seconds(time),
              .low = Seconds(time - half_width),
              .high = Seconds(time + half_width)} {}
  std::string_view method() const override { return "constant"; }
  std::vector<std::string> Applications() const override { return {"a", "b"}; }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override {
    std::vector<TenantTimes> answers(tenants.size());
    for (TenantTimes& answer : answers) answer.times.fill(time_);
    return answers;
  }

 private:
  PredictedTime time_;
};

MixObservation Row(const std::string& application, double time,
                   bool saturated = false) {
  MixObservation row{.mix = "m",
                     .tenant = {.application = application, .rate = 1},
                     .saturated = saturated};
  row.service = {.mean = time, .p75 = time, .p95 = time};
  return row;
}

// Errors of 0 %, 25 % and 100 %; the last one lies far beyond an objective.
std::vector<MeasuredMix> Mixes() {
  return {{.rows = {Row("a", 1), Row("b", 0.8)}},
          {.rows = {Row("a", 0.5)}},
          {.rows = {Row("b", 10, true)}}};
}

std::map<std::string, TimesAlone> Alone() {
  std::map<std::string, TimesAlone> alone;
  alone["a"].fill(0.1);
  alone["b"].fill(0.5);
  return alone;
}

ContentionScore Score() {
  return ScoreContention(ConstantPredictor(1, 0.1), Mixes(), Alone(),
                         TimeKind::kService);
}

TEST(ContentionComparison, CountsErrorsOfStableTenants) {
  ContentionScore score = Score();
  ASSERT_TRUE(score.all);
  EXPECT_EQ(score.all->times, 9u);
  EXPECT_DOUBLE_EQ(score.all->median, 0.25);
  EXPECT_DOUBLE_EQ(score.all->mean, 1.25 / 3);
  EXPECT_DOUBLE_EQ(score.all->within_10, 1.0 / 3);
  EXPECT_DOUBLE_EQ(score.all->within_25, 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.by_application.at("a").median, 0.5);
}

TEST(ContentionComparison, ReportsSaturatedTenantsApart) {
  ContentionScore score = Score();
  ASSERT_TRUE(score.saturated);
  EXPECT_EQ(score.saturated->times, 3u);
  EXPECT_DOUBLE_EQ(score.saturated->median, 0.9);
}

TEST(ContentionComparison, ErrorsNearTheObjectiveStandForThemselves) {
  // 1 s is ten times the time of "a" alone.
  EXPECT_EQ(Score().near_objective->times, 6u);
}

TEST(ContentionComparison, AMixIsWithinIfAllItsTenantsAre) {
  EXPECT_DOUBLE_EQ(*Score().mixes_within_25, 0.5);
}

TEST(ContentionComparison, CoverageIsTheShareInsideTheIntervals) {
  EXPECT_DOUBLE_EQ(*Score().coverage, 1.0 / 3);
}

TEST(ContentionComparison, PredictingTooLittleCostsMoreForHighQuantiles) {
  std::vector<MeasuredMix> mixes{{.rows = {Row("a", 2)}}};
  auto loss = [&](double predicted) {
    return ScoreContention(ConstantPredictor(predicted, 0), mixes, Alone(),
                           TimeKind::kService)
        .all->pinball;
  };
  EXPECT_NEAR(loss(1), std::log(2) * (0.5 + 0.75 + 0.95) / 3, 1e-12);
  EXPECT_NEAR(loss(4), std::log(2) * (0.5 + 0.25 + 0.05) / 3, 1e-12);
}

TEST(ContentionComparison, TheSmallestMedianErrorIsTheBest) {
  ContentionComparison comparison;
  comparison.scores[0] = {Score(), Score(), {.method = "silent"}};
  comparison.scores[0][1].all->median = 0.1;
  EXPECT_EQ(FindBest(comparison), 1u);
  EXPECT_EQ(FindBest({}), std::nullopt);
}

// Predicts that every tenant of "b" takes at least a second.
class BoundPredictor final : public ContentionPredictor {
 public:
  std::string_view method() const override { return "bound"; }
  std::vector<std::string> Applications() const override { return {"a", "b"}; }
  Result<std::vector<TenantTimes>> Predict(
      std::span<const Tenant> tenants) const override {
    std::vector<TenantTimes> answers(tenants.size());
    for (size_t i = 0; i < tenants.size(); ++i) {
      answers[i].saturated = tenants[i].application == "b";
      answers[i].times.fill(PredictedTime{.time = Seconds(1),
                                          .low = Seconds(0.9),
                                          .at_least = answers[i].saturated});
    }
    return answers;
  }
};

TEST(ContentionComparison, ABoundIsNoValueAndMissesWhatWasStable) {
  ContentionScore score =
      ScoreContention(BoundPredictor(), Mixes(), Alone(), TimeKind::kService);
  ASSERT_TRUE(score.all);
  EXPECT_EQ(score.all->times, 9u);
  EXPECT_EQ(score.all->bounds, 3u);
  EXPECT_DOUBLE_EQ(score.all->mean, 0.5);  // of 0 % and 100 %
  EXPECT_DOUBLE_EQ(score.all->within_25, 1.0 / 3);
  EXPECT_FALSE(score.by_application.contains("b"));
  EXPECT_DOUBLE_EQ(*score.mixes_within_25, 0);
  EXPECT_FALSE(score.saturated);
}

TEST(ContentionComparison, SaturationIsJudgedForItself) {
  ContentionScore score =
      ScoreContention(BoundPredictor(), Mixes(), Alone(), TimeKind::kService);
  ASSERT_TRUE(score.saturation);
  EXPECT_EQ(score.saturation->saturated, 1u);
  EXPECT_EQ(score.saturation->recognized, 1u);
  EXPECT_EQ(score.saturation->stable, 3u);
  EXPECT_EQ(score.saturation->false_alarms, 1u);
  EXPECT_EQ(score.saturation->bounds, 3u);
  EXPECT_EQ(score.saturation->held, 3u);
  EXPECT_FALSE(Score().saturation);
  ContentionComparison comparison;
  comparison.scores[1] = {score};
  EXPECT_THAT(ComparisonText(comparison),
              HasSubstr("bound           1 of 1        1 of 3       3 of 3\n"));
}

TEST(ContentionComparison, ReportsFitATerminal) {
  ContentionComparison comparison{
      .seed = 3, .training_mixes = 80, .test_mixes = 40};
  comparison.scores[0] = {Score(), {.method = "silent"}};
  comparison.scores[1] = {{.method = "constant"}, {.method = "silent"}};
  std::string text = ComparisonText(comparison);
  EXPECT_THAT(text, HasSubstr("tested on 40 mixes held out with seed 3"));
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
    begin = end + 1;
  }
  EXPECT_THAT(ComparisonCsv(comparison),
              HasSubstr("constant,service,a,6,0.5,"));
  EXPECT_EQ(ComparisonToJson(comparison)["service"][0]["stable"]["times"], 9);
}

}  // namespace
}  // namespace mete
