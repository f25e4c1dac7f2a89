// Formats rows and columns as aligned text for a terminal, or as CSV.
#pragma once

#include <string>
#include <vector>

namespace mete {

// Alignment of a column.
enum class Align { kLeft, kRight };

// A heading and rows of text cells. The width of a cell is its number of UTF-8
// characters.
class Table {
 public:
  // Heading and alignment of a column.
  struct Column {
    std::string heading;
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // CHECKs that there are as many cells as columns.
  void AddRow(std::vector<std::string> cells);
  // Inserts a column at the front with the same cell in every row.
  void AddFirstColumn(Column column, const std::string& cell);
  size_t size() const { return rows_.size(); }

  // Two spaces between columns, no trailing blanks, no frame.
  std::string Text() const;
  std::string Csv() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mete
