// Boosted trees laid out flat, for answering: no library, no allocation, any
// number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/feature_table.h"
#include "support/result.h"

namespace mete {

// Adds up one leaf of every tree. The sum is taken in single precision, tree
// after tree from the base score on, which gives XGBoost's own bits.
class FlatTrees {
 public:
  // A split or a leaf. Children stand next to each other, so that one index
  // and a comparison find both.
  struct Node {
    float value = 0;       // threshold of a split, or what a leaf adds
    uint32_t left = 0;     // index of the left child; 0: a leaf
    uint32_t feature = 0;  // highest bit: a missing value goes left

    static constexpr uint32_t kMissingLeft = 1u << 31;
  };

  FlatTrees() = default;

  // What XGBoost's JSON says about a booster over `features` columns. Fails
  // with kCorrupt when the document is not of that shape.
  static Result<FlatTrees> FromXgboost(std::string_view json, size_t features);
  // The reverse of Pack. Fails with kCorrupt: a child may only stand after its
  // parent, within its tree, and a feature must exist, so that evaluation
  // always ends and stays in bounds.
  static Result<FlatTrees> Unpack(std::string_view bytes, size_t features);
  // Little-endian: base score, count of trees, their starts, the nodes.
  std::string Pack() const;

  size_t features() const { return features_; }
  size_t trees() const { return starts_.size(); }

  // `row` has features() cells.
  float Predict(std::span<const float> row) const;
  // One value a row, the same bits; faster when many rows have columns in
  // common, or values between the same thresholds.
  std::vector<float> Predict(const FeatureTable& table) const;

 private:
  Status Check() const;
  // Of nodes that are in order.
  void CollectThresholds();

  size_t features_ = 0;
  float base_ = 0;
  std::vector<uint32_t> starts_;  // of each tree in nodes_
  std::vector<Node> nodes_;
  std::vector<std::vector<float>> thresholds_;  // by column, ascending
};

}  // namespace mete
