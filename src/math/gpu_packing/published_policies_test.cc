#include "gpu_packing/published_policies.h"

#include <gtest/gtest.h>

#include <set>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

TEST(PublishedPolicies, BestFitPrefersTheNodeThatIsFullest) {
  const std::vector<FreeNode> nodes = {NodeWith({1000, 1000}),
                                       NodeWith({0, 500})};
  const auto choice = BestFitPolicy()->Choose(nodes, PodWith(500));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->node, 1u);
  EXPECT_EQ(choice->gpus, GpuSet::One(1));
}

TEST(PublishedPolicies, DotProductPrefersTheSmallestProduct) {
  const std::vector<FreeNode> nodes = {NodeWith({1000, 1000, 1000, 1000}),
                                       NodeWith({1000})};
  const auto choice = DotProductPolicy()->Choose(nodes, PodWith(1000));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->node, 1u);
}

TEST(PublishedPolicies, TiesGoToTheFirstNode) {
  const std::vector<FreeNode> nodes(3, NodeWith({1000}));
  EXPECT_EQ(BestFitPolicy()->Choose(nodes, PodWith(500))->node, 0u);
}

// A gap of 300 is useless to pods of 500 and 1000, one of 500 is not.
TEST(PublishedPolicies, FgdAvoidsUselessGaps) {
  const std::vector<FreeNode> nodes = {NodeWith({1000, 800})};
  const auto fgd = FgdPolicy({{.shape = PodWith(500), .share = 0.5},
                              {.shape = PodWith(1000), .share = 0.5}});
  EXPECT_EQ(fgd->Choose(nodes, PodWith(300))->gpus, GpuSet::One(1));
}

TEST(PublishedPolicies, RandomReachesEveryNodeAndGpuOnWhichThePodFits) {
  const std::vector<FreeNode> nodes = {NodeWith({1000, 1000}), NodeWith({100}),
                                       NodeWith({500})};
  const auto random = RandomPolicy(1);
  std::set<std::pair<size_t, uint32_t>> reached;
  for (int i = 0; i < 100; ++i) {
    const auto choice = random->Choose(nodes, PodWith(400));
    reached.insert({choice->node, choice->gpus.bits});
  }
  EXPECT_EQ(reached,
            (std::set<std::pair<size_t, uint32_t>>{{0, 1}, {0, 2}, {2, 1}}));
}

TEST(PublishedPolicies, RejectAPodThatFitsNowhere) {
  const std::vector<FreeNode> nodes = {NodeWith({400, 400})};
  EXPECT_FALSE(RandomPolicy(1)->Choose(nodes, PodWith(500)));
  EXPECT_FALSE(BestFitPolicy()->Choose(nodes, PodWith(500)));
  EXPECT_FALSE(DotProductPolicy()->Choose(nodes, PodWith(500)));
  EXPECT_FALSE(FgdPolicy({})->Choose(nodes, PodWith(500)));
}

// Scores are kept between pods, so a stale one would place two pods on a GPU
// that has room for one.
TEST(PublishedPolicies, SeeWhatEarlierPodsTook) {
  std::vector<FreeNode> nodes = {NodeWith({1000}), NodeWith({1000})};
  const auto policy = BestFitPolicy();
  for (const size_t expected : {0u, 1u}) {
    const auto choice = policy->Choose(nodes, PodWith(1000));
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->node, expected);
    nodes[choice->node] =
        After(nodes[choice->node], PodWith(1000), choice->gpus);
  }
  EXPECT_FALSE(policy->Choose(nodes, PodWith(1000)));
}

}  // namespace
}  // namespace mete
