// Forests of decision trees: the classic tree ensembles of ai.onnx.ml, whose
// trees are lists in attributes.
#pragma once

#include <cstdint>
#include <optional>

#include "domain/graph.h"

namespace mete {

// How large a forest is.
struct TreeEnsemble {
  uint64_t trees = 0;
  uint64_t splits = 0;       // nodes that compare a feature with a threshold
  uint64_t leaf_values = 0;  // numbers at the leaves
  // Sum over all trees of the longest way from the root to a leaf: no row needs
  // more comparisons.
  uint64_t depths = 0;

  // What training chose: a threshold for each split, and the leaf values.
  uint64_t parameters() const { return splits + leaf_values; }
};

// TreeEnsembleRegressor and TreeEnsembleClassifier.
bool IsTreeEnsemble(const Node& node);
// Absent for other operators, if a list is missing or was too long to keep, and
// if the lists do not describe trees.
std::optional<TreeEnsemble> MeasureTreeEnsemble(const Node& node);

}  // namespace mete
