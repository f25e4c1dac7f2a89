#include "gpu_packing/residual_worth.h"

#include <gtest/gtest.h>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

double WorthOf(const ResidualWorth& worth, const FreeNode& node) {
  return worth.Of(worth.OfGpus(node), node);
}

TEST(ResidualWorth, FillsEachGpuWithTheMostWorth) {
  const std::vector<PricedShape> shapes = {
      {.shape = PodWith(600), .worth = 600},
      {.shape = PodWith(300), .worth = 250}};
  const ResidualWorth worth(shapes, kOnlyTypeA, 100);
  EXPECT_DOUBLE_EQ(WorthOf(worth, NodeWith({1000})), 850);  // 600 + 300
  EXPECT_DOUBLE_EQ(WorthOf(worth, NodeWith({900, 500})), 850 + 250);
  EXPECT_DOUBLE_EQ(WorthOf(worth, NodeWith({200, 0})), 0);
}

// Two pods of 4 CPUs fit into the GPU, but only CPU for one is left.
TEST(ResidualWorth, IsLimitedByCpu) {
  const std::vector<PricedShape> shapes = {
      {.shape = PodWith(500), .worth = 500}};
  const ResidualWorth worth(shapes, kOnlyTypeA, 100);
  FreeNode node = NodeWith({1000});
  node.cpu_milli = 4000;
  EXPECT_NEAR(WorthOf(worth, node), 500, 1e-9);
  node.cpu_milli = 0;
  EXPECT_NEAR(WorthOf(worth, node), 0, 1e-9);
}

// Three pods of 64 GiB fit into the GPUs, but only memory for two is left.
TEST(ResidualWorth, IsLimitedByMemory) {
  PodShape pod = PodWith(500);
  pod.memory_mib = 65536;
  const std::vector<PricedShape> shapes = {{.shape = pod, .worth = 500}};
  const ResidualWorth worth(shapes, kOnlyTypeA, 100);
  FreeNode node = NodeWith({1000, 500});
  EXPECT_NEAR(WorthOf(worth, node), 1500, 1e-9);
  node.memory_mib = 131072;
  EXPECT_NEAR(WorthOf(worth, node), 1000, 1e-9);
}

TEST(ResidualWorth, CountsPodsWithSeveralGpusOnFreeGpusOnly) {
  const std::vector<PricedShape> shapes = {
      {.shape = PodWithGpus(2), .worth = 2000},
      {.shape = PodWith(500), .worth = 400}};
  const ResidualWorth worth(shapes, kOnlyTypeA, 100);
  EXPECT_DOUBLE_EQ(WorthOf(worth, NodeWith({1000, 1000})), 2000);
  EXPECT_DOUBLE_EQ(WorthOf(worth, NodeWith({1000, 900})), 800 + 400);
}

TEST(ResidualWorth, IgnoresPodsOfOtherTypes) {
  PodShape other = PodWith(500);
  other.types = kTypeB;
  const std::vector<PricedShape> shapes = {{.shape = other, .worth = 500}};
  const ResidualWorth worth(shapes, kOnlyTypeA, 100);
  EXPECT_DOUBLE_EQ(WorthOf(worth, NodeWith({1000})), 0);
}

// The short cut that runs rely on gives what a new evaluation gives.
TEST(ResidualWorth, AfterAPlacementIsThatOfTheNewNode) {
  Random random(7);
  std::vector<PricedShape> shapes;
  for (int i = 0; i < 20; ++i) {
    const PodShape pod = AnyPod(random);
    if (pod.gpus == 0) continue;
    shapes.push_back(
        {.shape = pod, .worth = random.Uniform() * pod.TotalGpuMilli()});
  }
  const ResidualWorth worth(shapes, kOnlyTypeA, 50);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const FreeNode node = AnyNode(random);
    const PodShape pod = AnyPod(random);
    if (!Fits(node, pod)) continue;
    const GpuSet gpus = TightGpus(node, pod);
    EXPECT_NEAR(worth.After(node, worth.OfGpus(node), pod, gpus),
                WorthOf(worth, After(node, pod, gpus)), 1e-6);
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace mete
