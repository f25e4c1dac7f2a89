// Every pattern that was found, each once, with its cost.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "optimize/packing_tables.h"

namespace mete {

// Grows only: positions stay valid.
class PatternPool {
 public:
  explicit PatternPool(const PackingTables& tables) : tables_(&tables) {}

  // Returns the position of the pattern, which has contents.
  size_t Add(const Pattern& pattern);
  void AddAll(const Patterns& patterns) {
    for (const Pattern& pattern : patterns) {
      if (!pattern.contents.empty()) Add(pattern);
    }
  }

  size_t size() const { return patterns_.size(); }
  const Pattern& operator[](size_t p) const { return patterns_[p]; }
  double cost(size_t p) const { return costs_[p]; }

 private:
  const PackingTables* tables_;
  std::map<Pattern, size_t> known_;  // positions
  std::vector<Pattern> patterns_;
  std::vector<double> costs_;
};

}  // namespace mete
