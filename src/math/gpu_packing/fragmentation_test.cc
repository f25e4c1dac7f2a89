#include "gpu_packing/fragmentation.h"

#include <gtest/gtest.h>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

TEST(Fragmentation, CountsGpusOfWhichTooLittleIsLeft) {
  const PodShare half{.shape = PodWith(500), .share = 1};
  EXPECT_EQ(Fragmentation(NodeWith({1000, 300}), {&half, 1}), 300);
  EXPECT_EQ(Fragmentation(NodeWith({1000, 500}), {&half, 1}), 0);
}

TEST(Fragmentation, IsEverythingFreeForAPodThatCannotBePlaced) {
  PodShape hungry = PodWith(100);
  hungry.cpu_milli = 64001;
  const PodShare share{.shape = hungry, .share = 1};
  EXPECT_EQ(Fragmentation(NodeWith({1000, 300}), {&share, 1}), 1300);
  const PodShare two{.shape = PodWithGpus(2), .share = 1};
  EXPECT_EQ(Fragmentation(NodeWith({1000, 300}), {&two, 1}), 1300);
  PodShape other_type = PodWith(100);
  other_type.types = kTypeB;
  const PodShare other{.shape = other_type, .share = 1};
  EXPECT_EQ(Fragmentation(NodeWith({1000, 300}), {&other, 1}), 1300);
}

TEST(Fragmentation, IsEverythingFreeForAPodWithoutGpus) {
  const PodShare cpu{.shape = PodOfCpus(1000), .share = 1};
  EXPECT_EQ(Fragmentation(NodeWith({1000, 300}), {&cpu, 1}), 1300);
}

// 0.5 x 300 (half a GPU) + 0.3 x 1300 (two GPUs) + 0.2 x 1300 (no GPU).
TEST(Fragmentation, IsTheMeanOverTypicalPods) {
  const std::vector<PodShare> typical = {
      {.shape = PodWith(500), .share = 0.5},
      {.shape = PodWithGpus(2), .share = 0.3},
      {.shape = PodOfCpus(1000), .share = 0.2}};
  EXPECT_DOUBLE_EQ(Fragmentation(NodeWith({1000, 300}), typical), 800);
}

}  // namespace
}  // namespace mete
