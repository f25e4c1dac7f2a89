// Samples by column, as samples.csv has them: what a chart is drawn from. New
// columns need no change here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// Every column has as many cells as there are rows; an empty cell is absent.
class SampleTable {
 public:
  using Column = std::vector<std::optional<double>>;

  // Reads comma-separated text with a heading. Columns of words are left out.
  // Fails with kCorrupt when a row has another number of cells.
  static Result<SampleTable> FromCsv(std::string_view text);

  // CHECKs that the lengths agree.
  void Add(const std::string& name, Column column);

  size_t rows() const { return rows_; }
  // Null when there is no such column or nothing in it.
  const Column* Find(const std::string& name) const;
  // Names of the columns that have something, by the alphabet.
  std::vector<std::string> names() const;

 private:
  std::map<std::string, Column> columns_;
  size_t rows_ = 0;
};

}  // namespace mete
