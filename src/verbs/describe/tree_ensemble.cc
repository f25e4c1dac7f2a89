#include "describe/tree_ensemble.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace mete {
namespace {

// Elements of a list, also of one that was too long to keep.
std::optional<uint64_t> LengthOf(const Attribute* list) {
  if (list == nullptr) return std::nullopt;
  if (auto* reals = std::get_if<std::vector<double>>(&list->value)) {
    return reals->size();
  }
  if (auto* stored = std::get_if<Constant>(&list->value)) {
    return ElementCount(stored->sizes);
  }
  return std::nullopt;
}

struct TreeNode {
  int64_t tree = 0;
  int64_t id = 0;  // in its tree
  int64_t yes = 0;
  int64_t no = 0;
  uint64_t depth = 0;
  bool has_parent = false;

  std::pair<int64_t, int64_t> Number() const { return {tree, id}; }
  // Files give the leaves, which have no children, the same number twice.
  bool leaf() const { return yes == no; }
};

// The nodes of all trees, in the order of their numbers.
struct Forest {
  std::vector<TreeNode> nodes;

  TreeNode* Find(int64_t tree, int64_t id) {
    auto found = std::ranges::lower_bound(nodes, std::pair(tree, id), {},
                                          &TreeNode::Number);
    if (found == nodes.end() || found->Number() != std::pair(tree, id)) {
      return nullptr;
    }
    return &*found;
  }
};

std::optional<Forest> ReadForest(const Node& node) {
  const std::vector<int64_t> trees = node.Integers("nodes_treeids");
  const std::vector<int64_t> ids = node.Integers("nodes_nodeids");
  const std::vector<int64_t> yes = node.Integers("nodes_truenodeids");
  const std::vector<int64_t> no = node.Integers("nodes_falsenodeids");
  const size_t count = trees.size();
  if (count == 0 || ids.size() != count || yes.size() != count ||
      no.size() != count) {
    return std::nullopt;
  }
  Forest forest;
  for (size_t i = 0; i < count; ++i) {
    forest.nodes.push_back(
        {.tree = trees[i], .id = ids[i], .yes = yes[i], .no = no[i]});
  }
  std::ranges::sort(forest.nodes, {}, &TreeNode::Number);
  const bool twice =
      std::ranges::adjacent_find(forest.nodes, {}, &TreeNode::Number) !=
      forest.nodes.end();
  if (twice) return std::nullopt;
  return forest;
}

// False if a child does not exist or has two parents.
bool LinkChildren(Forest& forest) {
  for (const TreeNode& node : forest.nodes) {
    if (node.leaf()) continue;
    for (int64_t id : {node.yes, node.no}) {
      TreeNode* child = forest.Find(node.tree, id);
      if (child == nullptr || child->has_parent) return false;
      child->has_parent = true;
    }
  }
  return true;
}

// Longest ways from the roots, by tree; empty if some nodes are in a circle.
std::map<int64_t, uint64_t> FindDepths(Forest& forest) {
  std::map<int64_t, uint64_t> depths;
  std::vector<TreeNode*> reached;
  for (TreeNode& node : forest.nodes) {
    if (!node.has_parent) reached.push_back(&node);
  }
  for (size_t i = 0; i < reached.size(); ++i) {
    const TreeNode& node = *reached[i];
    uint64_t& depth = depths[node.tree];
    depth = std::max(depth, node.depth);
    if (node.leaf()) continue;
    for (int64_t id : {node.yes, node.no}) {
      TreeNode* child = forest.Find(node.tree, id);
      child->depth = node.depth + 1;
      reached.push_back(child);
    }
  }
  if (reached.size() != forest.nodes.size()) depths.clear();
  return depths;
}

}  // namespace

bool IsTreeEnsemble(const Node& node) {
  return node.domain == "ai.onnx.ml" && (node.op == "TreeEnsembleRegressor" ||
                                         node.op == "TreeEnsembleClassifier");
}

std::optional<TreeEnsemble> MeasureTreeEnsemble(const Node& node) {
  if (!IsTreeEnsemble(node)) return std::nullopt;
  auto values = LengthOf(node.Find(
      node.op == "TreeEnsembleRegressor" ? "target_weights" : "class_weights"));
  auto forest = ReadForest(node);
  if (!values || !forest || !LinkChildren(*forest)) return std::nullopt;
  const auto depths = FindDepths(*forest);
  if (depths.empty()) return std::nullopt;
  TreeEnsemble ensemble{.trees = depths.size(), .leaf_values = *values};
  for (const TreeNode& one : forest->nodes) ensemble.splits += !one.leaf();
  for (const auto& [tree, depth] : depths) ensemble.depths += depth;
  return ensemble;
}

}  // namespace mete
