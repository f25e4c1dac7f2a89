// What every predictor of contention must do, run on all of them.
#include "contention/contention_predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contention/deepsets_predictor.h"
#include "contention/pairwise_predictors.h"
#include "contention/test_pressure.h"

namespace mete {
namespace {

using testing::HasSubstr;
using MakePredictor = std::unique_ptr<ContentionPredictor> (*)();

std::unique_ptr<ContentionPredictor> MakePressure() {
  return std::make_unique<PressurePredictor>(RandomPressurePredictor(1, 2));
}

std::unique_ptr<ContentionPredictor> MakeDeepSets() {
  DeepSetsPredictor::Parts parts{.applications = {"alpha", "beta", "gamma"}};
  for (ScaledDeepSets& one : parts.networks) {
    one = {.network = EmptyDeepSets(3), .scales = {{1, 1, 1}, {2, 2, 2}, {}}};
    one.scales[2].fill(3);
  }
  return std::make_unique<DeepSetsPredictor>(std::move(parts));
}

template <PairwiseRule kRule>
std::unique_ptr<ContentionPredictor> MakePairwise() {
  PairwiseCurves curves{.applications = {"alpha", "beta", "gamma"}};
  curves.alone.resize(3);
  for (TimesAlone& alone : curves.alone) alone.fill(0.1);
  return std::make_unique<PairwisePredictor>(kRule, std::move(curves));
}

class ContentionPredictorContract
    : public testing::TestWithParam<MakePredictor> {
 protected:
  std::unique_ptr<ContentionPredictor> predictor = GetParam()();
};

TEST_P(ContentionPredictorContract, AnswersEveryTenantInOrder) {
  const std::vector<Tenant> tenants{{.application = "gamma", .rate = 2},
                                    {.application = "alpha", .rate = 1},
                                    {.application = "gamma", .rate = 2}};
  auto answer = predictor->Predict(tenants);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  ASSERT_EQ(answer->size(), 3u);
  const TimeLabel p95{.statistic = TimeStatistic::kP95};
  for (const TenantTimes& times : *answer) {
    if (!times.Get(p95)) continue;
    EXPECT_GT(times.Get(p95)->time.count(), 0);
  }
  // Equal tenants have equal times.
  EXPECT_EQ((*answer)[0].Get({}).has_value(), (*answer)[2].Get({}).has_value());
  if ((*answer)[0].Get({})) {
    EXPECT_EQ((*answer)[0].Get({})->time, (*answer)[2].Get({})->time);
  }
}

TEST_P(ContentionPredictorContract, KnowsItsApplicationsOnly) {
  const std::vector<std::string> known = predictor->Applications();
  EXPECT_EQ(known, (std::vector<std::string>{"alpha", "beta", "gamma"}));
  auto answer = predictor->Predict({{{.application = "delta", .rate = 1}}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(answer.error().message(), HasSubstr("alpha, beta, gamma"));
}

TEST_P(ContentionPredictorContract, RejectsTenantsWithoutLoad) {
  for (const Tenant& tenant :
       {Tenant{.application = "alpha", .instances = 0, .rate = 1},
        Tenant{.application = "alpha", .rate = 0}}) {
    auto answer = predictor->Predict({{tenant}});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code(), ErrorCode::kInvalidInput);
  }
  EXPECT_EQ(predictor->Predict({}).error().code(), ErrorCode::kInvalidInput);
}

INSTANTIATE_TEST_SUITE_P(
    All, ContentionPredictorContract,
    testing::Values(&MakePressure, &MakeDeepSets,
                    &MakePairwise<PairwiseRule::kPerx>,
                    &MakePairwise<PairwiseRule::kScalOran>,
                    &MakePairwise<PairwiseRule::kScalOranSum>,
                    &MakePairwise<PairwiseRule::kAgnostic>));

TEST(SortQuantiles, OrdersTheKnownOnesAndLeavesTheMean) {
  TenantTimes tenant;
  auto at = [&](TimeStatistic statistic) -> std::optional<PredictedTime>& {
    return tenant.times[IndexOf({.statistic = statistic})];
  };
  at(TimeStatistic::kMean) = PredictedTime{.time = Seconds(9)};
  at(TimeStatistic::kP75) = PredictedTime{.time = Seconds(4)};
  at(TimeStatistic::kP95) = PredictedTime{.time = Seconds(2)};
  at(TimeStatistic::kP99) = PredictedTime{.time = Seconds(3)};
  SortQuantiles(tenant);
  EXPECT_EQ(at(TimeStatistic::kMean)->time, Seconds(9));
  EXPECT_FALSE(at(TimeStatistic::kP50));
  EXPECT_EQ(at(TimeStatistic::kP75)->time, Seconds(2));
  EXPECT_EQ(at(TimeStatistic::kP95)->time, Seconds(3));
  EXPECT_EQ(at(TimeStatistic::kP99)->time, Seconds(4));
}

TEST(TimeLabel, NamesAreParsedBack) {
  EXPECT_EQ(AllTimeLabels().size(), 10u);
  for (const TimeLabel& label : AllTimeLabels()) {
    EXPECT_EQ(*ParseTimeKind(ToString(label.kind)), label.kind);
    EXPECT_EQ(*ParseTimeStatistic(ToString(label.statistic)), label.statistic);
    EXPECT_EQ(AllTimeLabels()[IndexOf(label)], label);
  }
  EXPECT_THAT(ParseTimeStatistic("p42").error().message(),
              HasSubstr("mean, p50"));
}

}  // namespace
}  // namespace mete
