#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "describe/describe.h"
#include "describe/test_network.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// A branch of one dense layer of `width` columns on the outer value x.
Graph DenseBranch(int64_t width) {
  return {.outputs = {{"b", {}}},
          .constants = {{.name = "w",
                         .type = ElementType::kFloat,
                         .sizes = {4, width},
                         .stored_bytes = static_cast<uint64_t>(16 * width)}},
          .nodes = {{.name = "dense",
                     .op = "MatMul",
                     .inputs = {"x", "w"},
                     .outputs = {"b"}}}};
}

TEST(ControlFlow, CountsTheCostlierBranchOfAnIf) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).OpenInput("c", Shape{}, ElementType::kBool);
  sketch.Add("If", {"c"}, {"y"},
             {GraphAttribute("then_branch", DenseBranch(2)),
              GraphAttribute("else_branch", DenseBranch(8))});
  sketch.Output("y");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.macs, 32u);
  EXPECT_EQ(described.macs_by_class.at("gemm"), 32u);
  EXPECT_EQ(described.weight_bytes, 16u * 10);
  EXPECT_EQ(described.model_output_size, std::nullopt);  // 1x2 or 1x8
  EXPECT_EQ(described.layers[0].parameters, 40u);
}

TEST(ControlFlow, TakesTheBranchOfAKnownCondition) {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).Scalar("c", 1, ElementType::kBool);
  sketch.Add("If", {"c"}, {"y"},
             {GraphAttribute("then_branch", DenseBranch(2)),
              GraphAttribute("else_branch", DenseBranch(8))});
  sketch.Output("y");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.macs, 8u);
  EXPECT_EQ(described.model_output_size, 8u);
}

TEST(ControlFlow, IgnoresABranchThatCannotRun) {
  Graph impossible = DenseBranch(2);
  impossible.constants[0].sizes = {5, 2};
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).OpenInput("c", Shape{}, ElementType::kBool);
  sketch.Add("If", {"c"}, {"y"},
             {GraphAttribute("then_branch", impossible),
              GraphAttribute("else_branch", DenseBranch(8))});
  sketch.Output("y");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.macs, 32u);
  EXPECT_THAT(described.notes, Contains(HasSubstr("one branch cannot run")));
}

// state = state W, and the state is collected in every iteration.
NetworkSketch LoopOver(int64_t turns) {
  Graph body{
      .inputs = {{"i", {}}, {"go_on", {}}, {"state", {}}},
      .outputs = {{"go_on_too", {}}, {"next", {}}, {"kept", {}}},
      .nodes = {
          {.op = "Identity", .inputs = {"go_on"}, .outputs = {"go_on_too"}},
          {.op = "MatMul", .inputs = {"state", "w"}, .outputs = {"next"}},
          {.op = "Identity", .inputs = {"next"}, .outputs = {"kept"}}}};
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).Weight("w", {4, 4}).Scalar("turns", turns);
  sketch.Scalar("yes", 1, ElementType::kBool);
  sketch.Add("Loop", {"turns", "yes", "x"}, {"last", "all"},
             {GraphAttribute("body", body)});
  sketch.Output("last").Output("all");
  return sketch;
}

TEST(ControlFlow, MultipliesALoopsBodyByItsIterations) {
  NetworkSketch sketch = LoopOver(5);
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.macs, 5u * 16);
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "1x4");
  EXPECT_EQ(FormatShape(*described.outputs[1].type.shape), "5x1x4");
}

TEST(ControlFlow, CountsOneIterationOfAnEndlessLoopAndSaysSo) {
  NetworkSketch sketch = LoopOver(INT64_MAX);
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.macs, 16u);
  EXPECT_THAT(described.notes[0], HasSubstr("one is counted"));
}

TEST(ControlFlow, OpensASizeThatGrowsWithEveryIteration) {
  NetworkSketch sketch = LoopOver(5);
  auto& body =
      std::get<std::vector<Graph>>(sketch.graph().nodes[0].attributes[0].value);
  body[0].nodes[1] = {.op = "Concat",
                      .inputs = {"state", "state"},
                      .outputs = {"next"},
                      .attributes = {IntegerAttribute("axis", 1)}};
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "1x?");
}

TEST(ControlFlow, CountsAnUnknownOperatorInALoopOnce) {
  NetworkSketch sketch = LoopOver(5);
  auto& body =
      std::get<std::vector<Graph>>(sketch.graph().nodes[0].attributes[0].value);
  body[0].nodes[1] = {
      .op = "Strange", .inputs = {"state"}, .outputs = {"next"}};
  EXPECT_THAT(Described(sketch.network(), {.layers = true}).notes,
              Contains(HasSubstr("no shape rule for Strange (1 node)")));
}

TEST(ControlFlow, RunsTheBodyOfAScanOncePerSlice) {
  Graph body{
      .inputs = {{"state", {}}, {"slice", {}}},
      .outputs = {{"next", {}}, {"kept", {}}},
      .nodes = {
          {.op = "MatMul", .inputs = {"slice", "w"}, .outputs = {"kept"}},
          {.op = "Add", .inputs = {"state", "kept"}, .outputs = {"next"}}}};
  NetworkSketch sketch;
  sketch.Input("start", {1, 4}).Input("xs", {1, 9, 4}).Weight("w", {4, 4});
  sketch.Add(
      "Scan", {"start", "xs"}, {"last", "all"},
      {GraphAttribute("body", body), IntegerAttribute("num_scan_inputs", 1),
       IntegersAttribute("scan_input_axes", {1}),
       IntegersAttribute("scan_output_axes", {1})});
  sketch.Output("last").Output("all");
  Characteristics described = Described(sketch.network(), {.layers = true});
  EXPECT_EQ(described.macs, 9u * 16);
  EXPECT_EQ(FormatShape(*described.outputs[1].type.shape), "1x9x4");
}

}  // namespace
}  // namespace mete
