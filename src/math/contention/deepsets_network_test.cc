#include "contention/deepsets_network.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

TEST(DeepSetsNetwork, ForNineApplicationsHas4796Parameters) {
  EXPECT_EQ(EmptyDeepSets(9).ParameterCount(), 4796u);
}

// Values of x Phi(x) from tables of the normal distribution.
TEST(DeepSetsNetwork, GeluIsExact) {
  EXPECT_EQ(Gelu(0), 0);
  EXPECT_NEAR(Gelu(1), 0.8413447460685429, 1e-15);
  EXPECT_NEAR(Gelu(-1), -0.15865525393145707, 1e-15);
  EXPECT_NEAR(Gelu(-9), 0, 1e-17);
}

TEST(DeepSetsNetwork, ANetworkOfZerosPredictsOne) {
  auto times = EmptyDeepSets(2).Evaluate({.rate = 3}, {});
  for (double time : times) EXPECT_EQ(time, 1);
}

TEST(DeepSetsNetwork, TheContextCountsAsASum) {
  DeepSetsNetwork network = EmptyDeepSets(1);
  // The first feature after the embedding, instances, runs through to the pool
  // and from there to the first output.
  network.element[0].weights[5] = 160;
  network.element[1].weights[0] = 1;
  network.element[2].weights[0] = 1;
  network.time[0].weights[0] = 1;
  network.time[1].weights[0] = 1;
  network.time[2].weights[0] = 0.01F;
  const DeepSetsElement four{.instances = 4};  // large: GELU is the identity
  const std::vector<DeepSetsElement> two(2, four);
  EXPECT_NEAR(std::log(network.Evaluate({}, {{four}})[0]), 0.4, 1e-6);
  EXPECT_NEAR(std::log(network.Evaluate({}, two)[0]), 0.8, 1e-6);
}

TEST(DeepSetsNetwork, EveryPartMustHaveItsSize) {
  DeepSetsNetwork network = EmptyDeepSets(2);
  EXPECT_TRUE(network.Fits(2));
  EXPECT_FALSE(network.Fits(3));
  network.time[1].biases.pop_back();
  EXPECT_FALSE(network.Fits(2));
}

}  // namespace
}  // namespace mete
