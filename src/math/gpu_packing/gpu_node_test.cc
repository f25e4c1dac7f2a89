#include "gpu_packing/gpu_node.h"

#include <gtest/gtest.h>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

TEST(GpuNode, TwoPodsShareAGpuUntilItIsFull) {
  FreeNode node = NodeWith({1000});
  node = After(node, PodWith(600), GpuSet::One(0));
  EXPECT_TRUE(Fits(node, PodWith(400)));
  EXPECT_FALSE(Fits(node, PodWith(410)));
  node = After(node, PodWith(400), GpuSet::One(0));
  EXPECT_EQ(node.FreeGpuMilli(), 0);
  EXPECT_EQ(node.cpu_milli, 56000);
}

TEST(GpuNode, PartsOfTwoGpusAreNotAWhole) {
  EXPECT_FALSE(Fits(NodeWith({500, 500}), PodWith(600)));
  EXPECT_FALSE(Fits(NodeWith({500, 500}), PodWith(1000)));
}

TEST(GpuNode, APodWithTwoGpusRequiresTwoFreeOnes) {
  EXPECT_FALSE(Fits(NodeWith({1000, 990, 900}), PodWithGpus(2)));
  EXPECT_TRUE(Fits(NodeWith({1000, 990, 1000}), PodWithGpus(2)));
}

TEST(GpuNode, RequiresCpuAndMemory) {
  FreeNode node = NodeWith({1000});
  node.cpu_milli = 3999;
  EXPECT_FALSE(Fits(node, PodWith(100)));
  PodShape large = PodWith(100);
  large.memory_mib = 262145;
  EXPECT_FALSE(Fits(NodeWith({1000}), large));
}

TEST(GpuNode, HonoursTheTypesOfAPodWithGpus) {
  PodShape pod = PodWith(100);
  pod.types = kTypeB;
  EXPECT_FALSE(Fits(NodeWith({1000}, kTypeA), pod));
  EXPECT_TRUE(Fits(NodeWith({1000}, kTypeB), pod));
  pod.types = kTypeA | kTypeB;
  EXPECT_TRUE(Fits(NodeWith({1000}, kTypeA), pod));
}

TEST(GpuNode, TightGpusLeavesTheLeast) {
  EXPECT_EQ(TightGpus(NodeWith({1000, 300, 400}), PodWith(350)),
            GpuSet::One(2));
  EXPECT_EQ(TightGpus(NodeWith({900, 1000, 1000}), PodWithGpus(2)).bits, 6u);
  EXPECT_EQ(TightGpus(NodeWith({1000}), PodOfCpus(1000)).bits, 0u);
}

}  // namespace
}  // namespace mete
