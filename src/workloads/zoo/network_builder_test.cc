#include "zoo/network_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

using testing::ElementsAre;

// The only uniform fill of `elements` or more in a draft.
double FindBound(const NetworkDraft& draft, uint64_t elements) {
  for (const Constant& constant : draft.graph.constants) {
    auto fill = draft.fills.find(constant.name);
    if (fill != draft.fills.end() && *ElementCount(constant.sizes) >= elements)
      return std::get<UniformFill>(fill->second).bound;
  }
  ADD_FAILURE() << "no such weight";
  return 0;
}

TEST(NetworkBuilder, AConvolutionPadsByHalfItsKernel) {
  NetworkBuilder net("n", {3, 32, 32});
  Value x = net.Conv(net.input(), {.channels = 8, .kernel = 5});
  EXPECT_THAT(x.sizes, ElementsAre(8, 32, 32));
}

TEST(NetworkBuilder, AStrideDropsTheIncompleteLastWindow) {
  NetworkBuilder net("n", {3, 224, 224});
  Value x = net.Conv(net.input(),
                     {.channels = 8, .kernel = 11, .stride = 4, .padding = 2});
  EXPECT_THAT(x.sizes, ElementsAre(8, 55, 55));
}

TEST(NetworkBuilder, APoolMayKeepTheIncompleteLastWindow) {
  NetworkBuilder net("n", {3, 112, 112});
  const PoolOptions down{.kernel = 3, .stride = 2};
  const PoolOptions up{.kernel = 3, .stride = 2, .ceil = true};
  EXPECT_THAT(net.MaxPool(net.input(), down).sizes, ElementsAre(3, 55, 55));
  EXPECT_THAT(net.MaxPool(net.input(), up).sizes, ElementsAre(3, 56, 56));
}

TEST(NetworkBuilder, ConcatenationAddsTheChannels) {
  NetworkBuilder net("n", {3, 8, 8});
  Value wide = net.Conv(net.input(), {.channels = 5});
  EXPECT_THAT(net.Concat({net.input(), wide}).sizes, ElementsAre(8, 8, 8));
}

TEST(NetworkBuilder, CountsTheWorkOfAGroupedConvolution) {
  NetworkBuilder net("n", {8, 10, 10});
  net.Conv(net.input(), {.channels = 8, .kernel = 3, .groups = 8});
  EXPECT_EQ(net.macs(), 8u * 10 * 10 * 9);
  EXPECT_EQ(net.weights(), 72u);
}

TEST(NetworkBuilder, CountsTheWorkOfAttention) {
  NetworkBuilder net("n", {10, 8});
  net.SelfAttention(net.input(), 2);
  // Four projections, then scores and mixture: 10 x 10 x 8 each.
  EXPECT_EQ(net.macs(), 4u * 10 * 8 * 8 + 2 * 10 * 10 * 8);
}

TEST(NetworkBuilder, CountsTheWorkOfEveryRecurrentStep) {
  NetworkBuilder net("n", {20, 3});
  Value x = net.Recurrent(net.input(), {.cell = Cell::kGru, .hidden = 5});
  EXPECT_EQ(net.macs(), 20u * 3 * 5 * (3 + 5));
  EXPECT_THAT(x.sizes, ElementsAre(5));
}

TEST(NetworkBuilder, WeightsAfterALinearLayerHaveTheBoundOfGlorot) {
  NetworkBuilder net("n", {100});
  Value x = net.Linear(net.input(), 100);
  NetworkDraft draft = std::move(net).Finish(x, 0);
  EXPECT_DOUBLE_EQ(FindBound(draft, 10'000), std::sqrt(3.0 / 100));
}

TEST(NetworkBuilder, WeightsAfterARectifierHaveTheBoundOfHe) {
  NetworkBuilder net("n", {100});
  Value x = net.Linear(net.input(), 50);
  x = net.Linear(net.Activate(x, Activation::kRelu), 1000);
  NetworkDraft draft = std::move(net).Finish(x, 0);
  EXPECT_DOUBLE_EQ(FindBound(draft, 50'000), std::sqrt(6.0 / 50));
}

TEST(NetworkBuilder, AnAdditionMakesTheNextLayersWeightsSmaller) {
  NetworkBuilder net("n", {100});
  Value x = net.Linear(net.Add(net.input(), net.input()), 100);
  NetworkDraft draft = std::move(net).Finish(x, 0);
  EXPECT_DOUBLE_EQ(FindBound(draft, 10'000), std::sqrt(3.0 / 200));
}

TEST(NetworkBuilderDeathTest, ValuesOfDifferentSizesCannotBeAdded) {
  NetworkBuilder net("n", {4});
  Value wide = net.Linear(net.input(), 5);
  EXPECT_DEATH(net.Add(net.input(), wide), "differ");
}

}  // namespace
}  // namespace mete
