#include "optimize/trim_patterns.h"

#include <algorithm>
#include <vector>

namespace mete {

Patterns TrimPatterns(const PackingTables& tables, Patterns patterns) {
  std::vector<int> units(tables.size());
  for (const Pattern& pattern : patterns) {
    for (const Units& u : pattern.contents) units[u.item] += u.count;
  }
  std::vector<int> excess(tables.size());
  for (size_t i = 0; i < units.size(); ++i) {
    int wanted = units[i] < tables.item(i).units ? 0 : tables.item(i).units;
    excess[i] = units[i] - wanted;
  }
  for (Pattern& pattern : patterns) {
    for (Units& u : pattern.contents) {
      int taken = std::min(u.count, excess[u.item]);
      u.count -= taken;
      excess[u.item] -= taken;
    }
    std::erase_if(pattern.contents,
                  [](const Units& u) { return u.count == 0; });
  }
  std::erase_if(patterns, [](const Pattern& p) { return p.contents.empty(); });
  return patterns;
}

}  // namespace mete
