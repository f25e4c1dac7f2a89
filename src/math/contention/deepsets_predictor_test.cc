#include "contention/deepsets_predictor.h"

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/random.h"

namespace mete {
namespace {

DeepSetsNetwork RandomDeepSets(size_t applications, uint64_t seed) {
  DeepSetsNetwork network = EmptyDeepSets(applications);
  Random random(seed);
  auto fill = [&](std::vector<float>& weights) {
    for (float& one : weights) one = static_cast<float>(random.Normal() / 5);
  };
  fill(network.embedding);
  for (auto* part : {&network.element, &network.time, &network.counter}) {
    for (DenseLayer& layer : *part) fill(layer.weights);
  }
  return network;
}

DeepSetsPredictor RandomDeepSetsPredictor() {
  DeepSetsPredictor::Parts parts{.applications = {"alpha", "gamma"}};
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    parts.networks[kind] = {.network = RandomDeepSets(2, kind),
                            .scales = {{0.1, 0.2, 0.3}, {1, 2, 3}}};
  }
  return DeepSetsPredictor(std::move(parts));
}

TEST(DeepSetsPredictor, PredictsMeanP75AndP95OnTheScaleOfTheApplication) {
  DeepSetsPredictor predictor = RandomDeepSetsPredictor();
  auto answer = predictor.Predict({{{.application = "gamma", .rate = 4}}});
  ASSERT_TRUE(answer.ok());
  const TenantTimes& times = (*answer)[0];
  EXPECT_FALSE(times.Get({.statistic = TimeStatistic::kP50}));
  EXPECT_FALSE(times.Get({.statistic = TimeStatistic::kP99}));
  auto scaled = predictor.parts().networks[0].network.Evaluate(
      {.application = 1, .rate = 4}, {});
  EXPECT_EQ(times.Get({.statistic = TimeStatistic::kP75})->time.count(),
            2 * scaled[1]);
}

TEST(DeepSetsPredictor, SortsQuantilesThatCross) {
  DeepSetsPredictor::Parts parts = RandomDeepSetsPredictor().parts();
  for (ScaledDeepSets& one : parts.networks) {
    one.scales = {{1, 1e6, 1}, {1, 1e-6, 1}};  // mean, p75, p95
  }
  auto answer = DeepSetsPredictor(std::move(parts))
                    .Predict({{{.application = "alpha", .rate = 4},
                               {.application = "gamma", .rate = 4}}});
  ASSERT_TRUE(answer.ok());
  for (const TenantTimes& times : *answer) {
    EXPECT_LT(times.Get({.statistic = TimeStatistic::kP75})->time,
              times.Get({.statistic = TimeStatistic::kP95})->time);
  }
}

TEST(DeepSetsPredictor, IsTheSameAfterAFile) {
  DeepSetsPredictor predictor = RandomDeepSetsPredictor();
  Json json = predictor.ToJson();
  auto read = DeepSetsPredictor::FromJson(*ParseJson(DumpJson(json)));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->ToJson(), json);
}

TEST(DeepSetsPredictor, RejectsLayersOfAnotherSize) {
  Json json = RandomDeepSetsPredictor().ToJson();
  json["sojourn"]["time"][1]["biases"].erase(0);
  auto read = DeepSetsPredictor::FromJson(json);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
}

TEST(DeepSetsPredictor, AWarmStartCopiesTheRowsOfKnownApplications) {
  DeepSetsPredictor predictor = RandomDeepSetsPredictor();
  const DeepSetsNetwork& known = predictor.parts().networks[0].network;
  DeepSetsNetwork fresh = RandomDeepSets(3, 9);
  const std::vector<std::string> more{"alpha", "beta", "gamma"};
  auto start = predictor.WarmStart(TimeKind::kService, more, fresh);
  ASSERT_TRUE(start.ok());
  EXPECT_TRUE(start->Fits(3));
  EXPECT_EQ(start->embedding[0], known.embedding[0]);
  EXPECT_EQ(start->embedding[5], fresh.embedding[5]);
  EXPECT_EQ(start->embedding[10], known.embedding[5]);
  EXPECT_EQ(start->element[0].weights, known.element[0].weights);
  const std::vector<std::string> fewer{"alpha"};
  EXPECT_FALSE(predictor.WarmStart(TimeKind::kService, fewer, fresh).ok());
}

}  // namespace
}  // namespace mete
