#include "gpu_packing/even_fill.h"

#include <gtest/gtest.h>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

double FillOf(const EvenFill& fill, const FreeNode& node) {
  return fill.Of(node, fill.CountsOf(node));
}

TEST(EvenFill, CountsHowManyPodsFit) {
  const std::vector<PodShare> mix = {{.shape = PodWith(300), .share = 1}};
  const EvenFill fill(mix, kOnlyTypeA, 100);
  // 3 on the first GPU, 1 on the second.
  EXPECT_DOUBLE_EQ(FillOf(fill, NodeWith({1000, 500})), 1200);
}

TEST(EvenFill, StopsWhereCpuEnds) {
  const std::vector<PodShare> mix = {{.shape = PodWith(300), .share = 1}};
  const EvenFill fill(mix, kOnlyTypeA, 100);
  FreeNode node = NodeWith({1000, 1000});
  node.cpu_milli = 12000;  // exactly 3 pods
  EXPECT_DOUBLE_EQ(FillOf(fill, node), 900);
}

TEST(EvenFill, IsTheMeanOverTheMix) {
  const std::vector<PodShare> mix = {{.shape = PodWith(600), .share = 0.5},
                                     {.shape = PodWithGpus(2), .share = 0.5}};
  const EvenFill fill(mix, kOnlyTypeA, 200);
  EXPECT_DOUBLE_EQ(FillOf(fill, NodeWith({1000, 1000, 1000})),
                   0.5 * 1800 + 0.5 * 2000);
}

TEST(EvenFill, CountsWholePodsWithoutGpus) {
  const std::vector<PodShare> mix = {{.shape = PodOfCpus(32000), .share = 0.5}};
  const EvenFill fill(mix, kOnlyTypeA, 1000);
  FreeNode node = NodeWith({0});
  EXPECT_DOUBLE_EQ(FillOf(fill, node), 0.5 * 2 * 50);
  node.cpu_milli = 63999;
  EXPECT_DOUBLE_EQ(FillOf(fill, node), 0.5 * 1 * 50);
}

TEST(EvenFill, AfterAPlacementIsThatOfTheNewNode) {
  Random random(8);
  std::vector<PodShare> mix;
  for (int i = 0; i < 20; ++i) {
    mix.push_back({.shape = AnyPod(random), .share = 0.05});
  }
  const EvenFill fill(mix, kOnlyTypeA, 50);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const FreeNode node = AnyNode(random);
    const PodShape pod = AnyPod(random);
    if (!Fits(node, pod)) continue;
    const GpuSet gpus = TightGpus(node, pod);
    EXPECT_NEAR(fill.After(node, fill.CountsOf(node), pod, gpus),
                FillOf(fill, After(node, pod, gpus)), 1e-6);
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace mete
