#include "describe/layer_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "describe/legacy_counts.h"
#include "describe/test_network.h"

namespace mete {
namespace {

using testing::Contains;
using testing::HasSubstr;

Attribute Stored(std::vector<int64_t> sizes,
                 ElementType type = ElementType::kFloat) {
  uint64_t bytes = *ElementCount(sizes) * 4;
  return {
      "value",
      Constant{.type = type, .sizes = std::move(sizes), .stored_bytes = bytes}};
}

Constant Typed(std::string name, ElementType type, std::vector<int64_t> sizes) {
  return {.name = std::move(name), .type = type, .sizes = std::move(sizes)};
}

TEST(LayerCounts, FindWeightsInConstantNodes) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8});
  sketch.Add("Constant", {}, {"w"}, {Stored({16, 3, 3, 3})});
  sketch.Add("Constant", {}, {"b"}, {Stored({16})});
  sketch.Add("Conv", {"x", "w", "b"}, {"y"}).Output("y");
  LayerCounts counts = CountLayers(sketch.graph());
  EXPECT_EQ(counts.convolutions, 1u);
  EXPECT_EQ(counts.filters, 16u);
  EXPECT_EQ(counts.parameters, 16u * 27 + 16);
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.layer_counts.kind, "CNN");
  EXPECT_THAT(described.notes,
              Contains(HasSubstr("0 convolutions instead of 1, 0 parameters "
                                 "instead of 448")));
}

TEST(LayerCounts, LeaveOutRunningStatisticsAndLimits) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4, 8, 8});
  for (const char* name : {"scale", "bias", "mean", "var"}) {
    sketch.Weight(name, {4});
  }
  sketch.Weight("low", {}).Weight("high", {}).Integers("to", {1, -1});
  sketch.Add("BatchNormalization", {"x", "scale", "bias", "mean", "var"},
             {"a"});
  sketch.Add("Clip", {"a", "low", "high"}, {"b"});
  sketch.Add("Reshape", {"b", "to"}, {"y"}).Output("y");
  EXPECT_EQ(CountLayers(sketch.graph()).parameters, 8u);
  EXPECT_EQ(CountLegacy(sketch.graph()).total_parameters, 20u);
}

// PP-OCR learns one scale per block, stored as a vector of one element. The 3
// and 6 of its hard swish are scalars.
TEST(LayerCounts, TakeScalarsInFormulasForPlainNumbers) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).Weight("learned", {1}).Weight("three", {});
  sketch.Add("Mul", {"learned", "x"}, {"a"}).Add("Add", {"a", "three"}, {"y"});
  EXPECT_EQ(CountLayers(sketch.graph()).parameters, 1u);
}

TEST(LayerCounts, CountQuantizedLayersWithoutTheirScales) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8});
  auto& constants = sketch.graph().constants;
  constants.push_back(Typed("w", ElementType::kUint8, {8, 3, 3, 3}));
  constants.push_back(Typed("w_zero", ElementType::kUint8, {}));
  constants.push_back(Typed("v", ElementType::kInt8, {10, 8, 1, 1}));
  constants.push_back(Typed("v_bias", ElementType::kInt32, {10}));
  constants.push_back(Typed("m", ElementType::kInt8, {20, 5}));
  sketch.Weight("s", {}).Weight("many", {10});
  sketch.Add("DynamicQuantizeLinear", {"x"}, {"q", "qs", "qz"});
  sketch.Add("ConvInteger", {"q", "w", "qz", "w_zero"}, {"a"});
  sketch.Add(
      "QLinearConv",
      {"a", "s", "w_zero", "v", "many", "w_zero", "s", "w_zero", "v_bias"},
      {"b"});
  sketch.Add("MatMulInteger", {"b", "m"}, {"y"});
  LayerCounts counts = CountLayers(sketch.graph());
  EXPECT_EQ(counts.convolutions, 2u);
  EXPECT_EQ(counts.filters, 18u);
  EXPECT_EQ(counts.dense_layers, 1u);
  EXPECT_EQ(counts.parameters, 8u * 27 + 80 + 10 + 100);
}

TEST(LayerCounts, FollowAWeightThatIsDequantizedAndTransposed) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 5}).Weight("s", {7});
  sketch.graph().constants.push_back(Typed("w", ElementType::kInt8, {7, 5}));
  sketch.graph().constants.push_back(Typed("z", ElementType::kInt8, {7}));
  sketch.Add("DequantizeLinear", {"w", "s", "z"}, {"d"});
  sketch.Add("Transpose", {"d"}, {"t"}).Add("MatMul", {"x", "t"}, {"y"});
  LayerCounts counts = CountLayers(sketch.graph());
  EXPECT_EQ(counts.parameters, 35u);
  EXPECT_EQ(counts.dense_layers, 1u);
}

// Some exporters write out what DequantizeLinear does.
TEST(LayerCounts, FollowAWeightThatIsDequantizedByAFormula) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8}).Weight("scale", {1}).Weight("zero", {1});
  sketch.graph().constants.push_back(
      Typed("w", ElementType::kInt8, {8, 3, 3, 3}));
  sketch.Add("Cast", {"w"}, {"c"}, {IntegerAttribute("to", 1)});
  sketch.Add("Mul", {"c", "scale"}, {"m"}).Add("Add", {"m", "zero"}, {"d"});
  sketch.Add("Conv", {"x", "d"}, {"y"});
  LayerCounts counts = CountLayers(sketch.graph());
  EXPECT_EQ(counts.parameters, 8u * 27);
  EXPECT_EQ(counts.filters, 8u);
}

TEST(LayerCounts, CountPackedWeightsOneByOne) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 32}).Weight("s", {16});
  sketch.graph().constants.push_back(
      Typed("w", ElementType::kUint8, {16, 1, 16}));
  sketch.Add("MatMulNBits", {"x", "w", "s"}, {"y"},
             {IntegerAttribute("K", 32), IntegerAttribute("N", 16),
              IntegerAttribute("bits", 4)});
  EXPECT_EQ(CountLayers(sketch.graph()).parameters, 32u * 16);
}

// A recurrent cell whose outer weights are rearranged inside a branch.
TEST(LayerCounts, CountBothBranchesAndOuterWeightsUsedInside) {
  auto branch = [](int64_t width) {
    return Graph{
        .outputs = {{"b", {}}},
        .constants = {Typed("w", ElementType::kFloat, {width, 4})},
        .nodes = {{.op = "Unsqueeze", .inputs = {"u"}, .outputs = {"v"}},
                  {.op = "LSTM", .inputs = {"x", "w", "v"}, .outputs = {"b"}}}};
  };
  NetworkSketch sketch;
  sketch.Input("x", {1, 1, 4}).OpenInput("c", Shape{}, ElementType::kBool);
  sketch.Weight("u", {16, 4});
  sketch.Add("If", {"c"}, {"y"},
             {GraphAttribute("then_branch", branch(16)),
              GraphAttribute("else_branch", branch(8))});
  LayerCounts counts = CountLayers(sketch.graph());
  EXPECT_EQ(counts.parameters, 64u + 64 + 32);
  EXPECT_EQ(counts.recurrent_layers, 2u);
  EXPECT_EQ(NameKind(counts, false), "RNN");
}

TEST(LayerCounts, CountTheFiltersOfATransposedConvolution) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 8, 4, 4}).Weight("w", {8, 3, 2, 2});
  sketch.Add("ConvTranspose", {"x", "w"}, {"y"},
             {IntegerAttribute("group", 2)});
  EXPECT_EQ(CountLayers(sketch.graph()).filters, 6u);
}

TEST(LayerCounts, LeaveFiltersOutWhenAWeightIsAnInput) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 8, 4, 4}).Input("w", {8, 8, 2, 2});
  sketch.Add("Conv", {"x", "w"}, {"y"});
  LayerCounts counts = CountLayers(sketch.graph());
  EXPECT_EQ(counts.convolutions, 1u);
  EXPECT_EQ(counts.filters, std::nullopt);
}

TEST(LayerCounts, ActivationsExcludeRearrangedWeights) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 5}).Weight("w", {7, 5});
  sketch.Add("Transpose", {"w"}, {"t"}).Add("MatMul", {"x", "t"}, {"y"});
  sketch.Output("y");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.activation_bytes, 7u * 4);
  EXPECT_EQ(described.peak_activation_bytes, (5u + 7) * 4);
  EXPECT_EQ(described.layers[0].output_bytes, 0u);
}

TEST(LayerCounts, NameEveryKindOfLayer) {
  EXPECT_EQ(NameKind({.convolutions = 1, .recurrent_layers = 2}, false),
            "CNN+RNN");
  EXPECT_EQ(NameKind({.dense_layers = 3}, true), "Transformer");
  EXPECT_EQ(NameKind({.dense_layers = 3}, false), "MLP");
  EXPECT_EQ(NameKind({.pools = 3}, false), "Unknown");
}

}  // namespace
}  // namespace mete
