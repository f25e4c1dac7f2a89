#include "optimize/pattern_pool.h"

namespace mete {

bool PatternPool::Add(const Pattern& pattern) {
  if (pattern.contents.empty()) return false;
  if (!known_.insert(pattern).second) return false;
  patterns_.push_back(pattern);
  costs_.push_back(tables_->CostOf(pattern));
  return true;
}

}  // namespace mete
