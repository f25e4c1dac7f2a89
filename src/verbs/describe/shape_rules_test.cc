// Shapes of operators that libonnx 1.12 does not support, and contradictions.
// The other operators are compared with libonnx in adapters/onnx.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "describe/describe.h"
#include "describe/test_network.h"

namespace mete {
namespace {

using testing::HasSubstr;

// The shapes of a node's outputs, joined: "1x6x8 2x3".
std::string InferShapes(NetworkSketch& sketch, size_t outputs = 1) {
  for (size_t i = 0; i < outputs; ++i) {
    sketch.Output(sketch.graph().nodes.back().outputs[i]);
  }
  auto described = Describe(sketch.network(), {});
  if (!described.ok()) return described.error().message();
  std::vector<std::string> shapes;
  for (const GraphValue& output : described->outputs) {
    shapes.push_back(output.type.shape ? FormatShape(*output.type.shape)
                                       : "unknown");
  }
  return fmt::format("{}", fmt::join(shapes, " "));
}

// One node of ONNX Runtime's own operators with float inputs a, b, ….
NetworkSketch Microsoft(const std::string& op,
                        const std::vector<std::vector<int64_t>>& inputs,
                        std::vector<std::string> outputs,
                        std::vector<Attribute> attributes = {}) {
  NetworkSketch sketch;
  std::vector<std::string> names;
  for (const auto& sizes : inputs) {
    names.emplace_back(1, static_cast<char>('a' + names.size()));
    sketch.Input(names.back(), sizes);
  }
  sketch.Add(op, names, std::move(outputs), std::move(attributes));
  sketch.graph().nodes[0].domain = "com.microsoft";
  return sketch;
}

TEST(ShapeRules, OfMultiHeadAttention) {
  NetworkSketch sketch =
      Microsoft("MultiHeadAttention", {{2, 5, 8}, {2, 7, 8}, {2, 7, 6}}, {"y"},
                {IntegerAttribute("num_heads", 2)});
  EXPECT_EQ(InferShapes(sketch), "2x5x6");
}

TEST(ShapeRules, OfGroupQueryAttentionWithAPast) {
  NetworkSketch sketch = Microsoft(
      "GroupQueryAttention",
      {{1, 3, 32}, {1, 3, 16}, {1, 3, 16}, {1, 2, 10, 8}, {1, 2, 10, 8}},
      {"y", "k", "v"},
      {IntegerAttribute("num_heads", 4), IntegerAttribute("kv_num_heads", 2)});
  EXPECT_EQ(InferShapes(sketch, 3), "1x3x32 1x2x13x8 1x2x13x8");
}

TEST(ShapeRules, OfTheStandardAttentionWithHeadsAsAnAxis) {
  NetworkSketch sketch =
      Microsoft("Attention", {{1, 4, 5, 8}, {1, 2, 7, 8}, {1, 2, 7, 6}}, {"y"});
  sketch.graph().nodes[0].domain = "";
  EXPECT_EQ(InferShapes(sketch), "1x4x5x6");
}

TEST(ShapeRules, OfSkipLayerNormalization) {
  NetworkSketch sketch =
      Microsoft("SkipLayerNormalization", {{1, 5, 8}, {1, 5, 8}, {8}},
                {"y", "", "", "sum"});
  sketch.Output("sum");
  EXPECT_EQ(InferShapes(sketch), "1x5x8 1x5x8");
}

TEST(ShapeRules, OfFusedMatMulWithTransposedFactors) {
  NetworkSketch sketch =
      Microsoft("FusedMatMul", {{2, 4, 3}, {2, 5, 4}}, {"y"},
                {IntegerAttribute("transA", 1), IntegerAttribute("transB", 1)});
  EXPECT_EQ(InferShapes(sketch), "2x3x5");
}

TEST(ShapeRules, OfQuantizedAdditionByItsOperands) {
  NetworkSketch sketch =
      Microsoft("QLinearAdd", {{2, 3}, {}, {}, {3}, {}, {}, {}, {}}, {"y"});
  EXPECT_EQ(InferShapes(sketch), "2x3");
}

TEST(ShapeRules, OfQuantizedConcat) {
  NetworkSketch sketch =
      Microsoft("QLinearConcat", {{}, {}, {1, 2}, {}, {}, {1, 3}, {}, {}},
                {"y"}, {IntegerAttribute("axis", 1)});
  EXPECT_EQ(InferShapes(sketch), "1x5");
}

TEST(ShapeRules, OfAMatrixProductWithAPackedWeight) {
  NetworkSketch sketch =
      Microsoft("MatMulNBits", {{1, 7, 64}, {32, 2, 16}}, {"y"},
                {IntegerAttribute("K", 64), IntegerAttribute("N", 32)});
  EXPECT_EQ(InferShapes(sketch), "1x7x32");
}

TEST(ShapeRules, OfAnUnevenSplit) {
  NetworkSketch sketch;
  sketch.Input("x", {7, 2});
  sketch.Add("Split", {"x"}, {"a", "b", "c"},
             {IntegerAttribute("num_outputs", 3)});
  EXPECT_EQ(InferShapes(sketch, 3), "3x2 3x2 1x2");
}

TEST(ShapeRules, OfAResizeOfSomeAxes) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 10, 20}).Integers("sizes", {30, 40});
  sketch.Add("Resize", {"x", "", "", "sizes"}, {"y"},
             {IntegersAttribute("axes", {2, 3})});
  EXPECT_EQ(InferShapes(sketch), "1x3x30x40");
}

TEST(ShapeRules, OfAResizeThatKeepsTheAspect) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 10, 20}).Integers("sizes", {30, 40});
  sketch.Add("Resize", {"x", "", "", "sizes"}, {"y"},
             {IntegersAttribute("axes", {2, 3}),
              TextAttribute("keep_aspect_ratio_policy", "not_larger")});
  EXPECT_EQ(InferShapes(sketch), "1x3x20x40");
}

TEST(ShapeRules, OfAReductionWithAxesAsAnInput) {
  NetworkSketch sketch;
  sketch.Input("x", {2, 3, 4}).Integers("axes", {1});
  sketch.Add("ReduceMax", {"x", "axes"}, {"y"},
             {IntegerAttribute("keepdims", 0)});
  EXPECT_EQ(InferShapes(sketch), "2x4");
}

TEST(ShapeRules, OfAPoolIgnoreAWindowThatStartsInThePadding) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 1, 5});
  sketch.Add(
      "MaxPool", {"x"}, {"y"},
      {IntegersAttribute("kernel_shape", {2}),
       IntegersAttribute("strides", {3}), IntegersAttribute("pads", {1, 1}),
       IntegerAttribute("ceil_mode", 1)});
  EXPECT_EQ(InferShapes(sketch), "1x1x2");
}

TEST(ShapeRules, OfNonZeroWithKnownContent) {
  NetworkSketch sketch;
  sketch.Input("x", {3, 4}).Add("Shape", {"x"}, {"shape"});
  sketch.Add("ConstantOfShape", {"shape"}, {"ones"},
             {{"value", Constant{.type = ElementType::kInt64,
                                 .sizes = {1},
                                 .stored_bytes = 8,
                                 .integers = {1}}}});
  sketch.Add("NonZero", {"ones"}, {"y"});
  EXPECT_EQ(InferShapes(sketch), "2x12");
}

TEST(ShapeRules, RejectAConvolutionOfOtherChannels) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4, 8, 8}).Weight("w", {8, 3, 3, 3});
  sketch.Add("Conv", {"x", "w"}, {"y"});
  EXPECT_EQ(InferShapes(sketch),
            "node 'Conv_y' (Conv): input of 4 channels, weight for 3 in 1 "
            "groups");
}

TEST(ShapeRules, RejectAStrideOfZero) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8}).Weight("w", {8, 3, 3, 3});
  sketch.Add("Conv", {"x", "w"}, {"y"}, {IntegersAttribute("strides", {0, 1})});
  EXPECT_THAT(InferShapes(sketch), HasSubstr("strides of 0"));
}

TEST(ShapeRules, RejectShapesThatDoNotBroadcast) {
  NetworkSketch sketch;
  sketch.Input("x", {2, 3}).Input("z", {2, 4}).Add("Add", {"x", "z"}, {"y"});
  EXPECT_THAT(InferShapes(sketch),
              HasSubstr("shapes 2x3 and 2x4 do not broadcast"));
}

TEST(ShapeRules, RejectAReshapeToAnotherNumberOfElements) {
  NetworkSketch sketch;
  sketch.Input("x", {2, 3}).Integers("shape", {4, 2});
  sketch.Add("Reshape", {"x", "shape"}, {"y"});
  EXPECT_THAT(InferShapes(sketch), HasSubstr("2x3 cannot be reshaped to 4x2"));
}

TEST(ShapeRules, RejectAHugeTile) {
  NetworkSketch sketch;
  sketch.Input("x", {1 << 20, 1 << 20});
  sketch.Integers("times", {1 << 20, 1 << 20});
  sketch.Add("Tile", {"x", "times"}, {"y"});
  EXPECT_THAT(InferShapes(sketch), HasSubstr("too large"));
}

TEST(ShapeRules, SurviveExtremeAttributes) {
  for (int64_t extreme : {INT64_MIN, INT64_MIN + 1, INT64_MAX}) {
    NetworkSketch sketch;
    sketch.Input("x", {1, 3, 8, 8}).Weight("w", {8, 3, 3, 3});
    sketch.Integers("at", {extreme, extreme, extreme, extreme});
    sketch.Add("Conv", {"x", "w"}, {"a"},
               {IntegersAttribute("pads", {extreme, 0, extreme, 0})});
    InferShapes(sketch);
    NetworkSketch slice;
    slice.Input("x", {1, 3, 8, 8});
    slice.Integers("at", {extreme, extreme, extreme, extreme});
    slice.Add("Slice", {"x", "at", "at", "", "at"}, {"y"});
    // A backward slice from the first element selects that element.
    EXPECT_EQ(InferShapes(slice), extreme < 0 ? "1x1x1x1" : "0x0x0x0");
  }
}

}  // namespace
}  // namespace mete
