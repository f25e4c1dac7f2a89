// Golden costs that can be checked by hand.
#include <gtest/gtest.h>

#include "describe/describe.h"
#include "describe/test_network.h"

namespace mete {
namespace {

NetworkSketch Convolution(std::vector<int64_t> input,
                          std::vector<int64_t> weight,
                          std::vector<Attribute> attributes) {
  NetworkSketch sketch;
  sketch.Input("x", std::move(input)).Weight("w", std::move(weight));
  sketch.Add("Conv", {"x", "w"}, {"y"}, std::move(attributes)).Output("y");
  return sketch;
}

TEST(Cost, OfAResNetConvolutionIs115605504MultiplyAdds) {
  NetworkSketch sketch = Convolution({1, 64, 56, 56}, {64, 64, 3, 3},
                                     {IntegersAttribute("pads", {1, 1, 1, 1})});
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs, 115'605'504u);
  EXPECT_EQ(described.flops, 231'211'008u);
  EXPECT_EQ(described.macs_by_class.at("conv"), 115'605'504u);
}

TEST(Cost, OfABiasIsOneOperationPerOutputElement) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 1, 4, 4}).Weight("w", {2, 1, 3, 3}).Weight("b", {2});
  sketch.Add("Conv", {"x", "w", "b"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs, 72u);  // 2 x 2 x 2 outputs x 9
  EXPECT_EQ(described.flops, 144u + 8);
}

TEST(Cost, CountsAConvolutionWithOneChannelPerGroupAsDepthwise) {
  NetworkSketch sketch =
      Convolution({1, 8, 10, 10}, {8, 1, 3, 3}, {IntegerAttribute("group", 8)});
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs_by_class.at("depthwise"), 8u * 64 * 9);
  EXPECT_FALSE(described.macs_by_class.contains("conv"));
}

TEST(Cost, CountsAConvolutionOfASingleChannelAsOrdinary) {
  NetworkSketch sketch = Convolution({1, 1, 10, 10}, {8, 1, 3, 3}, {});
  EXPECT_EQ(Described(sketch.network()).macs_by_class.at("conv"), 8u * 64 * 9);
}

TEST(Cost, OfGroupsIsThatOfTheChannelsOfOneGroup) {
  NetworkSketch sketch = Convolution({1, 8, 10, 10}, {16, 4, 3, 3},
                                     {IntegerAttribute("group", 2)});
  EXPECT_EQ(Described(sketch.network()).macs_by_class.at("conv"),
            16u * 64 * 4 * 9);
}

TEST(Cost, OfADilatedConvolutionDependsOnTheOutputSize) {
  NetworkSketch sketch =
      Convolution({1, 2, 12, 12, 12}, {4, 2, 3, 3, 3},
                  {IntegersAttribute("dilations", {2, 2, 2})});
  EXPECT_EQ(Described(sketch.network()).macs, 4u * 8 * 8 * 8 * 2 * 27);
}

TEST(Cost, OfATransposedConvolutionIsCountedFromItsInput) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 5, 5}).Weight("w", {3, 4, 2, 2});
  sketch.Add("ConvTranspose", {"x", "w"}, {"y"},
             {IntegersAttribute("strides", {2, 2})});
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs, 3u * 25 * 4 * 4);
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "1x4x10x10");
}

TEST(Cost, OfAGemmIsRowsTimesColumnsTimesInnerSize) {
  NetworkSketch sketch;
  sketch.Input("x", {4, 784}).Weight("w", {10, 784}).Weight("b", {10});
  sketch.Add("Gemm", {"x", "w", "b"}, {"y"}, {IntegerAttribute("transB", 1)});
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs, 4u * 10 * 784);
  EXPECT_EQ(described.flops, 2u * 4 * 10 * 784 + 40);
}

TEST(Cost, OfAnLstmIsFourGatesOverInputAndHiddenState) {
  NetworkSketch sketch;
  sketch.Input("x", {10, 2, 8})
      .Weight("w", {1, 64, 8})
      .Weight("r", {1, 64, 16});
  sketch.Add("LSTM", {"x", "w", "r"}, {"y"},
             {IntegerAttribute("hidden_size", 16)});
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs_by_class.at("rnn"), 10u * 2 * 4 * 16 * (8 + 16));
  EXPECT_EQ(*described.flops, 2 * *described.macs + 10u * 2 * 16 * 13);
}

TEST(Cost, OfAPoolIsItsWindowSizePerOutput) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 8, 8});
  sketch.Add("MaxPool", {"x"}, {"y"},
             {IntegersAttribute("kernel_shape", {2, 2}),
              IntegersAttribute("strides", {2, 2})});
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs, 0u);
  EXPECT_EQ(described.flops, 3u * 16 * 4);
}

// Q K^T, softmax, times V, between two dense layers.
NetworkSketch WrittenOutAttention() {
  NetworkSketch sketch;
  sketch.Input("x", {1, 6, 8}).Weight("wq", {8, 8}).Weight("wo", {8, 8});
  sketch.Weight("scale", {});
  sketch.Add("MatMul", {"x", "wq"}, {"q"});
  sketch.Add("Transpose", {"q"}, {"k"}, {IntegersAttribute("perm", {0, 2, 1})});
  sketch.Add("MatMul", {"q", "k"}, {"scores"});
  sketch.Add("Div", {"scores", "scale"}, {"scaled"});
  sketch.Add("Softmax", {"scaled"}, {"weights"});
  sketch.Add("MatMul", {"weights", "q"}, {"mixed"});
  sketch.Add("MatMul", {"mixed", "wo"}, {"y"}).Output("y");
  return sketch;
}

TEST(Cost, DistinguishesAttentionFromDenseLayers) {
  NetworkSketch sketch = WrittenOutAttention();
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs_by_class.at("attention"), 2u * 6 * 6 * 8);
  EXPECT_EQ(described.macs_by_class.at("gemm"), 2u * 6 * 8 * 8);
}

TEST(Cost, OfFusedAttentionCountsProjectionScoresAndMixing) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 6, 8}).Weight("w", {8, 24}).Weight("b", {24});
  sketch.Add("Attention", {"x", "w", "b"}, {"y"},
             {IntegerAttribute("num_heads", 2)});
  sketch.graph().nodes[0].domain = "com.microsoft";
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.macs_by_class.at("attention"),
            6u * 8 * 24 + 2 * 6 * 6 * 8);
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "1x6x8");
}

TEST(Cost, OfLayersAddsUpToTheTotals) {
  NetworkSketch sketch = WrittenOutAttention();
  Characteristics described = Described(sketch.network(), {.layers = true});
  uint64_t macs = 0;
  uint64_t flops = 0;
  uint64_t bytes = 0;
  uint64_t parameters = 0;
  for (const LayerCost& layer : described.layers) {
    macs += *layer.macs;
    flops += *layer.flops;
    bytes += *layer.output_bytes;
    parameters += layer.parameters;
  }
  EXPECT_EQ(described.layers.size(), 7u);
  EXPECT_EQ(macs, described.macs);
  EXPECT_EQ(flops, described.flops);
  EXPECT_EQ(bytes, described.activation_bytes);
  EXPECT_EQ(parameters, 64u + 64 + 1);
}

TEST(Cost, CountsASharedWeightAtItsFirstReader) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).Weight("w", {4, 4});
  sketch.Add("MatMul", {"x", "w"}, {"a"});
  sketch.Add("MatMul", {"a", "w"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.layers[0].parameters, 16u);
  EXPECT_EQ(described.layers[1].parameters, 0u);
}

TEST(Cost, OverflowIsAnError) {
  NetworkSketch sketch;
  sketch.Input("x", {int64_t{1} << 28, int64_t{1} << 28});
  sketch.Input("z", {int64_t{1} << 28, int64_t{1} << 28});
  sketch.Add("MatMul", {"x", "z"}, {"y"}).Output("y");
  auto described = Describe(sketch.network(), {});
  ASSERT_FALSE(described.ok());
  EXPECT_EQ(described.error().message(),
            "node 'MatMul_y' (MatMul): its cost is too large");
}

}  // namespace
}  // namespace mete
