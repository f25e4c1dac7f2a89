#include "linux/numbers.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "linux/scan.h"
#include "linux/system_root.h"
#include "support/parse_number.h"

namespace mete {

std::vector<std::string_view> SplitFields(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string_view> words;
  size_t start = text.find_first_not_of(kBlanks);
  while (start != std::string_view::npos) {
    size_t end = text.find_first_of(kBlanks, start);
    words.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::optional<uint64_t> WholeNumber(std::string_view text) {
  return ParseNumber<uint64_t>(text);
}

std::optional<int64_t> LeadingNumber(std::string_view text) {
  int64_t number = 0;
  auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::optional<double> Decimal(std::string_view text) {
  auto number = ParseNumber<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::optional<uint64_t> NumberAfter(std::string_view text,
                                    std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
  return WholeNumber(text.substr(prefix.size()));
}

std::optional<uint64_t> FindCounter(std::string_view text, std::string_view key,
                                    char separator) {
  auto value = FindField(text, key, separator);
  if (!value) return std::nullopt;
  return WholeNumber(value->substr(0, value->find_first_of(" \t")));
}

void ReadCounters(std::string_view text,
                  std::span<const RequestedCounter> requested) {
  while (auto line = TakeLine(text)) {
    const size_t middle = line->find(' ');
    if (middle == std::string_view::npos) continue;
    const std::string_view key = line->substr(0, middle);
    for (const RequestedCounter& counter : requested) {
      if (counter.key != key) continue;
      *counter.value = WholeNumber(Trimmed(line->substr(middle + 1)));
      break;
    }
  }
}

std::optional<uint64_t> FirstNumber(std::string_view text) {
  return WholeNumber(Trimmed(text.substr(0, text.find('\n'))));
}

std::optional<Bytes> FindKilobytes(std::string_view text,
                                   std::string_view key) {
  auto number = FindCounter(text, key, ':');
  if (!number) return std::nullopt;
  return Kibibytes(*number);
}

std::optional<Bytes> ToBytes(std::optional<uint64_t> count) {
  if (!count) return std::nullopt;
  return Bytes{*count};
}

std::optional<std::chrono::nanoseconds> ToTime(std::optional<uint64_t> count,
                                               std::chrono::nanoseconds unit) {
  constexpr auto kLongest =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (!count || *count > kLongest / static_cast<uint64_t>(unit.count())) {
    return std::nullopt;
  }
  return static_cast<int64_t>(*count) * unit;
}

}  // namespace mete
