#include "gpu_packing/pod_mix.h"

#include <gtest/gtest.h>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

// 60 % one shape, 30 % another, 10 % a third.
PodMix ThreeShapes() {
  PodMix mix;
  mix.Add(PodWith(500), 6);
  mix.Add(PodWithGpus(8), 1);
  mix.Add(PodOfCpus(8000), 3);
  return mix;
}

TEST(TypicalPods, AreTheMostFrequentOnes) {
  const auto pods = TypicalPods(ThreeShapes(), 0.9);
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0].shape, PodWith(500));
  EXPECT_NEAR(pods[0].share, 2.0 / 3, 1e-12);
  EXPECT_NEAR(pods[1].share, 1.0 / 3, 1e-12);
}

TEST(TypicalPods, IncludeTheOneThatReachesTheShare) {
  EXPECT_EQ(TypicalPods(ThreeShapes(), 0.91).size(), 3u);
}

TEST(TypicalPods, IgnoreMemory) {
  PodMix mix;
  PodShape pod = PodWith(500);
  for (const int64_t memory : {1024, 2048}) {
    pod.memory_mib = memory;
    mix.Add(pod);
  }
  EXPECT_EQ(TypicalPods(mix, 1).size(), 1u);
}

TEST(TypicalPods, OfNothingAreNone) {
  EXPECT_TRUE(TypicalPods({}, 0.95).empty());
}

TEST(MergeByGpus, TakesTheMeanOfCpuAndMemory) {
  PodShape large = PodWith(500);
  large.cpu_milli = 8000;
  large.memory_mib = 4096;
  const std::vector<PodShare> mix = {{.shape = PodWith(500), .share = 0.3},
                                     {.shape = large, .share = 0.1}};
  const auto merged = MergeByGpus(mix);
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_NEAR(merged[0].share, 0.4, 1e-12);
  EXPECT_EQ(merged[0].shape.cpu_milli, 5000);
  EXPECT_EQ(merged[0].shape.memory_mib, 1024);
}

TEST(MergeByGpus, KeepsPodsWithOtherGpusApart) {
  PodShape typed = PodWith(500);
  typed.types = kTypeB;
  const std::vector<PodShare> mix = {{.shape = PodWith(500), .share = 0.4},
                                     {.shape = typed, .share = 0.2},
                                     {.shape = PodWith(400), .share = 0.2},
                                     {.shape = PodWithGpus(2), .share = 0.1},
                                     {.shape = PodOfCpus(8000), .share = 0.1}};
  EXPECT_EQ(MergeByGpus(mix).size(), 5u);
}

TEST(MergeByGpus, KeepsPodsWithoutGpusApart) {
  const std::vector<PodShare> mix = {{.shape = PodOfCpus(8000), .share = 0.6},
                                     {.shape = PodOfCpus(32000), .share = 0.4}};
  EXPECT_EQ(MergeByGpus(mix).size(), 2u);
}

}  // namespace
}  // namespace mete
