#include "gpu_packing/gpu_prices.h"

#include <gtest/gtest.h>

#include "gpu_packing/test_pods.h"

namespace mete {
namespace {

double WorthOf(const std::vector<PricedShape>& priced, const PodShape& shape) {
  for (const PricedShape& pod : priced) {
    if (pod.shape == shape) return pod.worth;
  }
  return -1;
}

TEST(GpuPrices, AreTheGpusOfPodsThatAreNotRare) {
  const std::vector<FreeNode> nodes(10, NodeWith({1000}));
  const std::vector<PodShare> mix = {{.shape = PodWith(500), .share = 1}};
  const auto priced = PriceShapes(nodes, {.mix = mix, .level = 1.1}).value();
  EXPECT_NEAR(WorthOf(priced, PodWith(500)), 500, 1e-6);
}

// Nine pods of 800 for each pod of 200: most gaps of 200 stay empty, so another
// pod of 200 is served at once, and a gap is worth nothing.
TEST(GpuPrices, RarePodsThatFillGapsAreWorthNothing) {
  const std::vector<FreeNode> nodes(100, NodeWith({1000}));
  const std::vector<PodShare> mix = {{.shape = PodWith(800), .share = 0.9},
                                     {.shape = PodWith(200), .share = 0.1}};
  const auto priced = PriceShapes(nodes, {.mix = mix, .level = 1.05}).value();
  EXPECT_NEAR(WorthOf(priced, PodWith(800)), 800, 1e-6);
  EXPECT_NEAR(WorthOf(priced, PodWith(200)), 0, 1e-6);
}

// One pod of 800 for each pod of 200: every gap is filled.
TEST(GpuPrices, PodsThatFillGapsOfEqualNumberAreWorthTheirGpu) {
  const std::vector<FreeNode> nodes(100, NodeWith({1000}));
  const std::vector<PodShare> mix = {{.shape = PodWith(800), .share = 0.4},
                                     {.shape = PodWith(200), .share = 0.6}};
  const auto priced = PriceShapes(nodes, {.mix = mix, .level = 1.05}).value();
  EXPECT_NEAR(WorthOf(priced, PodWith(200)), 200, 1e-6);
}

// A rare pod that needs little CPU must not make every gap without CPU useful.
TEST(GpuPrices, PodsWithTheSameGpusAreOneWithTheirMeanCpu) {
  const std::vector<FreeNode> nodes(10, NodeWith({1000}));
  PodShape little = PodWith(500);
  little.cpu_milli = 0;
  const std::vector<PodShare> mix = {{.shape = PodWith(500), .share = 0.75},
                                     {.shape = little, .share = 0.25}};
  const auto priced = PriceShapes(nodes, {.mix = mix, .level = 1.1}).value();
  ASSERT_EQ(priced.size(), 1u);
  EXPECT_EQ(priced[0].shape.cpu_milli, 3000);
  EXPECT_NEAR(priced[0].worth, 500, 1e-6);
}

TEST(GpuPrices, LeaveOutPodsWithoutGpus) {
  const std::vector<FreeNode> nodes(1, NodeWith({1000}));
  const std::vector<PodShare> mix = {{.shape = PodOfCpus(1000), .share = 1}};
  EXPECT_TRUE(PriceShapes(nodes, {.mix = mix}).value().empty());
}

TEST(GpuPrices, TheUnitDividesEveryGap) {
  const std::vector<PodShare> mix = {{.shape = PodWith(450), .share = 0.5},
                                     {.shape = PodWith(300), .share = 0.5}};
  EXPECT_EQ(GpuUnit(mix), 50);
  EXPECT_EQ(GpuUnit({}), 1000);
}

}  // namespace
}  // namespace mete
