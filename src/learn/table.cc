#include "learn/table.h"

namespace mete {

Table Table::Select(std::span<const size_t> chosen) const {
  Table table{.columns = columns};
  table.cells.reserve(chosen.size() * columns.size());
  for (size_t row : chosen) table.AddRow(Row(row));
  return table;
}

}  // namespace mete
