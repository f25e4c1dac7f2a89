#include "describe/tree_ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "describe/test_network.h"

namespace mete {
namespace {

// Two trees: a split with two leaves, and one with a further split below.
//   tree 0: 0 -> 1, 2        tree 1: 0 -> 1, 2;  2 -> 3, 4
std::vector<Attribute> TwoTrees() {
  return {IntegersAttribute("nodes_treeids", {0, 0, 0, 1, 1, 1, 1, 1}),
          IntegersAttribute("nodes_nodeids", {0, 1, 2, 0, 1, 2, 3, 4}),
          IntegersAttribute("nodes_truenodeids", {1, 0, 0, 1, 0, 3, 0, 0}),
          IntegersAttribute("nodes_falsenodeids", {2, 0, 0, 2, 0, 4, 0, 0}),
          IntegerAttribute("n_targets", 3),
          {"target_weights", std::vector<double>(5, 0.5)}};
}

NetworkSketch TreeNetwork(std::vector<Attribute> attributes,
                          const std::string& op = "TreeEnsembleRegressor") {
  NetworkSketch sketch;
  sketch.Input("x", {10, 4});
  sketch.Add(op, {"x"}, {"y"}, std::move(attributes)).Output("y");
  sketch.graph().nodes[0].domain = "ai.onnx.ml";
  return sketch;
}

// Whether a note is about this operator.
bool NotesName(const Characteristics& described, const std::string& op) {
  return std::ranges::any_of(described.notes, [&](const std::string& note) {
    return note.find(op) != std::string::npos;
  });
}

TEST(TreeEnsemble, EveryRowTakesTheLongestWayThroughEveryTree) {
  Characteristics described =
      Described(TreeNetwork(TwoTrees()).network(), {.layers = true});
  // 1 and 2 comparisons and 2 additions for each of 10 rows.
  EXPECT_EQ(described.flops, 50u);
  EXPECT_EQ(described.macs, 0u);
  // 3 thresholds and 5 numbers at leaves.
  EXPECT_EQ(described.layer_counts.parameters, 8u);
  EXPECT_EQ(described.layers[0].parameters, 8u);
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "10x3");
  EXPECT_FALSE(NotesName(described, "TreeEnsembleRegressor"));
}

TEST(TreeEnsemble, AClassifierHasLabelsAndScores) {
  std::vector<Attribute> attributes = TwoTrees();
  attributes[4] = IntegersAttribute("classlabels_int64s", {7, 8});
  attributes[5].name = "class_weights";
  NetworkSketch sketch = TreeNetwork(attributes, "TreeEnsembleClassifier");
  sketch.graph().nodes[0].outputs.push_back("scores");
  sketch.Output("scores");
  Characteristics described = Described(sketch.network());
  EXPECT_EQ(described.flops, 50u);
  EXPECT_EQ(FormatShape(*described.outputs[0].type.shape), "10");
  EXPECT_EQ(FormatShape(*described.outputs[1].type.shape), "10x2");
}

TEST(TreeEnsemble, ListsThatWereTooLongToKeepLeaveTheCostOpen) {
  std::vector<Attribute> attributes = TwoTrees();
  attributes[0].value = Constant{.type = ElementType::kInt64, .sizes = {8}};
  Characteristics described = Described(TreeNetwork(attributes).network());
  EXPECT_FALSE(described.flops);
  EXPECT_FALSE(described.layer_counts.parameters);
}

TEST(TreeEnsemble, ListsThatAreNoTreesAreRefused) {
  std::vector<std::vector<Attribute>> bad(4, TwoTrees());
  // A child that does not exist, one with two parents, a node that is listed
  // twice, and a circle without a root.
  bad[0][2] = IntegersAttribute("nodes_truenodeids", {9, 0, 0, 1, 0, 3, 0, 0});
  bad[1][2] = IntegersAttribute("nodes_truenodeids", {1, 0, 0, 1, 0, 1, 0, 0});
  bad[2][1] = IntegersAttribute("nodes_nodeids", {0, 1, 1, 0, 1, 2, 3, 4});
  bad[3][2] = IntegersAttribute("nodes_truenodeids", {1, 0, 0, 1, 0, 0, 0, 0});
  for (std::vector<Attribute>& attributes : bad) {
    Node node{.op = "TreeEnsembleRegressor",
              .domain = "ai.onnx.ml",
              .attributes = std::move(attributes)};
    EXPECT_FALSE(MeasureTreeEnsemble(node));
  }
}

TEST(TreeEnsemble, OtherDomainsMayUseTheName) {
  NetworkSketch sketch = TreeNetwork(TwoTrees());
  sketch.graph().nodes[0].domain = "mine";
  EXPECT_TRUE(NotesName(Described(sketch.network()), "TreeEnsembleRegressor"));
}

}  // namespace
}  // namespace mete
