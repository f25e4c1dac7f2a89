// A table of features to learn from, with named columns.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mete {

// Rows of features, stored row by row. A missing cell is NaN.
struct FeatureTable {
  std::vector<std::string> columns;
  std::vector<float> cells;

  size_t rows() const {
    return columns.empty() ? 0 : cells.size() / columns.size();
  }
  std::span<const float> Row(size_t row) const {
    return {cells.data() + row * columns.size(), columns.size()};
  }
  void AddRow(std::span<const float> row) {
    cells.insert(cells.end(), row.begin(), row.end());
  }
  // The rows with these indices, in this order.
  FeatureTable Select(std::span<const size_t> rows) const;
};

// The same selection from a vector that belongs to a table.
template <typename T>
std::vector<T> SelectFrom(const std::vector<T>& values,
                          std::span<const size_t> rows) {
  std::vector<T> chosen;
  chosen.reserve(rows.size());
  for (size_t row : rows) chosen.push_back(values[row]);
  return chosen;
}

}  // namespace mete
