#include "report/sample_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/check.h"
#include "support/parse_number.h"

namespace mete {
namespace {

// Splits one line into cells. Only names are quoted, and they are not samples.
std::vector<std::string> Cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

Result<SampleTable> SampleTable::FromCsv(std::string_view text) {
  std::vector<std::string> names;
  std::vector<Column> columns;
  size_t line_number = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::vector<std::string> cells = Cells(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++line_number == 1) {
      names = std::move(cells);
      columns.resize(names.size());
      continue;
    }
    if (cells.size() != names.size()) {
      return Corrupt(fmt::format("line {}: number of cells is {}, expected {}",
                                 line_number, cells.size(), names.size()));
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      columns[i].push_back(ParseNumber<double>(cells[i]));
    }
  }
  SampleTable table;
  for (size_t i = 0; i < names.size(); ++i) {
    table.Add(names[i], std::move(columns[i]));
  }
  return table;
}

void SampleTable::Add(const std::string& name, Column column) {
  CHECK(columns_.empty() || column.size() == rows_)
      << "column " << name << " has a different length";
  rows_ = column.size();
  columns_[name] = std::move(column);
}

const SampleTable::Column* SampleTable::Find(const std::string& name) const {
  auto found = columns_.find(name);
  if (found == columns_.end()) return nullptr;
  bool any = std::ranges::any_of(found->second,
                                 [](const auto& cell) { return !!cell; });
  return any ? &found->second : nullptr;
}

std::vector<std::string> SampleTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, column] : columns_) {
    if (Find(name) != nullptr) names.push_back(name);
  }
  return names;
}

}  // namespace mete
