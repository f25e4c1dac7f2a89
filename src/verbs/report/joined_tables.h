// Joins CSV tables, such as the samples of several runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// Tables that have some columns in common, under one heading. Every row is
// preceded by the label of its table. Cells of columns that a table lacks are
// empty.
class JoinedTables {
 public:
  // The headings of the labels.
  explicit JoinedTables(std::vector<std::string> labels)
      : labels_(std::move(labels)) {}

  // Fails with kCorrupt if the text is not CSV, or at the first row that has
  // another number of cells than the heading; the rows before it stay.
  Status Add(const std::vector<std::string>& label, const std::string& text);

  std::string Csv() const;

 private:
  struct Row {
    std::vector<std::string> label;
    std::map<size_t, std::string> cells;  // by column
  };

  std::vector<std::string> labels_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

}  // namespace mete
