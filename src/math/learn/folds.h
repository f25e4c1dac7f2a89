// Splits rows into folds for cross-validation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mete {

// One round of validation: train on some rows, test on the others.
struct Fold {
  std::vector<size_t> train;
  std::vector<size_t> test;
};

// Every row is tested once, in a fold chosen by the seed. At most `folds` folds
// with at least one row each; none for fewer than two rows.
std::vector<Fold> RandomFolds(size_t rows, size_t folds, uint64_t seed);

// Rows of one group are tested together and are not in the training set of that
// fold. If `at_most` is 0 or not below the number of groups, every group has
// its own fold; otherwise groups share folds, chosen by the seed. No folds for
// fewer than two groups.
struct GroupFoldRequest {
  size_t at_most = 0;  // 0: one per group
  uint64_t seed = 0;
};
std::vector<Fold> GroupFolds(std::span<const std::string> groups,
                             const GroupFoldRequest& request);

}  // namespace mete
