// Tree ensembles of ai.onnx.ml.
#include "describe/operator_rules.h"
#include "describe/tree_ensemble.h"

namespace mete {
namespace {

// Rows are all axes but the last, which holds the features of a row.
Dimension RowsOf(const NodeView& view) {
  const Shape* input = view.InShape(0);
  if (input == nullptr) return {};
  if (input->size() < 2) return {.size = 1};
  return input->front();
}

size_t CountClasses(const Node& node) {
  if (const size_t integers = node.Integers("classlabels_int64s").size()) {
    return integers;
  }
  const Attribute* names = node.Find("classlabels_strings");
  if (names == nullptr) return 0;
  auto* list = std::get_if<std::vector<std::string>>(&names->value);
  return list == nullptr ? 0 : list->size();
}

Status Regressing(NodeView& view) {
  ASSIGN_OR_RETURN(Dimension targets,
                   DimensionFrom(view.node().Integer("n_targets", 1)));
  view.Set(0, ElementType::kFloat, Shape{RowsOf(view), targets});
  return {};
}

// Labels, and a score for each class.
Status Classifying(NodeView& view) {
  const bool named = view.node().Find("classlabels_strings") != nullptr;
  view.Set(0, named ? ElementType::kString : ElementType::kInt64,
           Shape{RowsOf(view)});
  Dimension classes;
  if (const size_t count = CountClasses(view.node())) {
    classes.size = static_cast<int64_t>(count);
  }
  view.Set(1, ElementType::kFloat, Shape{RowsOf(view), classes});
  return {};
}

// Every row walks through every tree: a comparison at each split of the longest
// way, and an addition at the leaf.
Cost CostOfTrees(const NodeView& view) {
  Amount per_row = Amount::Open();
  if (auto ensemble = MeasureTreeEnsemble(view.node())) {
    per_row = ensemble->depths + ensemble->trees;
  }
  return {.cost_class = kOther, .flops = ComputeSize(RowsOf(view)) * per_row};
}

constexpr OperatorRule kTreeRules[] = {
    {"TreeEnsembleRegressor", Regressing, CostOfTrees},
    {"TreeEnsembleClassifier", Classifying, CostOfTrees},
};

}  // namespace

std::span<const OperatorRule> TreeRules() { return kTreeRules; }

}  // namespace mete
