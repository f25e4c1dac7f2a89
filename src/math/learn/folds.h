// Which rows are held out together when a predictor is validated.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mete {

// One round of validation: learn from some rows, be judged on the others.
struct Fold {
  std::vector<size_t> train;
  std::vector<size_t> test;
};

// Every row is tested once, in a fold drawn by the seed. At most `folds`, at
// least one row each; none for fewer than two rows.
std::vector<Fold> RandomFolds(size_t rows, size_t folds, uint64_t seed);

// Rows of one group are tested together and never learnt from in that fold.
// Without `at_most`, or with at least as many, every group has a fold of its
// own; otherwise groups share folds, drawn by the seed. None for fewer than
// two groups.
struct GroupFoldRequest {
  size_t at_most = 0;  // 0: as many as there are groups
  uint64_t seed = 0;
};
std::vector<Fold> GroupFolds(std::span<const std::string> groups,
                             const GroupFoldRequest& request);

}  // namespace mete
