#include "optimize/trivial_bound.h"

#include <algorithm>

namespace mete {

double TrivialBound(const PackingTables& tables) {
  double bound = 0;
  for (size_t i = 0; i < tables.size(); ++i) {
    const TableItem& item = tables.item(i);
    bool fits = false;
    double saved = 0;
    for (size_t c = 0; c < tables.classes().size(); ++c) {
      if (tables.table(c).most[i] == 0) continue;
      fits = true;
      saved += tables.SavedBy(c, {i, item.units});
    }
    if (fits) bound += std::max(0.0, item.score + saved);
  }
  return bound;
}

}  // namespace mete
