#include "adapters/torch/libtorch.h"  // before the others: see there

#include "adapters/torch/deepsets_training.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace mete {
namespace {

// Times that double with every ten requests per second beside the target.
std::vector<DeepSetsPoint> LearnablePoints(size_t applications) {
  Random random(3);
  std::vector<DeepSetsPoint> points;
  for (int i = 0; i < 160; ++i) {
    DeepSetsPoint point{
        .target = {.application = random.Below(applications), .rate = 5},
        .context = {{.application = random.Below(applications),
                     .rate = 20 * random.Uniform()}}};
    point.times.fill(0.01 * (1 + point.context[0].rate / 10));
    point.counters[0] = 0.5;
    points.push_back(point);
  }
  return points;
}

double MeanError(const ScaledDeepSets& trained,
                 std::span<const DeepSetsPoint> points) {
  double sum = 0;
  for (const DeepSetsPoint& point : points) {
    const double time =
        trained.network.Evaluate(point.target, point.context)[0] *
        trained.scales[point.target.application][0];
    sum += std::abs(time / point.times[0] - 1);
  }
  return sum / static_cast<double>(points.size());
}

TEST(DeepSetsTraining, TheNetworkForNineApplicationsHas4796Parameters) {
  auto trained =
      TrainDeepSets(LearnablePoints(9), {.applications = 9, .epochs = 1});
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  EXPECT_EQ(trained->network.ParameterCount(), 4796u);
}

// The evaluator without libtorch sees what libtorch learnt.
TEST(DeepSetsTraining, LearnsWhatTheContextDoes) {
  std::vector<DeepSetsPoint> points = LearnablePoints(2);
  auto untrained = TrainDeepSets(points, {.applications = 2, .epochs = 0});
  auto trained = TrainDeepSets(points, {.applications = 2, .epochs = 60});
  ASSERT_TRUE(trained.ok()) << trained.error().message();
  EXPECT_LT(MeanError(*trained, points), 0.1);
  EXPECT_GT(MeanError(*untrained, points), 0.3);
}

TEST(DeepSetsTraining, TheSameSeedGivesTheSameWeights) {
  std::vector<DeepSetsPoint> points = LearnablePoints(2);
  auto one = TrainDeepSets(points, {.applications = 2, .epochs = 2});
  auto two = TrainDeepSets(points, {.applications = 2, .epochs = 2});
  auto other =
      TrainDeepSets(points, {.applications = 2, .epochs = 2, .seed = 2});
  EXPECT_EQ(one->network.time[2].weights, two->network.time[2].weights);
  EXPECT_NE(one->network.time[2].weights, other->network.time[2].weights);
}

TEST(DeepSetsTraining, AWarmStartKeepsTheWeightsItIsGiven) {
  std::vector<DeepSetsPoint> points = LearnablePoints(2);
  auto first = TrainDeepSets(points, {.applications = 2, .epochs = 2});
  auto resumed = TrainDeepSets(
      points, {.applications = 2,
               .epochs = 0,
               .start = [&](const DeepSetsNetwork&) -> Result<DeepSetsNetwork> {
                 return first->network;
               }});
  EXPECT_EQ(resumed->network.embedding, first->network.embedding);
  EXPECT_EQ(resumed->network.element[1].weights,
            first->network.element[1].weights);
}

TEST(DeepSetsTraining, NoPointsAreAnError) {
  auto trained = TrainDeepSets({}, {.applications = 2});
  ASSERT_FALSE(trained.ok());
  EXPECT_EQ(trained.error().code(), ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace mete
