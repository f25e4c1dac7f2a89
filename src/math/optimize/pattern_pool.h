// Every pattern that was found, each once, with its cost.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "optimize/packing_tables.h"

namespace mete {

// Grows only: positions stay valid.
class PatternPool {
 public:
  explicit PatternPool(const PackingTables& tables) : tables_(&tables) {}

  // Returns whether the pattern is new. Empty patterns are left out.
  bool Add(const Pattern& pattern);
  void AddAll(const Patterns& patterns) {
    for (const Pattern& pattern : patterns) Add(pattern);
  }

  size_t size() const { return patterns_.size(); }
  const Pattern& operator[](size_t p) const { return patterns_[p]; }
  double cost(size_t p) const { return costs_[p]; }

 private:
  const PackingTables* tables_;
  std::set<Pattern> known_;
  std::vector<Pattern> patterns_;
  std::vector<double> costs_;
};

}  // namespace mete
