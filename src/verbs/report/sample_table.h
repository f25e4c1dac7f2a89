// Samples by column, as in samples.csv. Charts are drawn from it. New columns
// need no change here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// A table of numbers. Every column has one cell per row; an empty cell is
// absent.
class SampleTable {
 public:
  using Column = std::vector<std::optional<double>>;

  // Reads comma-separated text with a header line. Skips columns of text. Fails
  // with kCorrupt when a row has a different number of cells.
  static Result<SampleTable> FromCsv(std::string_view text);

  // CHECKs that the column has as many cells as the others.
  void Add(const std::string& name, Column column);

  size_t rows() const { return rows_; }
  // Null when there is no such column or all its cells are empty.
  const Column* Find(const std::string& name) const;
  // Names of the columns that are not empty, in alphabetical order.
  std::vector<std::string> names() const;

 private:
  std::map<std::string, Column> columns_;
  size_t rows_ = 0;
};

}  // namespace mete
