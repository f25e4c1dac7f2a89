#include "predict/roofline.h"

#include <gtest/gtest.h>

#include "predict/test_rows.h"

namespace mete {
namespace {

TEST(Roofline, WorkTakesTheLongerOfComputeAndMemoryTime) {
  NetworkTraits network;
  ClassWork& gemm = network.work[static_cast<size_t>(WorkClass::kGemm)];
  gemm = {.nodes = 1, .flops = 20e9, .bytes = 4e9};
  network.nodes = 3;
  RooflineTerms terms = ComputeTerms(network, TestSpeed(1));
  EXPECT_DOUBLE_EQ(terms[static_cast<size_t>(WorkClass::kGemm)], 2);
  EXPECT_DOUBLE_EQ(terms[kOverheadTerm], 6e-6);
  network.work[static_cast<size_t>(WorkClass::kGemm)].bytes = 40e9;
  EXPECT_DOUBLE_EQ(
      ComputeTerms(network,
                   TestSpeed(1))[static_cast<size_t>(WorkClass::kGemm)],
      10);
}

TEST(Roofline, EveryClassHasItsOwnRate) {
  const EngineSpeed speed{.gemm_flops_per_second = 1,
                          .conv_flops_per_second = 2,
                          .depthwise_flops_per_second = 4,
                          .elementwise_bytes_per_second = 8};
  auto seconds = [&](WorkClass which) {
    NetworkTraits network;
    network.work[static_cast<size_t>(which)] = {.flops = 16, .bytes = 8};
    return ComputeTerms(network, speed)[static_cast<size_t>(which)];
  };
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kPointwise), 16);
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kGemm), 16);
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kAttention), 16);
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kRnn), 16);
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kSpatial), 8);
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kDepthwise), 4);
  EXPECT_DOUBLE_EQ(seconds(WorkClass::kSoftmax), 1);  // moves bytes only
}

TEST(Roofline, AnEmptyNetworkTakesATinyTime) {
  EXPECT_DOUBLE_EQ(Roofline{}.Seconds({}, 2), 2e-9);
}

TEST(Slowdown, FollowsFromTheFreeCpus) {
  EXPECT_DOUBLE_EQ(Slowdown({.cpus = 4, .threads = 4, .load = 0.5}), 2);
  // One thread finds a free core.
  EXPECT_DOUBLE_EQ(Slowdown({.cpus = 4, .threads = 1, .load = 0.5}), 1);
  EXPECT_DOUBLE_EQ(Slowdown({.cpus = 0.5, .threads = 1, .load = 0.5}), 2);
  // A fair scheduler leaves some CPU time even on a fully loaded machine.
  EXPECT_DOUBLE_EQ(Slowdown({.cpus = 1, .threads = 1, .load = 1}), 20);
}

TEST(Roofline, AddsTermsAndAppliesTheSlowdown) {
  RooflineTerms terms{};
  terms[0] = 1;
  terms[kOverheadTerm] = 2;
  EXPECT_DOUBLE_EQ(Roofline{}.Seconds(terms, 4), 12);
  EXPECT_DOUBLE_EQ(Roofline{.load_exponent = 0.5}.Seconds(terms, 4), 6);
}

TEST(LoadExponent, IsRecoveredFromExactRows) {
  std::vector<LoadRow> rows;
  for (const LatencyRow& row : TestRows()) {
    rows.push_back({.slowdown = Slowdown(*ConditionsFor(row)),
                    .seconds = *row.seconds,
                    .device = row.device,
                    .pair = row.network.name + row.device});
  }
  EXPECT_NEAR(LoadExponent(rows), 1, 0.02);
}

TEST(LoadExponent, IsTheSmallestOfAllDevices) {
  // On "even" the time follows the slowdown, on "steep" its square root from
  // the second load on.
  std::vector<LoadRow> rows;
  for (int network = 0; network < 5; ++network) {
    for (double slowdown : {1.0, 2.0, 4.0}) {
      for (const char* device : {"even", "steep"}) {
        double seconds = slowdown;
        if (std::string(device) == "steep" && slowdown > 1) {
          seconds = 3 * std::sqrt(slowdown);
        }
        rows.push_back({.slowdown = slowdown,
                        .seconds = seconds,
                        .device = device,
                        .pair = device + std::to_string(network)});
      }
    }
  }
  EXPECT_NEAR(LoadExponent(rows), 0.5, 1e-9);
}

// Two loads that differ by less than 10 % of time show mostly noise, and two
// pairs are too few for a median.
TEST(LoadExponent, IgnoresNeighbouringLoadsAndFewPairs) {
  auto make = [](int pairs, double second) {
    std::vector<LoadRow> rows;
    for (int pair = 0; pair < pairs; ++pair) {
      const std::string name = std::to_string(pair);
      rows.push_back(
          {.slowdown = 1, .seconds = 1, .device = "a", .pair = name});
      rows.push_back({.slowdown = second,
                      .seconds = std::sqrt(second),
                      .device = "a",
                      .pair = name});
    }
    return rows;
  };
  EXPECT_EQ(LoadExponent(make(5, 1.09)), 1);
  EXPECT_NEAR(LoadExponent(make(5, 1.12)), 0.5, 1e-9);
  EXPECT_EQ(LoadExponent(make(2, 4)), 1);
  EXPECT_NEAR(LoadExponent(make(3, 4)), 0.5, 1e-9);
}

TEST(LoadExponent, IsNeverNegative) {
  std::vector<LoadRow> rows;
  for (int pair = 0; pair < 3; ++pair) {
    const std::string name = std::to_string(pair);
    rows.push_back({.slowdown = 1, .seconds = 2, .device = "a", .pair = name});
    rows.push_back({.slowdown = 2, .seconds = 1, .device = "a", .pair = name});
  }
  EXPECT_EQ(LoadExponent(rows), 0);
}

TEST(LoadExponent, IsOneWithoutRows) { EXPECT_EQ(LoadExponent({}), 1); }

}  // namespace
}  // namespace mete
