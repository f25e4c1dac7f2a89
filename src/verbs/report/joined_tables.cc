#include "report/joined_tables.h"

#include <algorithm>

#include "support/csv.h"

namespace mete {

Status JoinedTables::Add(const std::vector<std::string>& label,
                         const std::string& text) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records, ParseCsv(text));
  if (records.empty()) return {};
  std::vector<size_t> places;
  for (const std::string& name : records.front().cells) {
    auto known = std::ranges::find(columns_, name);
    places.push_back(static_cast<size_t>(known - columns_.begin()));
    if (known == columns_.end()) columns_.push_back(name);
  }
  for (size_t i = 1; i < records.size(); ++i) {
    const std::vector<std::string>& cells = records[i].cells;
    if (cells.size() != places.size()) {
      return Corrupt("line " + std::to_string(records[i].line) +
                     " has another number of cells than the heading");
    }
    std::map<size_t, std::string> row;
    for (size_t k = 0; k < cells.size(); ++k) row[places[k]] = cells[k];
    rows_.push_back({.label = label, .cells = std::move(row)});
  }
  return {};
}

std::string JoinedTables::Csv() const {
  std::vector<std::string> heading = labels_;
  heading.insert(heading.end(), columns_.begin(), columns_.end());
  std::string text = CsvLine(heading);
  for (const Row& row : rows_) {
    std::vector<std::string> line = row.label;
    line.resize(heading.size());
    for (const auto& [place, cell] : row.cells) {
      line[labels_.size() + place] = cell;
    }
    text += CsvLine(line);
  }
  return text;
}

}  // namespace mete
