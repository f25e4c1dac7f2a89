#include "describe/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "describe/test_network.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Error Refused(const Network& network, const DescribeRequest& request = {}) {
  auto described = Describe(network, request);
  EXPECT_FALSE(described.ok());
  return described.ok() ? Corrupt("") : described.error();
}

// x of N x 4 -> Relu -> y.
NetworkSketch OpenBatch() {
  NetworkSketch sketch;
  sketch.OpenInput("x", {Symbol("N"), Size(4)});
  sketch.Add("Relu", {"x"}, {"y"});
  sketch.Output("y", {ElementType::kFloat, Shape{Symbol("N"), Size(4)}});
  return sketch;
}

TEST(Describe, UsesOneForAnOpenBatch) {
  Characteristics described = Described(OpenBatch().network());
  EXPECT_EQ(described.model_input_size, 16u);
  EXPECT_EQ(described.model_output_size, 16u);
  EXPECT_THAT(described.notes, IsEmpty());
}

TEST(Describe, UsesTheRequestedBatch) {
  Characteristics described = Described(OpenBatch().network(), {.batch = 8});
  EXPECT_EQ(described.model_input_size, 128u);
}

TEST(Describe, KeepsAFixedBatch) {
  NetworkSketch sketch;
  sketch.Input("x", {2, 4}).Add("Relu", {"x"}, {"y"}).Output("y");
  EXPECT_EQ(Described(sketch.network(), {.batch = 8}).model_input_size, 32u);
}

TEST(Describe, NamesTheSizesToSpecify) {
  NetworkSketch sketch;
  sketch.OpenInput("ids", {Symbol("N"), Symbol("time")});
  sketch.Add("Relu", {"ids"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.model_input_size, std::nullopt);
  EXPECT_EQ(described.flops, std::nullopt);
  EXPECT_EQ(described.macs, 0u);
  EXPECT_THAT(described.notes,
              Contains("input 'ids' is 1xtime; give the open sizes, e.g. "
                       "--shape ids=1x128"));
}

// A filter of 400 samples, as spectrograms have, cannot run over 128.
TEST(Describe, SuggestsSizesWithWhichTheNetworkCanRun) {
  NetworkSketch sketch;
  sketch.OpenInput("sound", {Size(1), Size(1), Symbol("samples")});
  sketch.Weight("filter", {2, 1, 400});
  sketch.Add("Conv", {"sound", "filter"}, {"y"}).Output("y");
  EXPECT_THAT(Described(sketch.network()).notes,
              Contains("input 'sound' is 1x1xsamples; give the open sizes, "
                       "e.g. --shape sound=1x1x512"));
  EXPECT_EQ(SuggestLength(sketch.network()), 512);
  EXPECT_EQ(SuggestLength({}), 128);
}

TEST(Describe, UsesTheSizeOfASymbolEverywhere) {
  NetworkSketch sketch;
  sketch.OpenInput("a", {Size(1), Symbol("time")});
  sketch.OpenInput("b", {Size(1), Symbol("time")});
  sketch.Add("Add", {"a", "b"}, {"y"}).Output("y");
  Characteristics described =
      Described(sketch.network(), {.shapes = {{"a", {1, 7}}}});
  EXPECT_EQ(described.model_input_size, 56u);
  EXPECT_EQ(described.model_output_size, 28u);
}

TEST(Describe, RejectsAShapeForAnUnknownInput) {
  Error error = Refused(OpenBatch().network(), {.shapes = {{"X", {1, 4}}}});
  EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(error.message(), HasSubstr("did you mean 'x'?"));
}

TEST(Describe, RejectsAShapeThatChangesAFixedSize) {
  Error error = Refused(OpenBatch().network(), {.shapes = {{"x", {1, 5}}}});
  EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(error.message(), "input 'x' is Nx4, not 1x5");
}

TEST(Describe, DistinguishesAnInvalidRequestFromACorruptNetwork) {
  NetworkSketch sketch;
  sketch.OpenInput("x", {Size(1), Size(1), Symbol("h")}).Weight("w", {1, 1, 5});
  sketch.Add("Conv", {"x", "w"}, {"y"}).Output("y");
  Error asked = Refused(sketch.network(), {.shapes = {{"x", {1, 1, 3}}}});
  EXPECT_EQ(asked.code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(asked.message(),
            "node 'Conv_y' (Conv): a kernel of 5 (dilation 1) is larger than "
            "its padded input of 3");
  sketch.graph().inputs[0].type.shape = KnownShape({1, 1, 3});
  EXPECT_EQ(Refused(sketch.network()).code(), ErrorCode::kCorrupt);
}

TEST(Describe, UsesDeclaredShapesAfterAnUnknownOperator) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4});
  sketch.Add("Mystery", {"x"}, {"m"}).Add("Relu", {"m"}, {"y"});
  sketch.graph().values.push_back(
      {"m", {ElementType::kFloat, KnownShape({1, 6})}});
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.model_output_size, 24u);
  EXPECT_THAT(described.notes,
              ElementsAre("no shape rule for Mystery (1 node): its cost is not "
                          "counted"));
}

TEST(Describe, ReportsSizesThatDependOnTheData) {
  NetworkSketch sketch;
  sketch.Input("x", {3, 4}).Add("NonZero", {"x"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.model_output_size, std::nullopt);
  EXPECT_THAT(
      described.notes,
      Contains("the output size of NonZero (1 node) depends on the data"));
  EXPECT_THAT(described.notes,
              Contains("absent, because a size is open: model_output_size, "
                       "activation_bytes, peak_activation_bytes"));
}

// x -> a -> b -> (a + b): a, b and the sum are live together.
TEST(Describe, FindsTheLargestSumOfLiveValues) {
  NetworkSketch sketch;
  sketch.Input("x", {10});
  sketch.Add("Relu", {"x"}, {"a"}).Add("Relu", {"a"}, {"b"});
  sketch.Add("Add", {"a", "b"}, {"c"}).Add("Relu", {"c"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.activation_bytes, 160u);
  EXPECT_EQ(described.peak_activation_bytes, 120u);
  EXPECT_EQ(described.depth, 4u);
}

TEST(Describe, KeepsAnOutputAliveToTheEnd) {
  NetworkSketch sketch;
  sketch.Input("x", {10});
  sketch.Add("Relu", {"x"}, {"early"}).Add("Relu", {"early"}, {"a"});
  sketch.Add("Relu", {"a"}, {"y"}).Output("early").Output("y");
  EXPECT_EQ(Described(sketch.network()).peak_activation_bytes, 120u);
}

TEST(Describe, CountsConstantNodesAsWeightsNotActivations) {
  NetworkSketch sketch;
  sketch.Input("x", {4});
  sketch.Add("Constant", {}, {"c"},
             {{"value", Constant{.type = ElementType::kFloat,
                                 .sizes = {4},
                                 .stored_bytes = 16}}});
  sketch.Add("Add", {"x", "c"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.weight_bytes, 16u);
  EXPECT_EQ(described.activation_bytes, 16u);
  EXPECT_EQ(described.layers[1].parameters, 4u);
}

TEST(Describe, FollowsShapeArithmeticToAReshape) {
  NetworkSketch sketch;
  sketch.OpenInput("x", {Symbol("N"), Size(3), Size(4), Size(5)});
  sketch.Scalar("zero", 0).Integers("axis", {0}).Integers("rest", {-1});
  sketch.Add("Shape", {"x"}, {"shape"});
  sketch.Add("Gather", {"shape", "zero"}, {"batch"});
  sketch.Add("Unsqueeze", {"batch", "axis"}, {"first"});
  sketch.Add("Concat", {"first", "rest"}, {"target"},
             {IntegerAttribute("axis", 0)});
  sketch.Add("Reshape", {"x", "target"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network(), {.batch = 2});
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "2x60");
}

TEST(Describe, FollowsScalingOfAShapeThroughFloats) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 3, 5, 7});
  sketch.graph().constants.push_back({.name = "factors",
                                      .type = ElementType::kFloat,
                                      .sizes = {4},
                                      .stored_bytes = 16,
                                      .reals = {1, 1, 2, 2}});
  sketch.Add("Shape", {"x"}, {"shape"});
  sketch.Add("Cast", {"shape"}, {"real"}, {IntegerAttribute("to", 1)});
  sketch.Add("Mul", {"real", "factors"}, {"larger"});
  sketch.Add("Floor", {"larger"}, {"floored"});
  sketch.Add("Cast", {"floored"}, {"sizes"}, {IntegerAttribute("to", 7)});
  sketch.Add("Resize", {"x", "", "", "sizes"}, {"y"}).Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "1x3x10x14");
}

TEST(Describe, CountsOperatorsIncludingSubgraphs) {
  NetworkSketch sketch;
  sketch.Input("x", {4});
  sketch.Scalar("yes", 1, ElementType::kBool);
  Graph branch{.outputs = {{"b", {}}},
               .nodes = {{.op = "Relu", .inputs = {"x"}, .outputs = {"b"}}}};
  sketch.Add("If", {"yes"}, {"y"},
             {GraphAttribute("then_branch", branch),
              GraphAttribute("else_branch", branch)});
  sketch.Output("y");
  Characteristics described = Described(sketch.network());
  EXPECT_THAT(described.operators, ElementsAre(Pair("If", 1), Pair("Relu", 2)));
}

}  // namespace
}  // namespace mete
