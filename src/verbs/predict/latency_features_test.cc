#include "predict/latency_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "predict/test_rows.h"

namespace mete {
namespace {

using testing::ElementsAre;

// Every number is a power of two, or one less, so that columns are whole.
NetworkTraits SmallTraits() {
  NetworkTraits network;
  network.batch = 4;
  network.nodes = 15;
  network.depth = 30;
  network.flops = 1024;
  network.weight_bytes = 255;
  network.activation_bytes = 257;
  network.peak_activation_bytes = 1;
  network.input_bytes = 31;
  network.output_bytes = 7;
  network.work[static_cast<size_t>(WorkClass::kGemm)] = {.nodes = 3,
                                                         .flops = 21,
                                                         .bytes = 1,
                                                         .log_depth = 9,
                                                         .log_channels = 5,
                                                         .log_positions = 2};
  network.work[static_cast<size_t>(WorkClass::kPool)] = {
      .nodes = 1, .flops = 1e9, .bytes = 21};
  return network;
}

// One second for an operation, a byte, and a third of a node.
DeviceConditions Device() {
  return {.cpus = 2,
          .threads = 4,
          .ram_bytes = 1024,
          .speed = {.threads = 4,
                    .gemm_flops_per_second = 1,
                    .conv_flops_per_second = 2,
                    .depthwise_flops_per_second = 0.25,
                    .elementwise_bytes_per_second = 1,
                    .node_seconds = 1.4},
          .load = 0.5};
}

class LatencyFeaturesTest : public testing::Test {
 protected:
  float Value(const std::string& name) const {
    const auto& columns = FeatureColumns(kind);
    auto found = std::ranges::find(columns, name, &FeatureColumn::name);
    EXPECT_NE(found, columns.end()) << name;
    if (found == columns.end()) return 0;
    return FeatureRow(kind, question,
                      conditions)[static_cast<size_t>(found - columns.begin())];
  }

  FeatureKind kind = FeatureKind::kFull;
  NetworkQuestion question{.traits = SmallTraits()};
  DeviceConditions conditions = Device();
};

TEST_F(LatencyFeaturesTest, SharesAreThoseOfTheEstimate) {
  // 21 s of products, 21 s of moving bytes, 15 nodes of 1.4 s: 63 s.
  EXPECT_FLOAT_EQ(Value("roofline"), static_cast<float>(std::log2(63)));
  EXPECT_FLOAT_EQ(Value("overhead_share"), 1.0F / 3);
  EXPECT_FLOAT_EQ(Value("gemm_share"), 1.0F / 3);
  EXPECT_FLOAT_EQ(Value("pool_share"), 1.0F / 3);
  EXPECT_FLOAT_EQ(Value("spatial_share"), 0);
}

TEST_F(LatencyFeaturesTest, AClassHasItsNodesAndTheLengthsOfItsLoops) {
  EXPECT_FLOAT_EQ(Value("gemm_nodes"), 2);
  EXPECT_FLOAT_EQ(Value("gemm_work"), 3);  // 7 for each node
  EXPECT_FLOAT_EQ(Value("gemm_depth"), 9);
  EXPECT_FLOAT_EQ(Value("gemm_channels"), 5);
  EXPECT_FLOAT_EQ(Value("gemm_positions"), 2);
  EXPECT_FLOAT_EQ(Value("rnn_work"), 0);
  EXPECT_FLOAT_EQ(Value("pool_nodes"), 1);
}

TEST_F(LatencyFeaturesTest, OnlyClassesThatMultiplyHaveLoops) {
  const auto& columns = FeatureColumns(FeatureKind::kFull);
  auto has = [&](const char* name) {
    return std::ranges::find(columns, name, &FeatureColumn::name) !=
           columns.end();
  };
  EXPECT_TRUE(has("rnn_depth"));
  EXPECT_FALSE(has("pool_depth"));
}

TEST_F(LatencyFeaturesTest, SizesOfTheNetworkAreLogarithms) {
  EXPECT_FLOAT_EQ(Value("operations_per_byte"), 1);
  EXPECT_FLOAT_EQ(Value("weight_bytes"), 8);
  EXPECT_FLOAT_EQ(Value("activation_bytes"),
                  static_cast<float>(std::log2(258)));
  EXPECT_FLOAT_EQ(Value("peak_activation_bytes"), 1);
  EXPECT_FLOAT_EQ(Value("input_bytes"), 5);
  EXPECT_FLOAT_EQ(Value("output_bytes"), 3);
  EXPECT_FLOAT_EQ(Value("nodes"), 4);
  EXPECT_FLOAT_EQ(Value("nodes_over_depth"), -1);
  EXPECT_FLOAT_EQ(Value("batch"), 2);
  EXPECT_FLOAT_EQ(Value("memory_headroom"), 2);  // 1024 over 256
}

TEST_F(LatencyFeaturesTest, UnknownMemoryIsMissing) {
  conditions.ram_bytes.reset();
  EXPECT_TRUE(std::isnan(Value("memory_headroom")));
}

TEST_F(LatencyFeaturesTest, ADeviceIsItsLoadItsCpusAndRatiosOfItsSpeeds) {
  conditions.speed.gemm_flops_per_second = 8;
  conditions.speed.elementwise_bytes_per_second = 2;
  conditions.speed.node_seconds = 4;
  EXPECT_FLOAT_EQ(Value("load"), 0.5);
  EXPECT_FLOAT_EQ(Value("cpus"), 1);
  EXPECT_FLOAT_EQ(Value("threads"), 4);
  EXPECT_FLOAT_EQ(Value("threads_per_cpu"), 1);
  EXPECT_FLOAT_EQ(Value("conv_over_gemm"), -2);
  EXPECT_FLOAT_EQ(Value("depthwise_over_gemm"), -5);
  EXPECT_FLOAT_EQ(Value("flops_over_bytes"), 2);
  EXPECT_FLOAT_EQ(Value("node_flops"), 5);
}

TEST_F(LatencyFeaturesTest, CountsThatWereNotGivenAreMissing) {
  kind = FeatureKind::kCounts;
  question = {.counts = {.conv_layers = 7,
                         .pool_layers = 1,
                         .fc_layers = 0,
                         .filter_details = 63,
                         .input_bytes = 15,
                         .output_bytes = 3}};
  EXPECT_FLOAT_EQ(Value("conv_layers"), 3);
  EXPECT_FLOAT_EQ(Value("pool_layers"), 1);
  EXPECT_FLOAT_EQ(Value("fc_layers"), 0);
  EXPECT_FLOAT_EQ(Value("filter_details"), 6);
  EXPECT_TRUE(std::isnan(Value("total_parameters")));
  EXPECT_FLOAT_EQ(Value("model_input_size"), 4);
  EXPECT_FLOAT_EQ(Value("model_output_size"), 2);
  EXPECT_FLOAT_EQ(Value("load"), 0.5);
}

TEST_F(LatencyFeaturesTest, AQuestionWithoutTraitsIsAnEmptyNetwork) {
  question.traits.reset();
  EXPECT_FLOAT_EQ(Value("nodes"), 0);
  EXPECT_FLOAT_EQ(Value("batch"), 0);
}

TEST(FeatureColumns, OnlyTheLoadIsMonotone) {
  for (FeatureKind kind : {FeatureKind::kFull, FeatureKind::kCounts}) {
    for (const FeatureColumn& column : FeatureColumns(kind)) {
      EXPECT_EQ(column.monotone, column.name == "load" ? 1 : 0) << column.name;
    }
  }
}

TEST(FeatureColumns, KnowWhatTheyAreAPropertyOf) {
  std::vector<std::string> network_only;
  for (const FeatureColumn& column : FeatureColumns(FeatureKind::kFull)) {
    const bool of_class =
        column.name.starts_with("gemm_") || column.name.starts_with("pool_");
    if (of_class) {
      EXPECT_TRUE(column.zero_is_none) << column.name;
      EXPECT_EQ(column.of_device, column.name.ends_with("_share"));
    }
    if (!column.of_device && !column.zero_is_none) {
      network_only.push_back(column.name);
    }
  }
  EXPECT_THAT(
      network_only,
      ElementsAre("operations_per_byte", "weight_bytes", "activation_bytes",
                  "peak_activation_bytes", "input_bytes", "output_bytes",
                  "nodes", "nodes_over_depth", "batch"));
}

TEST(FeatureRows, AreTheRowsOfEveryDevice) {
  NetworkQuestion question{.counts = ToNetworkCounts(TestNetwork(3)),
                           .traits = TestNetwork(3)};
  DeviceConditions slow{.cpus = 0.5, .speed = TestSpeed(0.5), .load = 0.3};
  DeviceConditions fast{.cpus = 4, .threads = 4, .speed = TestSpeed(4)};
  const std::vector<DeviceConditions> devices = {slow, fast};
  for (FeatureKind kind : {FeatureKind::kFull, FeatureKind::kCounts}) {
    FeatureTable table = FeatureRows(kind, question, devices);
    for (size_t i = 0; i < devices.size(); ++i) {
      std::vector<float> row = FeatureRow(kind, question, devices[i]);
      ASSERT_EQ(table.Row(i).size(), row.size());
      for (size_t cell = 0; cell < row.size(); ++cell) {
        bool same = table.Row(i)[cell] == row[cell] ||
                    (std::isnan(table.Row(i)[cell]) && std::isnan(row[cell]));
        EXPECT_TRUE(same) << FeatureColumns(kind)[cell].name;
      }
    }
  }
}

}  // namespace
}  // namespace mete
