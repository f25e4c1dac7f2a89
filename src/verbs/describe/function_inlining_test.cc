#include "describe/function_inlining.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "describe/describe.h"
#include "describe/test_network.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// dense(x, w) = LeakyRelu(x w) with the caller's slope or 0.5.
GraphFunction Dense() {
  return {.name = "dense",
          .domain = "local",
          .inputs = {"a", "b"},
          .outputs = {"c"},
          .defaults = {{"slope", 0.5}},
          .nodes = {{.name = "product",
                     .op = "MatMul",
                     .inputs = {"a", "b"},
                     .outputs = {"p"}},
                    {.name = "bent",
                     .op = "LeakyRelu",
                     .inputs = {"p"},
                     .outputs = {"c"},
                     .attributes = {{"alpha", AttributeReference{"slope"}}}}}};
}

NetworkSketch TwoCalls() {
  NetworkSketch sketch;
  sketch.Input("x", {1, 4}).Weight("w", {4, 4});
  sketch.Add("dense", {"x", "w"}, {"m"}, {{"slope", 0.25}});
  sketch.Add("dense", {"m", "w"}, {"y"}).Output("y");
  for (Node& node : sketch.graph().nodes) node.domain = "local";
  sketch.network().functions.push_back(Dense());
  return sketch;
}

TEST(FunctionInlining, ReplacesCallsByBodies) {
  NetworkSketch sketch = TwoCalls();
  auto described = Describe(sketch.network(), {.layers = true});
  ASSERT_TRUE(described.ok()) << described.error().message();
  EXPECT_EQ(described->macs, 32u);
  EXPECT_EQ(described->depth, 4u);
  EXPECT_THAT(described->operators,
              ElementsAre(Pair("LeakyRelu", 2), Pair("MatMul", 2)));
  EXPECT_EQ(described->layers[0].name, "dense_m/product");
}

TEST(FunctionInlining, PassesTheCallersAttributesOrTheDefaults) {
  NetworkSketch sketch = TwoCalls();
  auto graph = InlineFunctions(sketch.network());
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->nodes[1].Real("alpha", 0), 0.25);
  EXPECT_EQ(graph->nodes[3].Real("alpha", 0), 0.5);
}

TEST(FunctionInlining, RejectsAFunctionThatCallsItself) {
  NetworkSketch sketch = TwoCalls();
  sketch.network().functions[0].nodes[0].op = "dense";
  sketch.network().functions[0].nodes[0].domain = "local";
  auto graph = InlineFunctions(sketch.network());
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(graph.error().message(),
            "function 'dense' calls itself or nests too deeply");
}

TEST(FunctionInlining, RejectsFunctionsThatGrowWithoutBound) {
  NetworkSketch sketch;
  sketch.Input("x", {1}).Add("f0", {"x"}, {"y"}).Output("y");
  sketch.graph().nodes[0].domain = "local";
  // Each function calls the next twice: 2^40 nodes.
  for (int i = 0; i < 40; ++i) {
    std::string next = "f" + std::to_string(i + 1);
    sketch.network().functions.push_back(
        {.name = "f" + std::to_string(i),
         .domain = "local",
         .inputs = {"a"},
         .outputs = {"c"},
         .nodes = {
             {.op = next, .domain = "local", .inputs = {"a"}, .outputs = {"b"}},
             {.op = next,
              .domain = "local",
              .inputs = {"b"},
              .outputs = {"c"}}}});
  }
  auto graph = InlineFunctions(sketch.network());
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().message(), HasSubstr("too many nodes"));
}

// choose(c) runs the graph that the caller passes as `g`, and passes it on to
// `next` if there is one.
GraphFunction Choose(const std::string& name, const std::string& next) {
  Node chosen{.op = "If",
              .inputs = {"c"},
              .outputs = {"r"},
              .attributes = {{"then_branch", AttributeReference{"g"}},
                             {"else_branch", AttributeReference{"g"}}}};
  if (!next.empty()) {
    Node call{.op = next,
              .domain = "local",
              .inputs = {"c"},
              .outputs = {"s"},
              .attributes = {{"g", AttributeReference{"g"}}}};
    Graph twice{.outputs = {{"s", {}}}, .nodes = {call}};
    chosen.attributes = {{"then_branch", std::vector<Graph>{twice}},
                         {"else_branch", std::vector<Graph>{twice}}};
  }
  return {.name = name,
          .domain = "local",
          .inputs = {"c"},
          .outputs = {"r"},
          .nodes = {chosen}};
}

NetworkSketch CallWithGraph(const Graph& graph) {
  NetworkSketch sketch;
  sketch.Input("r", {1}).Input("yes", {}).Add(
      "choose0", {"yes"}, {"y"}, {{"g", std::vector<Graph>{graph}}});
  sketch.graph().nodes[0].domain = "local";
  sketch.Output("y");
  return sketch;
}

Graph Relu(const std::string& input) {
  return {.outputs = {{"out", {}}},
          .nodes = {{.op = "Relu", .inputs = {input}, .outputs = {"out"}}}};
}

TEST(FunctionInlining, GraphPassedInKeepsTheNamesOfTheCaller) {
  // "r" is also a name in the function; the graph means the caller's.
  NetworkSketch sketch = CallWithGraph(Relu("r"));
  sketch.network().functions.push_back(Choose("choose0", ""));
  auto graph = InlineFunctions(sketch.network());
  ASSERT_TRUE(graph.ok()) << graph.error().message();
  const Attribute* branch = graph->nodes[0].Find("then_branch");
  ASSERT_NE(branch, nullptr);
  auto& graphs = std::get<std::vector<Graph>>(branch->value);
  EXPECT_EQ(graphs[0].nodes[0].inputs[0], "r");
}

TEST(FunctionInlining, RejectsPassedGraphsThatGrowWithoutBound) {
  NetworkSketch sketch = CallWithGraph(Relu("r"));
  for (int i = 0; i < 40; ++i) {
    sketch.network().functions.push_back(
        Choose("choose" + std::to_string(i),
               i + 1 < 40 ? "choose" + std::to_string(i + 1) : ""));
  }
  auto graph = InlineFunctions(sketch.network());
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().message(), HasSubstr("too many nodes"));
}

TEST(FunctionInlining, RejectsAFunctionThatCallsItselfThroughADefault) {
  NetworkSketch sketch = CallWithGraph({});
  sketch.graph().nodes[0].attributes.clear();
  GraphFunction choose = Choose("choose0", "");
  Graph again{.outputs = {{"s", {}}},
              .nodes = {{.op = "choose0",
                         .domain = "local",
                         .inputs = {"c"},
                         .outputs = {"s"}}}};
  choose.defaults = {{"g", std::vector<Graph>{again}}};
  sketch.network().functions.push_back(choose);
  auto graph = InlineFunctions(sketch.network());
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().message(), HasSubstr("nests too deeply"));
}

}  // namespace
}  // namespace mete
