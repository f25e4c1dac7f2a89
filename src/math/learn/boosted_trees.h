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

struct TreeSettings {
  int trees = 300;
  int depth = 6;
  double learning_rate = 0.05;
  double row_share = 1;     // of the rows each tree is grown on, (0, 1]
  double column_share = 1;  // of the columns each tree may split, (0, 1]
  double lambda = 1;        // L2 penalty on leaves
  double min_child_weight = 1;
  // +1: the prediction never falls when the column grows, -1: never rises,
  // 0: free. Empty: all free.
  std::vector<int> monotone;
  uint64_t seed = 0;
  int threads = 1;
};

// What is learnt from. Weights may be empty: all rows count the same.
struct TrainingRows {
  const FeatureTable& table;
  const std::vector<float>& target;
  std::vector<float> weights;
};

// A trained booster as XGBoost holds it. Most callers want TrainTrees.
class Booster {
 public:
  // Fails with kInvalidInput when there is nothing to learn from or the
  // lengths differ, and with what XGBoost says otherwise.
  static Result<Booster> Train(const TrainingRows& rows,
                               const TreeSettings& settings);
  ~Booster();
  Booster(Booster&&) noexcept;
  Booster& operator=(Booster&&) noexcept;

  Result<std::vector<float>> Predict(const FeatureTable& table) const;
  Result<std::string> SaveJson() const;
  // Share of the whole gain each column brought, in their order.
  Result<std::vector<double>> GainShares() const;

 private:
  struct Handle;
  explicit Booster(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

// Trains and flattens.
Result<FlatTrees> TrainTrees(const TrainingRows& rows,
                             const TreeSettings& settings);

}  // namespace mete
