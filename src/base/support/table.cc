#include "support/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"
#include "support/csv.h"
#include "support/text.h"

namespace mete {
namespace {

std::string Padded(const std::string& text, size_t width, Align align) {
  std::string blanks(width - std::min(width, DisplayWidth(text)), ' ');
  return align == Align::kLeft ? text + blanks : blanks + text;
}

// A name with a line break must not look like two rows. Other control
// characters are escaped here, too, because they have no width.
std::string OneLine(const std::string& cell) {
  std::string line;
  for (char c : cell) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

void Table::AddRow(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size())
      << "row has a different number of cells";
  rows_.push_back(std::move(cells));
}

void Table::AddFirstColumn(Column column, const std::string& cell) {
  columns_.insert(columns_.begin(), std::move(column));
  for (auto& row : rows_) row.insert(row.begin(), cell);
}

std::string Table::Text() const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns_) lines[0].push_back(column.heading);
  for (const auto& row : rows_) {
    lines.emplace_back();
    for (const auto& cell : row) lines.back().push_back(OneLine(cell));
  }

  std::vector<size_t> widths(columns_.size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(line[i]));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string joined;
    for (size_t i = 0; i < line.size(); ++i) {
      if (i > 0) joined += "  ";
      joined += Padded(line[i], widths[i], columns_[i].align);
    }
    joined.erase(joined.find_last_not_of(' ') + 1);
    text += joined + '\n';
  }
  return text;
}

std::string Table::Csv() const {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string text = CsvLine(headings);
  for (const auto& row : rows_) text += CsvLine(row);
  return text;
}

}  // namespace mete
