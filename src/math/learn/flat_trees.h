// Boosted trees in a flat layout for fast prediction: no library, no
// allocation, thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/feature_table.h"
#include "support/result.h"

namespace mete {

// Sums one leaf of every tree. The sum is computed in single precision, tree by
// tree starting with the base score, which reproduces XGBoost's results bit for
// bit.
class FlatTrees {
 public:
  // A split or a leaf. Siblings are adjacent, so one index and a comparison
  // find either child.
  struct Node {
    float value = 0;       // threshold of a split, or value of a leaf
    uint32_t left = 0;     // index of the left child; 0: a leaf
    uint32_t feature = 0;  // highest bit: a missing value goes left

    static constexpr uint32_t kMissingLeft = 1u << 31;
  };

  FlatTrees() = default;

  // The same value for every row of `features` cells.
  static FlatTrees Constant(float value, size_t features);

  // Reads XGBoost's JSON of a booster over `features` columns. Fails with
  // kCorrupt when the document has another structure.
  static Result<FlatTrees> FromXgboost(std::string_view json, size_t features);
  // The inverse of Pack. Fails with kCorrupt unless every node belongs to a
  // tree, every child comes after its parent within its tree and every feature
  // exists, so that evaluation always terminates and stays in bounds.
  static Result<FlatTrees> Unpack(std::string_view bytes, size_t features);
  // Little-endian: base score, number of trees, their starts, the nodes.
  std::string Pack() const;

  size_t features() const { return features_; }
  size_t trees() const { return starts_.size(); }

  // `row` has features() cells.
  float Predict(std::span<const float> row) const;
  // One value per row, identical to the above; faster when many rows share
  // column values, or have values between the same thresholds.
  std::vector<float> Predict(const FeatureTable& table) const;

 private:
  Status Check() const;
  // Requires that Check succeeded.
  void CollectThresholds();

  size_t features_ = 0;
  float base_ = 0;
  std::vector<uint32_t> starts_;  // of each tree in nodes_
  std::vector<Node> nodes_;
  std::vector<std::vector<float>> thresholds_;  // by column, ascending
};

}  // namespace mete
