#include "learn/folds.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "support/random.h"

namespace mete {
namespace {

// fold_of[row] is the fold in which a row is tested.
std::vector<Fold> Spread(const std::vector<size_t>& fold_of, size_t folds) {
  std::vector<Fold> all(folds);
  for (size_t row = 0; row < fold_of.size(); ++row) {
    for (size_t fold = 0; fold < folds; ++fold) {
      (fold == fold_of[row] ? all[fold].test : all[fold].train).push_back(row);
    }
  }
  return all;
}

std::vector<size_t> Shuffled(size_t count, uint64_t seed) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  Random random(seed);
  Shuffle(order, random);
  return order;
}

}  // namespace

std::vector<Fold> RandomFolds(size_t rows, size_t folds, uint64_t seed) {
  folds = std::min(folds, rows);
  if (folds < 2) return {};
  std::vector<size_t> fold_of(rows);
  std::vector<size_t> order = Shuffled(rows, seed);
  for (size_t i = 0; i < rows; ++i) fold_of[order[i]] = i % folds;
  return Spread(fold_of, folds);
}

std::vector<Fold> GroupFolds(std::span<const std::string> groups,
                             const GroupFoldRequest& request) {
  std::map<std::string, size_t> places;
  for (const std::string& group : groups) places.try_emplace(group, 0);
  size_t folds = request.at_most == 0
                     ? places.size()
                     : std::min(request.at_most, places.size());
  if (folds < 2) return {};
  std::vector<size_t> order = Shuffled(places.size(), request.seed);
  size_t next = 0;
  for (auto& [group, place] : places) place = order[next++] % folds;
  std::vector<size_t> fold_of;
  for (const std::string& group : groups) fold_of.push_back(places[group]);
  return Spread(fold_of, folds);
}

}  // namespace mete
