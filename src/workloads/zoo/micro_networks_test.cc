#include "zoo/micro_networks.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(MicroNetworks, CountTheirWork) {
  MicroNetworks networks = DraftMicroNetworks(Gibibytes(8));
  EXPECT_EQ(networks.gemm.work, 2.0 * 256 * 1024 * 1024);
  EXPECT_EQ(networks.conv.work, 4 * 2.0 * 56 * 56 * 64 * 64 * 9);
  EXPECT_EQ(networks.depthwise.work, 4 * 2.0 * 56 * 56 * 128 * 9);
  EXPECT_EQ(networks.elementwise.work, 9.0 * (24 << 20));
  EXPECT_EQ(networks.chain.work, 200);
}

TEST(MicroNetworks, CountTheNodesOfTheChain) {
  EXPECT_EQ(DraftMicroNetworks(Gibibytes(8)).chain.draft.graph.nodes.size(),
            200u);
}

TEST(MicroNetworks, UseSmallerTensorsOnASmallDevice) {
  EXPECT_EQ(DraftMicroNetworks(Mebibytes(128)).elementwise.work,
            9.0 * (8 << 20));
  EXPECT_EQ(DraftMicroNetworks(Mebibytes(1)).elementwise.work, 9.0 * (1 << 20));
}

}  // namespace
}  // namespace mete
