#include "contention/pairwise_predictors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "contention/test_simulation.h"
#include "support/json.h"
#include "support/random.h"

namespace mete {
namespace {

TEST(LogisticCurve, FitsTheCurveThatMadeItsPoints) {
  const LogisticCurve truth{.alpha = {0.2, 0.4, 5}, .beta = {0.05, 0, 0}};
  std::vector<LogisticPoint> points;
  for (double n : {1, 2, 4}) {
    for (double rate : {1, 3, 5, 8, 12}) {
      points.push_back(
          {.instances = n, .rate = rate, .time = truth.At(n, rate)});
    }
  }
  auto fitted = FitLogistic(points);
  ASSERT_TRUE(fitted);
  for (const LogisticPoint& point : points) {
    EXPECT_NEAR(fitted->At(point.instances, point.rate), point.time,
                0.15 * point.time);
  }
}

TEST(LogisticCurve, WithoutPointsThereIsNone) { EXPECT_FALSE(FitLogistic({})); }

// A constant curve: half of theta_1.
LogisticCurve Constant(double time) { return {.alpha = {2 * time, 0, 0}}; }

PairwisePredictor Predictor(PairwiseRule rule) {
  PairwiseCurves curves{.applications = {"a", "b"}};
  curves.curves[0] = {{{0, 0}, Constant(0.3)},
                      {{0, 1}, Constant(0.15)},
                      {{1, 0}, Constant(0.1)},
                      {{1, 1}, Constant(0.5)}};
  curves.alone.resize(2);
  curves.alone[0][0] = 0.1;
  curves.alone[1][0] = 0.2;
  return PairwisePredictor(rule, std::move(curves));
}

double MeanOfFirst(PairwiseRule rule, std::vector<Tenant> tenants) {
  return (*Predictor(rule).Predict(tenants))[0].Get({})->time.count();
}

TEST(PairwisePredictor, FollowsItsRule) {
  std::vector<Tenant> two{{.application = "a", .rate = 1},
                          {.application = "b", .rate = 1}};
  EXPECT_NEAR(MeanOfFirst(PairwiseRule::kPerx, two), 0.15, 1e-9);
  EXPECT_NEAR(MeanOfFirst(PairwiseRule::kScalOran, two), 0.4, 1e-9);
  EXPECT_NEAR(MeanOfFirst(PairwiseRule::kScalOranSum, two), 0.8, 1e-9);
  EXPECT_NEAR(MeanOfFirst(PairwiseRule::kAgnostic, two), 0.3, 1e-9);
}

TEST(PairwisePredictor, PerxIgnoresWhoMakesItFaster) {
  std::vector<Tenant> two{{.application = "b", .rate = 1},
                          {.application = "a", .rate = 1}};
  EXPECT_NEAR(MeanOfFirst(PairwiseRule::kPerx, two), 0.2, 1e-9);
}

// Every curve and time alone at random, so that they cross.
PairwisePredictor RandomPredictor(PairwiseRule rule, Random& random) {
  PairwiseCurves curves{.applications = {"a", "b", "c"}};
  auto coefficient = [&] { return 4 * random.Uniform() - 2; };
  for (PairwiseCurves::Curves& of_label : curves.curves) {
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < 3; ++b) {
        LogisticCurve& curve = of_label[{a, b}];
        for (double& alpha : curve.alpha) alpha = coefficient();
        for (double& beta : curve.beta) beta = coefficient();
      }
    }
  }
  curves.alone.resize(3);
  for (TimesAlone& alone : curves.alone) {
    for (auto& time : alone) {
      if (random.Below(8) > 0) time = random.Uniform();
    }
  }
  return PairwisePredictor(rule, std::move(curves));
}

std::vector<double> QuantilesOf(const TenantTimes& tenant, TimeKind kind) {
  std::vector<double> quantiles;
  for (TimeStatistic statistic : {TimeStatistic::kP50, TimeStatistic::kP75,
                                  TimeStatistic::kP95, TimeStatistic::kP99}) {
    const auto& time = tenant.Get({.kind = kind, .statistic = statistic});
    if (time) quantiles.push_back(time->time.count());
  }
  return quantiles;
}

TEST(PairwisePredictor, QuantilesNeverDecrease) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const auto rule = static_cast<PairwiseRule>(random.Below(4));
    const PairwisePredictor predictor = RandomPredictor(rule, random);
    std::vector<Tenant> tenants;
    for (const char* name : {"a", "b", "c"}) {
      tenants.push_back({.application = name,
                         .instances = 1 + static_cast<int>(random.Below(4)),
                         .rate = 0.1 + 10 * random.Uniform()});
    }
    const auto answer = predictor.Predict(tenants);
    ASSERT_TRUE(answer.ok());
    for (const TenantTimes& tenant : *answer) {
      for (TimeKind kind : {TimeKind::kService, TimeKind::kSojourn}) {
        const auto quantiles = QuantilesOf(tenant, kind);
        EXPECT_TRUE(std::ranges::is_sorted(quantiles))
            << "rule " << ToString(rule) << ", predictor " << i;
      }
    }
  }
}

TEST(PairwisePredictor, IsTheSameAfterAFile) {
  auto mixes = GroupByMix(Simulate({.random_mixes = 4, .window_s = 1}));
  PairwisePredictor predictor(PairwiseRule::kPerx, FitPairwise(mixes));
  Json json = predictor.ToJson();
  auto read = PairwisePredictor::FromJson(PairwiseRule::kPerx,
                                          *ParseJson(DumpJson(json)));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->ToJson(), json);
  auto answer = read->Predict({{{.application = "cnn", .rate = 5},
                                {.application = "forest", .rate = 50}}});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE((*answer)[0].Get({}));
}

}  // namespace
}  // namespace mete
