// Comma-separated values as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace mete {

// One line with its end; cells that need it are quoted.
std::string CsvLine(const std::vector<std::string>& cells);

// One record and the line of the text it begins on, counted from 1.
struct CsvRecord {
  size_t line = 0;
  std::vector<std::string> cells;
};

// All records, the heading among them. Lines may end with \n or \r\n; empty
// ones are skipped. Fails with kCorrupt and the line when a quote is not
// closed or stands in the middle of a cell.
Result<std::vector<CsvRecord>> ParseCsv(std::string_view text);

}  // namespace mete
