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

TEST(Conditions, AssumedSpeedsGrowWithTheClockAndTheCpusThatThreadsCanUse) {
  DeviceFacts facts{.architecture = "x86_64", .max_frequency_hz = 3e9};
  EngineSpeed two = AssumedSpeed(facts, 4, 2);
  EXPECT_EQ(two.threads, 2);
  EXPECT_DOUBLE_EQ(two.gemm_flops_per_second, 16 * 3e9 * 2);
  EXPECT_DOUBLE_EQ(two.conv_flops_per_second, 0.8 * 16 * 3e9 * 2);
  EXPECT_DOUBLE_EQ(two.depthwise_flops_per_second, 0.15 * 16 * 3e9 * 2);
  EXPECT_DOUBLE_EQ(two.elementwise_bytes_per_second, 8e9);
  EXPECT_DOUBLE_EQ(two.node_seconds, 8000 / 3e9);
  // Half a CPU runs four threads at half the speed of one.
  EngineSpeed half = AssumedSpeed(facts, 0.5, 4);
  EXPECT_DOUBLE_EQ(half.gemm_flops_per_second, 16 * 3e9 / 2);
  EXPECT_DOUBLE_EQ(half.node_seconds, 2 * 8000 / 3e9);
}

TEST(Conditions, AssumedSpeedsDependOnTheArchitecture) {
  auto gemm = [](const std::string& architecture) {
    return AssumedSpeed({.architecture = architecture}, 1, 1)
        .gemm_flops_per_second;
  };
  EXPECT_DOUBLE_EQ(gemm("x86_64"), 32e9);  // at 2 GHz, if the clock is unknown
  EXPECT_DOUBLE_EQ(gemm("aarch64"), 12e9);
  EXPECT_DOUBLE_EQ(gemm("riscv64"), 4e9);
}

TEST(Conditions, AssumptionsSayWhatIsUnknown) {
  EXPECT_EQ(DescribeAssumption({.cores = 1}), "1 core (clock unknown)");
}

TEST(Conditions, UsesTheNearestMicroMeasurement) {
  ClusterNode node = Board();
  EngineSpeed two = TestSpeed(1);
  two.threads = 2;
  node.micro = MicroMeasurements{.speeds = {TestSpeed(0.3), two}};
  // None was made with four threads: the last has the most.
  EXPECT_EQ(ConditionsFor(node)->speed, two);
  node.micro->speeds.clear();
  EXPECT_TRUE(ConditionsFor(node)->assumed);
}

TEST(Conditions, ComeFromTheFactsOfTheNode) {
  ClusterNode node = Board();
  DeviceConditions conditions = *ConditionsFor(node);
  EXPECT_EQ(conditions.cpus, 4);
  EXPECT_EQ(conditions.threads, 4);
  EXPECT_EQ(conditions.ram_bytes, 4294967296.0);
  node.facts.ram = Bytes{0};
  node.load.reset();
  conditions = *ConditionsFor(node);
  EXPECT_FALSE(conditions.ram_bytes);
  EXPECT_EQ(conditions.load, 0);
  node.load = 1.5;
  EXPECT_EQ(ConditionsFor(node)->load, 1);
  node.load = -0.5;
  EXPECT_EQ(ConditionsFor(node)->load, 0);
}

TEST(Conditions, OfARowUseTheSpeedAtItsThreads) {
  LatencyRow row = TestRows({.networks = 1, .speeds = {1}, .loads = {0}})[0];
  row.cpus = 3;
  row.ram_bytes = 5;
  row.load.reset();
  row.one_thread = TestSpeed(1);
  row.all_threads = TestSpeed(3);
  row.threads = 1;
  EXPECT_EQ(ConditionsFor(row)->speed, TestSpeed(1));
  EXPECT_EQ(ConditionsFor(row)->load, 0);
  row.threads = 2;
  row.load = 0.25;
  DeviceConditions conditions = *ConditionsFor(row);
  EXPECT_EQ(conditions.speed, TestSpeed(3));
  EXPECT_EQ(conditions.threads, 2);
  EXPECT_EQ(conditions.cpus, 3);
  EXPECT_EQ(conditions.ram_bytes, 5);
  EXPECT_EQ(conditions.load, 0.25);
  row.all_threads.reset();
  EXPECT_FALSE(ConditionsFor(row));
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
