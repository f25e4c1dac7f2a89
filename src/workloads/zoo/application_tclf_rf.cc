// Classification of rows of 784 features by a random forest, as one operator of
// ai.onnx.ml. Every tree is complete. A request classifies many rows, because
// one takes microseconds.
#include "support/random.h"
#include "zoo/application_drafts.h"
#include "zoo/network_builder.h"

namespace mete {
namespace {

constexpr int64_t kForestFeatures = 784;
constexpr int64_t kForestClasses = 10;
constexpr int64_t kForestRows = 1024;

struct ForestSize {
  int64_t trees = 0;
  int64_t depth = 0;
};

// The attributes of TreeEnsembleRegressor: lists with an entry per node, and
// with an entry per leaf.
struct ForestLists {
  std::vector<int64_t> trees, nodes, features, yes, no;
  std::vector<double> thresholds;
  std::vector<std::string> modes;
  std::vector<int64_t> leaf_trees, leaf_nodes, leaf_classes;
  std::vector<double> leaf_shares;
};

// Appends a complete tree: the children of node i are 2i+1 and 2i+2. Splits are
// random but not extreme, so that rows take different ways.
void AddForestTree(int64_t tree, const ForestSize& size, Random& random,
                   ForestLists& lists) {
  const int64_t splits = (int64_t{1} << size.depth) - 1;
  for (int64_t node = 0; node < 2 * splits + 1; ++node) {
    const bool split = node < splits;
    lists.trees.push_back(tree);
    lists.nodes.push_back(node);
    lists.modes.emplace_back(split ? "BRANCH_LEQ" : "LEAF");
    lists.yes.push_back(split ? 2 * node + 1 : 0);
    lists.no.push_back(split ? 2 * node + 2 : 0);
    lists.features.push_back(
        split ? static_cast<int64_t>(random.Below(kForestFeatures)) : 0);
    lists.thresholds.push_back(split ? 0.25 + 0.5 * random.Uniform() : 0);
    if (split) continue;
    lists.leaf_trees.push_back(tree);
    lists.leaf_nodes.push_back(node);
    lists.leaf_classes.push_back(
        static_cast<int64_t>(random.Below(kForestClasses)));
    lists.leaf_shares.push_back(1.0 / static_cast<double>(size.trees));
  }
}

std::vector<Attribute> ForestAttributes(ForestLists lists) {
  return {{"n_targets", kForestClasses},
          {"nodes_falsenodeids", std::move(lists.no)},
          {"nodes_featureids", std::move(lists.features)},
          {"nodes_modes", std::move(lists.modes)},
          {"nodes_nodeids", std::move(lists.nodes)},
          {"nodes_treeids", std::move(lists.trees)},
          {"nodes_truenodeids", std::move(lists.yes)},
          {"nodes_values", std::move(lists.thresholds)},
          {"target_ids", std::move(lists.leaf_classes)},
          {"target_nodeids", std::move(lists.leaf_nodes)},
          {"target_treeids", std::move(lists.leaf_trees)},
          {"target_weights", std::move(lists.leaf_shares)}};
}

}  // namespace

// The share of trees that vote for each class.
NetworkDraft TclfRf(const std::string& name, ApplicationSize size,
                    uint64_t seed) {
  const ForestSize forest = size == ApplicationSize::kFull
                                ? ForestSize{.trees = 100, .depth = 10}
                                : ForestSize{.trees = 50, .depth = 8};
  Random random(DeriveSeed(seed, "forest"));
  ForestLists lists;
  for (int64_t tree = 0; tree < forest.trees; ++tree)
    AddForestTree(tree, forest, random, lists);
  NetworkBuilder net(name, {kForestRows, kForestFeatures});
  // The operator takes rows, whatever item they belong to.
  Value rows = net.Emit("Reshape",
                        {net.input().name, net.Integers({-1, kForestFeatures})},
                        {{kForestFeatures}});
  Value votes =
      net.Emit("TreeEnsembleRegressor", {rows.name}, {{kForestClasses}},
               ForestAttributes(std::move(lists)));
  net.SetDomain({.domain = "ai.onnx.ml", .version = 3});
  Value output = net.Emit(
      "Reshape", {votes.name, net.Integers({-1, kForestRows, kForestClasses})},
      {{kForestRows, kForestClasses}});
  return std::move(net).Finish(output, seed);
}

}  // namespace mete
