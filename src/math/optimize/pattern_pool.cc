#include "optimize/pattern_pool.h"

namespace mete {

size_t PatternPool::Add(const Pattern& pattern) {
  auto [place, is_new] = known_.emplace(pattern, patterns_.size());
  if (is_new) {
    patterns_.push_back(pattern);
    costs_.push_back(tables_->CostOf(pattern));
  }
  return place->second;
}

}  // namespace mete
