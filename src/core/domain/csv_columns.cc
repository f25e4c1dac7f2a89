#include "domain/csv_columns.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "domain/run_json.h"
#include "support/clock.h"

namespace mete {
namespace {

template <typename Number>
Status ReadNumber(const std::string& cell, Number& number) {
  if (cell.empty()) return Corrupt("is empty");
  auto [end, error] =
      std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    return Corrupt(fmt::format("'{}' is not a valid number", cell));
  }
  return {};
}

Status CheckHeading(const std::vector<std::string>& expected,
                    const CsvRecord& heading, std::string_view origin) {
  for (size_t i = 0; i < expected.size(); ++i) {
    std::string found = i < heading.cells.size() ? heading.cells[i] : "";
    if (found == expected[i]) continue;
    return Corrupt(fmt::format("line {}: expected column '{}', found '{}'; {}",
                               heading.line, expected[i], found, origin));
  }
  if (heading.cells.size() == expected.size()) return {};
  return Corrupt(fmt::format("line {}: unknown column '{}'", heading.line,
                             heading.cells[expected.size()]));
}

}  // namespace

std::string WriteCell(const std::string& text) { return text; }
std::string WriteCell(bool flag) { return flag ? "true" : "false"; }
std::string WriteCell(double number) { return fmt::format("{}", number); }
std::string WriteCell(int number) { return fmt::format("{}", number); }
std::string WriteCell(int64_t number) { return fmt::format("{}", number); }
std::string WriteCell(uint64_t number) { return fmt::format("{}", number); }
std::string WriteCell(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? fmt::format("{}", *number) : "";
}
std::string WriteCell(OutcomeKind kind) { return std::string(ToString(kind)); }
std::string WriteCell(MixKind kind) { return std::string(MixKindName(kind)); }
std::string WriteCell(std::chrono::system_clock::time_point time) {
  return FormatUtc(time);
}

Status ReadCell(const std::string& cell, std::string& text) {
  text = cell;
  return {};
}

Status ReadCell(const std::string& cell, bool& flag) {
  flag = cell == "true";
  if (flag || cell == "false") return {};
  return Corrupt(fmt::format("'{}' is not true or false", cell));
}

Status ReadCell(const std::string& cell, double& number) {
  RETURN_IF_ERROR(ReadNumber(cell, number));
  if (std::isfinite(number)) return {};
  return Corrupt(fmt::format("'{}' is not finite", cell));
}

Status ReadCell(const std::string& cell, std::optional<double>& number) {
  number.reset();
  if (cell.empty()) return {};
  double value = 0;
  RETURN_IF_ERROR(ReadCell(cell, value));
  number = value;
  return {};
}

Status ReadCell(const std::string& cell, int& number) {
  return ReadNumber(cell, number);
}
Status ReadCell(const std::string& cell, int64_t& number) {
  return ReadNumber(cell, number);
}
Status ReadCell(const std::string& cell, uint64_t& number) {
  return ReadNumber(cell, number);
}

Status ReadCell(const std::string& cell, OutcomeKind& kind) {
  ASSIGN_OR_RETURN(kind, ParseOutcome(cell));
  return {};
}

Status ReadCell(const std::string& cell, MixKind& kind) {
  auto parsed = ParseMixKind(cell);
  if (!parsed.ok()) return Corrupt(parsed.error().message());
  kind = *parsed;
  return {};
}

Status ReadCell(const std::string& cell,
                std::chrono::system_clock::time_point& time) {
  ASSIGN_OR_RETURN(time, ParseUtc(cell));
  return {};
}

Result<std::vector<CsvRecord>> ParseRecords(
    std::string_view text, const std::vector<std::string>& columns,
    std::string_view origin) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records, ParseCsv(text));
  if (records.empty()) return Corrupt("no heading");
  RETURN_IF_ERROR(CheckHeading(columns, records[0], origin));
  records.erase(records.begin());
  for (const CsvRecord& record : records) {
    if (record.cells.size() == columns.size()) continue;
    return Corrupt(fmt::format("line {}: has {} columns, not {}", record.line,
                               record.cells.size(), columns.size()));
  }
  return records;
}

}  // namespace mete
