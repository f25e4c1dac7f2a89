// Tables of rows with named columns as CSV. A row type lists its columns once,
// in a function template that passes every field to a visitor:
//
//   template <typename Visitor>
//   void VisitRow(Visitor& visit, Row& row) { visit("name", row.name); … }
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/mix.h"
#include "domain/run.h"
#include "support/csv.h"
#include "support/result.h"

namespace mete {

// Cells of one field. Text parses back to the same value; an absent or infinite
// value is an empty cell.
std::string WriteCell(const std::string& text);
std::string WriteCell(bool flag);
std::string WriteCell(double number);
std::string WriteCell(int number);
std::string WriteCell(int64_t number);
std::string WriteCell(uint64_t number);
std::string WriteCell(const std::optional<double>& number);
std::string WriteCell(OutcomeKind kind);
std::string WriteCell(MixKind kind);
std::string WriteCell(std::chrono::system_clock::time_point time);

// The reverse. Fails with kCorrupt and what is wrong with the cell.
Status ReadCell(const std::string& cell, std::string& text);
Status ReadCell(const std::string& cell, bool& flag);
Status ReadCell(const std::string& cell, double& number);
Status ReadCell(const std::string& cell, int& number);
Status ReadCell(const std::string& cell, int64_t& number);
Status ReadCell(const std::string& cell, uint64_t& number);
Status ReadCell(const std::string& cell, std::optional<double>& number);
Status ReadCell(const std::string& cell, OutcomeKind& kind);
Status ReadCell(const std::string& cell, MixKind& kind);
Status ReadCell(const std::string& cell,
                std::chrono::system_clock::time_point& time);

// Visitor that collects the names of the columns.
struct ColumnNamer {
  template <typename Field>
  void operator()(const std::string& name, Field&) {
    names.push_back(name);
  }
  std::vector<std::string> names;
};

// Visitor that writes the cells of a row.
struct CellWriter {
  template <typename Field>
  void operator()(const std::string&, Field& field) {
    cells.push_back(WriteCell(std::as_const(field)));
  }
  std::vector<std::string> cells;
};

// Visitor that reads the cells of a record in order and keeps the first error.
struct CellReader {
  template <typename Field>
  void operator()(const std::string& name, Field& field) {
    if (!status.ok()) return;
    status =
        ReadCell(record.cells[at++], field)
            .While("line " + std::to_string(record.line) + ", column " + name);
  }

  const CsvRecord& record;
  size_t at = 0;
  Status status{};
};

// The columns of a row type.
template <typename Row, typename Visit>
std::vector<std::string> ColumnNames(Visit visit_names) {
  Row row;
  ColumnNamer namer;
  visit_names(namer, row);
  return std::move(namer.names);
}

// The records below the heading. Fails with kCorrupt if the text is not CSV, if
// the heading differs, or if a record has another number of cells. `origin` is
// a question such as "is this a table of mete collect --export-table?".
Result<std::vector<CsvRecord>> ParseRecords(
    std::string_view text, const std::vector<std::string>& columns,
    std::string_view origin);

// All rows of a table. Fails with kCorrupt and the line and column of the first
// cell that is not a value of its column's type.
template <typename Row, typename VisitNames, typename VisitCells>
Result<std::vector<Row>> ParseTable(std::string_view text,
                                    std::string_view origin,
                                    VisitNames visit_names,
                                    VisitCells visit_cells) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records,
                   ParseRecords(text, ColumnNames<Row>(visit_names), origin));
  std::vector<Row> rows;
  rows.reserve(records.size());
  for (const CsvRecord& record : records) {
    Row row;
    CellReader reader{.record = record};
    visit_cells(reader, row);
    RETURN_IF_ERROR(reader.status);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace mete
