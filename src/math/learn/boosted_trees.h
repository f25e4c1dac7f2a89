// Trains gradient-boosted regression trees with XGBoost.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "learn/feature_table.h"
#include "learn/flat_trees.h"
#include "support/result.h"

namespace mete {

// Hyperparameters of training.
struct TreeSettings {
  int trees = 300;
  int depth = 6;
  double learning_rate = 0.05;
  double row_share = 1;     // share of rows used per tree, (0, 1]
  double column_share = 1;  // share of columns each tree may split on, (0, 1]
  double lambda = 1;        // L2 penalty on leaves
  double min_child_weight = 1;
  // +1: the prediction never decreases when the column grows, -1: never
  // increases, 0: unconstrained. Empty: all unconstrained.
  std::vector<int> monotone;
  uint64_t seed = 0;
  int threads = 1;
};

// Training data. Empty weights: all rows count the same.
struct TrainingRows {
  const FeatureTable& table;
  const std::vector<float>& target;
  std::vector<float> weights;
};

// A trained booster inside XGBoost. Most callers need TrainTrees instead.
class Booster {
 public:
  // Fails with kInvalidInput when there are no rows or the lengths differ,
  // otherwise with XGBoost's error.
  static Result<Booster> Train(const TrainingRows& rows,
                               const TreeSettings& settings);
  ~Booster();
  Booster(Booster&&) noexcept;
  Booster& operator=(Booster&&) noexcept;

  Result<std::vector<float>> Predict(const FeatureTable& table) const;
  Result<std::string> SaveJson() const;
  // Each column's share of the total gain, in column order.
  Result<std::vector<double>> GainShares() const;

 private:
  struct Handle;
  explicit Booster(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

// Trains a booster and converts it to FlatTrees.
Result<FlatTrees> TrainTrees(const TrainingRows& rows,
                             const TreeSettings& settings);

}  // namespace mete
