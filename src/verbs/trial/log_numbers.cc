#include "trial/log_numbers.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace mete {
namespace {

std::optional<double> ToNumber(const re2::StringPiece& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  auto [read_to, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read_to != end || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

Result<LogPattern> LogPattern::Parse(const std::string& expression) {
  auto compiled = std::make_shared<re2::RE2>(expression, re2::RE2::Quiet);
  if (!compiled->ok()) {
    return InvalidInput(fmt::format("'{}' is no regular expression: {}",
                                    expression, compiled->error()));
  }
  if (compiled->NumberOfCapturingGroups() != 1) {
    return InvalidInput(
        fmt::format("'{}' must have one group in parentheses, which matches "
                    "the number: '([0-9.]+) images/sec'",
                    expression));
  }
  return LogPattern(std::move(compiled));
}

std::vector<double> LogPattern::FindNumbers(std::string_view output) const {
  std::vector<double> numbers;
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    re2::StringPiece matched;
    if (re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()),
                               *expression_, &matched)) {
      if (auto number = ToNumber(matched)) numbers.push_back(*number);
    }
    output.remove_prefix(std::min(output.size(), line.size() + 1));
  }
  return numbers;
}

}  // namespace mete
