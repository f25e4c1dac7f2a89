#include "analyze/read_series.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <optional>

#include "support/csv.h"
#include "support/nearest.h"
#include "support/parse_number.h"

namespace mete {
namespace {

// Later than this in seconds would be the year 5138: it is milliseconds.
constexpr double kLatestSeconds = 1e11;

// "Z", "+02:00", "-0530" or nothing; in seconds.
std::optional<double> ParseOffset(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const char sign = text.front();
  if (sign != '+' && sign != '-') return std::nullopt;
  std::string digits;
  for (char c : text.substr(1)) {
    if (c != ':') digits += c;
  }
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4) return std::nullopt;
  auto hours = ParseNumber<int>(digits.substr(0, 2));
  auto minutes = ParseNumber<int>(digits.substr(2));
  if (!hours || !minutes || *hours > 15 || *minutes > 59) return std::nullopt;
  return (sign == '+' ? 1 : -1) * (3600.0 * *hours + 60.0 * *minutes);
}

// The fraction of a second at the front of the text, which is removed.
double TakeFraction(std::string_view& text) {
  if (text.empty() || (text.front() != '.' && text.front() != ',')) return 0;
  double value = 0, scale = 0.1;
  text.remove_prefix(1);
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    value += scale * (text.front() - '0');
    scale /= 10;
    text.remove_prefix(1);
  }
  return value;
}

std::optional<double> ParseIso(std::string_view text) {
  std::tm parts{};
  char between = 0;
  int used = 0;
  const std::string copy(text.substr(0, 64));
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2d%c%2d:%2d:%2d%n", &parts.tm_year,
                  &parts.tm_mon, &parts.tm_mday, &between, &parts.tm_hour,
                  &parts.tm_min, &parts.tm_sec, &used) != 7) {
    return std::nullopt;
  }
  const bool possible =
      (between == 'T' || between == 't' || between == ' ') &&
      parts.tm_year >= 1970 && parts.tm_mon >= 1 && parts.tm_mon <= 12 &&
      parts.tm_mday >= 1 && parts.tm_mday <= 31 && parts.tm_hour >= 0 &&
      parts.tm_hour <= 23 && parts.tm_min >= 0 && parts.tm_min <= 59 &&
      parts.tm_sec >= 0 && parts.tm_sec <= 60;
  if (!possible) return std::nullopt;
  std::string_view rest = text.substr(static_cast<size_t>(used));
  const double fraction = TakeFraction(rest);
  const auto offset = ParseOffset(rest);
  if (!offset) return std::nullopt;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return static_cast<double>(timegm(&parts)) + fraction - *offset;
}

Result<size_t> FindColumn(const std::vector<std::string>& heading,
                          const std::string& column) {
  for (size_t i = 1; i < heading.size(); ++i) {
    if (heading[i] == column) return i;
  }
  return NotFound(
      fmt::format("no column '{}'{}", column, DidYouMean(column, heading)));
}

Result<double> ParseValue(std::string_view text) {
  if (text.empty() || text == "null" || text == "NULL") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (auto value = ParseNumber<double>(text)) return *value;
  return Corrupt(fmt::format("'{}' is not a number", text));
}

}  // namespace

Result<double> ParseTime(std::string_view text) {
  if (auto number = ParseNumber<double>(text)) {
    if (std::isfinite(*number)) {
      return std::abs(*number) > kLatestSeconds ? *number / 1000 : *number;
    }
  } else if (auto time = ParseIso(text)) {
    return *time;
  }
  return Corrupt(fmt::format(
      "'{}' is not a time; expected seconds since 1970, milliseconds or "
      "2026-11-18T13:00:00Z",
      text));
}

Result<TimeSeries> ReadSeries(const ReadSeriesRequest& request) {
  ASSIGN_OR_RETURN(std::vector<CsvRecord> records, ParseCsv(request.text));
  TimeSeries series;
  if (records.empty()) return series;
  const bool heading = !ParseTime(records[0].cells[0]).ok();
  size_t column = 1;
  if (!request.column.empty()) {
    if (!heading) {
      return InvalidInput("a column was named, but the file has no heading");
    }
    ASSIGN_OR_RETURN(column, FindColumn(records[0].cells, request.column));
  }
  for (size_t i = heading ? 1 : 0; i < records.size(); ++i) {
    const CsvRecord& record = records[i];
    const std::string where = fmt::format("line {}", record.line);
    if (record.cells.size() <= column) {
      return Corrupt(fmt::format("{}: expected {} columns, got {}", where,
                                 column + 1, record.cells.size()));
    }
    ASSIGN_OR_RETURN(double time, ParseTime(record.cells[0]).While(where));
    ASSIGN_OR_RETURN(double value,
                     ParseValue(record.cells[column]).While(where));
    series.times.push_back(time);
    series.values.push_back(value);
  }
  return series;
}

}  // namespace mete
