#include <gtest/gtest.h>

#include "gpu_packing/host_reserve.h"
#include "gpu_packing/test_pods.h"
#include "gpu_packing/type_reserve.h"

namespace mete {
namespace {

// One pod in a hundred requires four GPUs.
const std::vector<PodShare> kFewLarge = {
    {.shape = PodWith(1000), .share = 0.99},
    {.shape = PodWithGpus(4), .share = 0.01}};

TEST(HostReserve, ProtectsTheLastHosts) {
  std::vector<FreeNode> nodes(3, NodeWith({1000, 1000, 1000, 1000}));
  HostReserve reserve(kFewLarge, nodes, nodes, {});
  // About 12 pods to come, so 0.12 + 3 x 0.34 = 1.2 of them large.
  EXPECT_EQ(reserve.Scarce(PodWith(1000)), 0u);
  for (const size_t node : {0u, 1u}) {
    reserve.Place(nodes, node, PodWith(1000), GpuSet::One(0));
    nodes[node] = After(nodes[node], PodWith(1000), GpuSet::One(0));
  }
  const uint64_t scarce = reserve.Scarce(PodWith(1000));
  EXPECT_NE(scarce, 0u);
  EXPECT_TRUE(reserve.Breaks(scarce, nodes, 2, PodWith(1000), GpuSet::One(0)));
  EXPECT_FALSE(reserve.Breaks(scarce, nodes, 1, PodWith(1000), GpuSet::One(1)));
  // A pod without GPUs leaves the host intact as long as CPU remains.
  EXPECT_FALSE(reserve.Breaks(scarce, nodes, 2, PodOfCpus(1000), {}));
  EXPECT_TRUE(reserve.Breaks(scarce, nodes, 2, PodOfCpus(60000), {}));
  // The reserve is for large pods.
  EXPECT_EQ(reserve.Scarce(PodWithGpus(4)), 0u);
}

TEST(HostReserve, AssumesAnUnseenLargePodWhileItLearns) {
  const std::vector<FreeNode> nodes(2, NodeWith({1000, 1000}));
  const std::vector<PodShare> small = {{.shape = PodWith(1000), .share = 1}};
  EXPECT_EQ(HostReserve(small, nodes, nodes, {}).Scarce(PodWith(1000)), 0u);
  EXPECT_NE(
      HostReserve(small, nodes, nodes, {.sample = 1}).Scarce(PodWith(1000)),
      0u);
  EXPECT_EQ(
      HostReserve(small, nodes, nodes, {.sample = 1000}).Scarce(PodWith(1000)),
      0u);
}

TEST(HostReserve, AssumesThatUnseenPodsNeedWholeNodes) {
  const std::vector<FreeNode> empty(3, NodeWith({1000, 1000}));
  const std::vector<PodShare> small = {{.shape = PodWith(1000), .share = 1}};
  // Nodes in use have room for large pods, but not for the largest.
  std::vector<FreeNode> nodes = empty;
  for (const size_t node : {0u, 1u}) {
    nodes[node] = After(nodes[node], PodOfCpus(32000), {});
  }
  const HostReserve reserve(small, empty, nodes, {.sample = 2});
  const uint64_t scarce = reserve.Scarce(PodWith(1000));
  EXPECT_TRUE(reserve.Breaks(scarce, nodes, 2, PodWith(1000), GpuSet::One(0)));
  EXPECT_FALSE(reserve.Breaks(scarce, nodes, 0, PodWith(1000), GpuSet::One(0)));
}

PodShape OnlyOnB(int gpu_milli) {
  PodShape pod = PodWith(gpu_milli);
  pod.types = kTypeB;
  return pod;
}

TEST(TypeReserve, KeepsATypeForPodsThatRunNowhereElse) {
  const std::vector<PodShare> mix = {{.shape = PodWith(1000), .share = 0.5},
                                     {.shape = OnlyOnB(1000), .share = 0.5}};
  std::vector<FreeNode> nodes(10, NodeWith({1000}, kTypeA));
  nodes.resize(20, NodeWith({1000}, kTypeB));
  TypeReserve reserve(mix, nodes, {.deviations = 0});
  EXPECT_EQ(reserve.Scarce(PodWith(1000)), kTypeB);
  EXPECT_EQ(reserve.Scarce(OnlyOnB(1000)), 0u);
  EXPECT_EQ(reserve.Scarce(PodOfCpus(1000)), 0u);
  // With fewer pods to come, B is enough.
  for (int i = 0; i < 8; ++i) reserve.Place(nodes[0], PodWith(1000));
  EXPECT_EQ(reserve.Scarce(PodWith(1000)), 0u);
}

TEST(TypeReserve, KeepsNothingIfAllPodsRunEverywhere) {
  const std::vector<PodShare> mix = {{.shape = PodWith(1000), .share = 1}};
  const std::vector<FreeNode> nodes(2, NodeWith({1000}));
  EXPECT_EQ(TypeReserve(mix, nodes, {}).Scarce(PodWith(1000)), 0u);
}

}  // namespace
}  // namespace mete
