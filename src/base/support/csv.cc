#include "support/csv.h"

#include <fmt/format.h>

namespace mete {
namespace {

std::string Quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// Walks through a text and removes cells from its front.
class CsvCursor {
 public:
  explicit CsvCursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  size_t line() const { return line_; }

  // True when a line ended here; the cursor is then after it.
  bool TakeLineEnd() {
    if (text_.substr(at_, 2) == "\r\n") ++at_;
    if (AtEnd() || text_[at_] != '\n') return false;
    ++at_;
    ++line_;
    return true;
  }

  bool TakeComma() {
    if (AtEnd() || text_[at_] != ',') return false;
    ++at_;
    return true;
  }

  Result<std::string> TakeCell() {
    if (!AtEnd() && text_[at_] == '"') return TakeQuoted();
    size_t end = text_.find_first_of(",\"\r\n", at_);
    if (end == std::string_view::npos) end = text_.size();
    std::string cell(text_.substr(at_, end - at_));
    at_ = end;
    return cell;
  }

 private:
  Result<std::string> TakeQuoted() {
    size_t began = line_;
    std::string cell;
    for (++at_; !AtEnd(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (AtEnd() || text_[at_] != '"') return cell;
      }
      if (text_[at_] == '\n') ++line_;
      cell += text_[at_];
    }
    return Corrupt(fmt::format("line {}: unclosed quote", began));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
};

Result<CsvRecord> TakeRecord(CsvCursor& cursor) {
  CsvRecord record{.line = cursor.line(), .cells = {}};
  while (true) {
    ASSIGN_OR_RETURN(std::string cell, cursor.TakeCell());
    record.cells.push_back(std::move(cell));
    if (cursor.TakeComma()) continue;
    if (cursor.AtEnd() || cursor.TakeLineEnd()) return record;
    return Corrupt(
        fmt::format("line {}: quote inside a cell, or text after "
                    "one",
                    cursor.line()));
  }
}

}  // namespace

std::string CsvLine(const std::vector<std::string>& cells) {
  // Without quotes it would be an empty line, which readers skip.
  if (cells.size() == 1 && cells[0].empty()) return "\"\"\n";
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += Quoted(cells[i]);
  }
  return line + '\n';
}

Result<std::vector<CsvRecord>> ParseCsv(std::string_view text) {
  std::vector<CsvRecord> records;
  CsvCursor cursor(text);
  while (!cursor.AtEnd()) {
    if (cursor.TakeLineEnd()) continue;
    ASSIGN_OR_RETURN(CsvRecord record, TakeRecord(cursor));
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace mete
