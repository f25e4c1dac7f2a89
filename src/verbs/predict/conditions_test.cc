#include "predict/conditions.h"

#include <gtest/gtest.h>

#include "predict/test_rows.h"

namespace mete {
namespace {

ClusterNode Board() {
  ClusterNode node;
  node.name = "board";
  node.facts.architecture = "aarch64";
  node.facts.cores = 4;
  node.facts.max_frequency_hz = 1.5e9;
  node.facts.ram = Bytes{4ull << 30};
  node.load = 0.25;
  return node;
}

TEST(Conditions, MicroMeasurementsTakePrecedenceOverFacts) {
  ClusterNode node = Board();
  EngineSpeed four = TestSpeed(1);
  four.threads = 4;
  node.micro = MicroMeasurements{.speeds = {TestSpeed(0.3), four}};
  DeviceConditions conditions = *ConditionsFor(node);
  EXPECT_EQ(conditions.speed, four);
  EXPECT_FALSE(conditions.assumed);
  EXPECT_EQ(conditions.load, 0.25);
}

TEST(Conditions, SpeedFromFactsIsMarkedAsAssumed) {
  DeviceConditions conditions = *ConditionsFor(Board());
  ASSERT_TRUE(conditions.assumed);
  EXPECT_EQ(DescribeAssumption(Board().facts), "4 aarch64 cores at 1.5 GHz");
  EXPECT_GT(conditions.speed.gemm_flops_per_second, 1e9);
}

TEST(Conditions, NodeNameAndDeviceModelAreIgnored) {
  ClusterNode other = Board();
  other.name = "jetson-1";
  other.device_model = "Raspberry Pi 4 Model B";
  EXPECT_EQ(ConditionsFor(other)->speed, ConditionsFor(Board())->speed);
}

TEST(Conditions, NodeWithoutCoreCountHasNoConditions) {
  ClusterNode node = Board();
  node.facts.cores = 0;
  EXPECT_FALSE(ConditionsFor(node));
}

TEST(Conditions, AppliesLimitsOfAnEmulatedDevice) {
  ClusterNode node = Board();
  node.limits = Limits{.cpus = Millicores{500}, .threads = 1};
  DeviceConditions conditions = *ConditionsFor(node);
  EXPECT_EQ(conditions.cpus, 0.5);
  EXPECT_EQ(conditions.threads, 1);
}

}  // namespace
}  // namespace mete
