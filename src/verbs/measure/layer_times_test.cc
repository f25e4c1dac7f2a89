#include "measure/layer_times.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(SummariseNodes, AveragesOverCallsAndComputesShares) {
  auto layers = SummariseNodes(
      {{.name = "a", .op = "Conv", .iteration = 0, .seconds = 0.001},
       {.name = "b", .op = "Relu", .iteration = 0, .seconds = 0.002},
       {.name = "a", .op = "Conv", .iteration = 1, .seconds = 0.003},
       {.name = "b", .op = "Relu", .iteration = 1, .seconds = 0.002}},
      0);
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].name, "a");
  EXPECT_EQ(layers[0].calls, 2u);
  EXPECT_DOUBLE_EQ(layers[0].mean.count(), 0.002);
  EXPECT_NEAR(layers[0].stddev.count(), 0.001414214, 1e-9);
  EXPECT_DOUBLE_EQ(layers[0].share, 0.5);
  EXPECT_DOUBLE_EQ(layers[1].stddev.count(), 0);
}

TEST(SummariseNodes, IgnoresTheFirstCalls) {
  auto layers = SummariseNodes(
      {{.name = "a", .op = "Conv", .iteration = 0, .seconds = 1},
       {.name = "a", .op = "Conv", .iteration = 1, .seconds = 0.002}},
      1);
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_DOUBLE_EQ(layers[0].mean.count(), 0.002);
}

TEST(SummariseNodes, AddsUpANodeThatALoopCallsTwice) {
  auto layers = SummariseNodes(
      {{.name = "a", .op = "Conv", .iteration = 0, .seconds = 0.002},
       {.name = "a", .op = "Conv", .iteration = 0, .seconds = 0.003}},
      0);
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers[0].calls, 2u);
  EXPECT_DOUBLE_EQ(layers[0].mean.count(), 0.005);
}

TEST(SummariseNodes, NoTimesGiveNoNodes) {
  EXPECT_TRUE(SummariseNodes({}, 0).empty());
}

}  // namespace
}  // namespace mete
