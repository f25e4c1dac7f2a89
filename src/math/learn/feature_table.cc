#include "learn/feature_table.h"

namespace mete {

FeatureTable FeatureTable::Select(std::span<const size_t> chosen) const {
  FeatureTable table{.columns = columns};
  table.cells.reserve(chosen.size() * columns.size());
  for (size_t row : chosen) table.AddRow(Row(row));
  return table;
}

}  // namespace mete
