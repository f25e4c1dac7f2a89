#include "gpu_packing/residual_policy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu_packing/published_policies.h"
#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

// Places the pods in their order; counts those that are rejected although they
// fit somewhere.
struct Replay {
  int rejected_gpu_milli = 0;
  int wrongly_rejected = 0;
  std::vector<size_t> nodes;
};

Replay Place(std::vector<FreeNode> nodes, const std::vector<PodShape>& pods,
             GpuPolicy& policy) {
  Replay replay;
  for (const PodShape& pod : pods) {
    const auto choice = policy.Choose(nodes, pod);
    if (!choice) {
      replay.rejected_gpu_milli += pod.TotalGpuMilli();
      replay.wrongly_rejected += static_cast<int>(std::ranges::count_if(
          nodes, [&](const FreeNode& node) { return Fits(node, pod); }));
      continue;
    }
    replay.nodes.push_back(choice->node);
    nodes[choice->node] = After(nodes[choice->node], pod, choice->gpus);
  }
  return replay;
}

std::unique_ptr<GpuPolicy> Known(const std::vector<FreeNode>& nodes,
                                 const std::vector<PodShape>& pods) {
  return ResidualPolicy({.nodes = nodes, .mix = MixOf(pods)}).value();
}

std::vector<PodShape> RandomPods(uint64_t seed, int count) {
  Random random(seed);
  std::vector<PodShape> pods;
  for (int i = 0; i < count; ++i) pods.push_back(AnyPod(random));
  return pods;
}

// A gap of 400 fits a frequent pod exactly, so 300 goes elsewhere.
TEST(ResidualPolicy, LeavesGapsThatFrequentPodsFill) {
  std::vector<PodShape> pods(10, PodWith(600));
  pods.resize(20, PodWith(400));
  pods.resize(21, PodWith(300));
  const std::vector<FreeNode> nodes = {NodeWith({400}), NodeWith({1000})};
  const auto policy =
      ResidualPolicy({.nodes = std::vector<FreeNode>(10, NodeWith({1000})),
                      .mix = MixOf(pods)})
          .value();
  EXPECT_EQ(policy->Choose(nodes, PodWith(300))->node, 1u);
  EXPECT_EQ(BestFitPolicy()->Choose(nodes, PodWith(300))->node, 0u);
}

TEST(ResidualPolicy, KeepsANodeForARareLargePod) {
  std::vector<PodShape> pods(15, PodWith(1000));
  pods.push_back(PodWithGpus(4));
  const std::vector<FreeNode> nodes(4, NodeWith({1000, 1000, 1000, 1000}));
  const auto policy = Known(nodes, pods);
  pods.resize(12);  // 12 small ones, then the large one
  pods.push_back(PodWithGpus(4));
  EXPECT_EQ(Place(nodes, pods, *policy).rejected_gpu_milli, 0);
}

TEST(ResidualPolicy, RejectsOnlyWhatFitsNowhere) {
  const std::vector<FreeNode> nodes(10, NodeWith({1000, 1000, 1000, 1000}));
  for (const uint64_t seed : {1, 2, 3}) {
    const std::vector<PodShape> pods = RandomPods(seed, 150);
    const Replay replay = Place(nodes, pods, *Known(nodes, pods));
    EXPECT_GT(replay.rejected_gpu_milli, 0);
    EXPECT_EQ(replay.wrongly_rejected, 0);
  }
}

TEST(ResidualPolicy, RepeatsItsDecisions) {
  const std::vector<FreeNode> nodes(10, NodeWith({1000, 1000, 1000, 1000}));
  const std::vector<PodShape> pods = RandomPods(4, 150);
  EXPECT_EQ(Place(nodes, pods, *Known(nodes, pods)).nodes,
            Place(nodes, pods, *Known(nodes, pods)).nodes);
}

TEST(ResidualPolicy, LearnsTheMixFromArrivals) {
  const std::vector<FreeNode> nodes(10, NodeWith({1000, 1000, 1000, 1000}));
  const std::vector<PodShape> pods = RandomPods(5, 150);
  const auto learns = ResidualPolicy({.nodes = nodes}).value();
  EXPECT_EQ(Place(nodes, pods, *learns).wrongly_rejected, 0);
}

// A third of the pods waste a GPU if they are packed without foresight.
TEST(ResidualPolicy, LosesNoMoreThanBestFitOnRandomClusters) {
  const std::vector<FreeNode> nodes(25, NodeWith({1000, 1000, 1000, 1000}));
  int rejected = 0;
  int rejected_by_best_fit = 0;
  for (uint64_t seed = 10; seed < 20; ++seed) {
    const std::vector<PodShape> pods = RandomPods(seed, 160);
    rejected += Place(nodes, pods, *Known(nodes, pods)).rejected_gpu_milli;
    rejected_by_best_fit +=
        Place(nodes, pods, *BestFitPolicy()).rejected_gpu_milli;
  }
  EXPECT_LE(rejected, rejected_by_best_fit);
}

}  // namespace
}  // namespace mete
