#include "describe/legacy_counts.h"

#include <gtest/gtest.h>

#include "describe/test_network.h"

namespace mete {
namespace {

TEST(LegacyCounts, SumFiltersOfConvolutionsWithInitializers) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8}).Input("v", {5, 3, 1, 1});
  sketch.Weight("w", {64, 3, 3, 3}).Weight("u", {32, 64, 1, 1});
  sketch.Add("Conv", {"x", "w"}, {"a"}).Add("Conv", {"a", "u"}, {"b"});
  sketch.Add("Conv", {"x", "v"}, {"c"});  // its weight is not an initializer
  LegacyCounts counts = CountLegacy(sketch.graph());
  EXPECT_EQ(counts.conv_layers, 2u);
  EXPECT_EQ(counts.filter_details, 96u);
  EXPECT_EQ(counts.network_type, "CNN");
}

TEST(LegacyCounts, IgnoreOtherConvolutionsAndPools) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8}).Weight("w", {3, 3, 3, 3});
  for (const char* op : {"ConvTranspose", "FusedConv", "QLinearConv",
                         "GlobalMaxPool", "LpPool"}) {
    sketch.Add(op, {"x", "w"}, {op});
  }
  LegacyCounts counts = CountLegacy(sketch.graph());
  EXPECT_EQ(counts.conv_layers, 0u);
  EXPECT_EQ(counts.pool_layers, 0u);
}

TEST(LegacyCounts, CountThreeKindsOfPools) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8});
  for (const char* op : {"MaxPool", "AveragePool", "GlobalAveragePool"}) {
    sketch.Add(op, {"x"}, {op});
  }
  EXPECT_EQ(CountLegacy(sketch.graph()).pool_layers, 3u);
}

TEST(LegacyCounts, CountAMatMulAfterFlattenOrWithAnInitializer) {
  NetworkSketch sketch;
  sketch.Input("x", {2, 4}).Input("z", {4, 4}).Weight("w", {4, 4});
  sketch.Add("Flatten", {"x"}, {"f"});
  sketch.Add("MatMul", {"f", "z"}, {"a"});  // counts
  sketch.Add("MatMul", {"x", "w"}, {"b"});  // counts
  sketch.Add("MatMul", {"x", "z"}, {"c"});  // does not
  sketch.Add("Gemm", {"x", "z"}, {"d"});    // counts
  EXPECT_EQ(CountLegacy(sketch.graph()).fc_layers, 3u);
}

TEST(LegacyCounts, CountAConvolutionAfterAGlobalPoolTwice) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4, 8, 8}).Weight("w", {10, 4, 1, 1});
  sketch.Add("GlobalAveragePool", {"x"}, {"p"}).Add("Conv", {"p", "w"}, {"y"});
  LegacyCounts counts = CountLegacy(sketch.graph());
  EXPECT_EQ(counts.conv_layers, 1u);
  EXPECT_EQ(counts.fc_layers, 1u);
}

TEST(LegacyCounts, SumAllInitializersAndCountAScalarAsOne) {
  NetworkSketch sketch;
  sketch.Weight("w", {3, 4}).Integers("shape", {1, 2}).Scalar("s", 7);
  EXPECT_EQ(CountLegacy(sketch.graph()).total_parameters, 12u + 2 + 1);
}

TEST(LegacyCounts, IgnoreSparseInitializersAndConstantNodes) {
  NetworkSketch sketch;
  sketch.Weight("w", {3, 4});
  sketch.graph().constants[0].sparse = true;
  sketch.Add("Constant", {}, {"c"}, {{"value", Constant{.sizes = {5}}}});
  EXPECT_EQ(CountLegacy(sketch.graph()).total_parameters, 0u);
}

TEST(LegacyCounts, ClassifyANetworkByItsOperators) {
  auto type_of = [](std::vector<std::string> ops) {
    NetworkSketch sketch;
    for (const std::string& op : ops) sketch.Add(op, {"x"}, {});
    return CountLegacy(sketch.graph()).network_type;
  };
  EXPECT_EQ(type_of({"LSTM", "Conv"}), "CNN");
  EXPECT_EQ(type_of({"GRU", "Gemm"}), "RNN");
  EXPECT_EQ(type_of({"Gemm", "Gemm"}), "MLP");
  EXPECT_EQ(type_of({"Gemm", "Relu"}), "Unknown");
  EXPECT_EQ(type_of({"Gemm", "MultiHeadAttention"}), "Transformer");
}

}  // namespace
}  // namespace mete
