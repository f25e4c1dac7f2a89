// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One line with its line end. Cells are quoted if necessary.
std::string CsvLine(const std::vector<std::string>& cells);

// One record and the line on which it begins, counted from 1.
struct CsvRecord {
  size_t line = 0;
  std::vector<std::string> cells;
};

// All records including the heading. Lines may end with \n or \r\n; empty ones
// are skipped. Fails with kCorrupt and the line number when a quote is not
// closed or is in the middle of a cell.
Result<std::vector<CsvRecord>> ParseCsv(std::string_view text);

}  // namespace mete
