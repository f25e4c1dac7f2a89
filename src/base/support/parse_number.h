// Numbers out of text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace mete {

// The whole text as a number: "42", "-0.25", but not "42%", " 42" or "". Absent
// as well when it does not fit. "inf" and "nan" are numbers of floating point.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace mete
