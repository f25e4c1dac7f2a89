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

// On a busy machine, one call of fifty waits for milliseconds in whatever node
// it has reached.
TEST(SummariseNodes, LeavesOutCallsThatWereInterrupted) {
  std::vector<NodeTime> times;
  for (size_t call = 0; call < 5; ++call) {
    times.push_back(
        {.name = "large", .op = "Conv", .iteration = call, .seconds = 0.003});
    times.push_back({.name = "small",
                     .op = "Relu",
                     .iteration = call,
                     .seconds = call == 2 ? 0.04 : 0.001});
  }
  auto layers = SummariseNodes(times, 0);
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_NEAR(layers[0].share, 0.75, 1e-12);
  EXPECT_NEAR(layers[1].mean.count(), 0.001, 1e-12);
  EXPECT_NEAR(layers[1].stddev.count(), 0, 1e-9);
  EXPECT_EQ(layers[1].calls, 4u);
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

TEST(SummariseNodes, CountsTheNodesOfABranchOnce) {
  auto at = [](const char* name, const char* op, double start,
               double length) -> NodeTime {
    return {.name = name, .op = op, .start = start, .seconds = length};
  };
  // The engine reports a node when it ends: inner nodes come first.
  auto layers =
      SummariseNodes({at("body", "Conv", 1.1, 0.3), at("inner", "If", 1.5, 0.2),
                      at("deep", "Relu", 1.5, 0.1), at("outer", "Loop", 1, 1),
                      at("after", "Conv", 2, 0.5)},
                     0);
  ASSERT_EQ(layers.size(), 5u);
  EXPECT_NEAR(layers[0].mean.count(), 0.3, 1e-12);
  EXPECT_NEAR(layers[1].mean.count(), 0.1, 1e-12);
  EXPECT_NEAR(layers[2].mean.count(), 0.1, 1e-12);
  EXPECT_NEAR(layers[3].mean.count(), 0.5, 1e-12);
  EXPECT_NEAR(layers[4].share, 0.5 / 1.5, 1e-12);
}

TEST(SummariseNodes, NoTimesGiveNoNodes) {
  EXPECT_TRUE(SummariseNodes({}, 0).empty());
}

}  // namespace
}  // namespace mete
