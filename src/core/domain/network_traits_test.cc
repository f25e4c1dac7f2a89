#include "domain/network_traits.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

LayerCost Convolution(uint64_t kernel_points) {
  // 32 channels of 8x8 from 16: 9 points make a sum of 144.
  uint64_t macs = uint64_t{32} * 64 * 16 * kernel_points;
  return {.name = "conv",
          .op = "Conv",
          .output_shape = KnownShape({1, 32, 8, 8}),
          .macs = macs,
          .flops = 2 * macs,
          .parameters = uint64_t{32} * 16 * kernel_points,
          .input_bytes = 4096,
          .output_bytes = 8192,
          .kernel_points = kernel_points,
          .cost_class = "conv"};
}

Characteristics WholeCharacteristics() {
  Characteristics described;
  described.model_input_size = 4096;
  described.model_output_size = 8192;
  described.flops = 1000;
  described.macs = 500;
  described.activation_bytes = 8192;
  described.peak_activation_bytes = 8192;
  return described;
}

TEST(NetworkTraits, SplitsConvolutionsByTheirKernel) {
  Characteristics described = WholeCharacteristics();
  described.layers = {Convolution(1), Convolution(9), Convolution(9)};
  NetworkTraits traits = ComputeTraits(described, "net", 1).value();
  EXPECT_EQ(traits.Of(WorkClass::kPointwise).nodes, 1);
  EXPECT_EQ(traits.Of(WorkClass::kSpatial).nodes, 2);
  EXPECT_EQ(traits.Of(WorkClass::kSpatial).macs, 2.0 * 32 * 64 * 144);
}

TEST(NetworkTraits, ConstantsAreNoWork) {
  Characteristics described = WholeCharacteristics();
  described.layers = {{.op = "Constant", .cost_class = "movement"},
                      Convolution(1)};
  NetworkTraits traits = ComputeTraits(described, "net", 1).value();
  EXPECT_EQ(traits.nodes, 1);
  EXPECT_EQ(traits.Of(WorkClass::kMovement).nodes, 0);
}

TEST(NetworkTraits, MeansOfLoopsAreLogarithms) {
  Characteristics described = WholeCharacteristics();
  described.layers = {Convolution(1)};
  const ClassWork work =
      ComputeTraits(described, "net", 1).value().Of(WorkClass::kPointwise);
  EXPECT_DOUBLE_EQ(work.log_depth, 4);      // 16
  EXPECT_DOUBLE_EQ(work.log_channels, 5);   // 32
  EXPECT_DOUBLE_EQ(work.log_positions, 6);  // 8x8
}

TEST(NetworkTraits, BytesAreWhatIsReadAndWritten) {
  Characteristics described = WholeCharacteristics();
  described.layers = {Convolution(1)};
  EXPECT_EQ(ComputeTraits(described, "net", 1)
                .value()
                .Of(WorkClass::kPointwise)
                .bytes,
            4096 + 8192 + 4 * 32 * 16);
}

TEST(NetworkTraits, AnUnknownClassIsOther) {
  Characteristics described = WholeCharacteristics();
  described.layers = {{.op = "Mystery", .cost_class = "mystery"}};
  EXPECT_EQ(
      ComputeTraits(described, "net", 1).value().Of(WorkClass::kOther).nodes,
      1);
}

TEST(NetworkTraits, RejectsOpenSizesWithTheReason) {
  Characteristics described = WholeCharacteristics();
  described.flops.reset();
  described.notes = {"input x: size 'n' is open"};
  Result<NetworkTraits> traits = ComputeTraits(described, "net", 1);
  ASSERT_FALSE(traits.ok());
  EXPECT_NE(traits.error().message().find("size 'n' is open"),
            std::string::npos);
}

}  // namespace
}  // namespace mete
