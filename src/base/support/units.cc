#include "support/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "support/nearest.h"

namespace mete {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 10> kByteUnits = {{{"Ki", 1024.0},
                                              {"Mi", 1048576.0},
                                              {"Gi", 1073741824.0},
                                              {"Ti", 1099511627776.0},
                                              {"k", 1e3},
                                              {"M", 1e6},
                                              {"G", 1e9},
                                              {"T", 1e12},
                                              {"B", 1},
                                              {"", 1}}};
constexpr std::array<Unit, 6> kTimeUnits = {{{"ns", 1e-9},
                                             {"us", 1e-6},
                                             {"ms", 1e-3},
                                             {"s", 1},
                                             {"m", 60},
                                             {"h", 3600}}};

// Removes the number at the front of `text` and returns it.
std::optional<double> TakeNumber(std::string_view& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] =
      std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(rest - text.data()));
  return value;
}

template <size_t N>
std::optional<double> FindFactor(const std::array<Unit, N>& units,
                                 std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return std::nullopt;
}

// The unit that "MB", "mib" or "Gig" probably means: the binary one with the
// same first letter.
std::string NearestByteUnit(std::string_view name) {
  auto lower = [](char c) {
    return std::tolower(static_cast<unsigned char>(c));
  };
  for (std::string_view unit : {"Ki", "Mi", "Gi", "Ti", "B"}) {
    if (!name.empty() && lower(name[0]) == lower(unit[0])) {
      return std::string(unit);
    }
  }
  return "";
}

// "sec", "minutes" and the like begin with the intended unit.
std::string NearestTimeUnit(std::string_view name) {
  std::vector<std::string> names;
  for (const Unit& unit : kTimeUnits) names.emplace_back(unit.name);
  if (auto nearest = Nearest(name, names)) return *nearest;
  for (std::string_view unit : {"ms", "s", "m", "h"}) {
    if (name.starts_with(unit)) return std::string(unit);
  }
  return "";
}

std::string Hint(const std::string& suggestion, std::string_view fallback) {
  return fmt::format("; did you mean {}?",
                     suggestion.empty() ? std::string(fallback) : suggestion);
}

std::string_view TakeUnitName(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() &&
         (std::isalpha(static_cast<unsigned char>(text[length])) != 0)) {
    ++length;
  }
  std::string_view name = text.substr(0, length);
  text.remove_prefix(length);
  return name;
}

}  // namespace

Result<Bytes> ParseBytes(std::string_view text) {
  std::string_view rest = text;
  auto number = TakeNumber(rest);
  if (!number) {
    return InvalidInput(fmt::format(
        "'{}' is not an amount of memory; write it like 512Mi", text));
  }
  auto factor = FindFactor(kByteUnits, rest);
  if (!factor) {
    std::string unit = NearestByteUnit(rest);
    return InvalidInput(fmt::format(
        "'{}' has an unknown unit '{}'; {}", text, rest,
        unit.empty() ? "use Ki, Mi, Gi, k, M or G"
                     : fmt::format("did you mean {:g}{}?", *number, unit)));
  }
  double bytes = *number * *factor;
  if (bytes >= 0x1p63) {
    return InvalidInput(
        fmt::format("'{}' is more memory than any machine has", text));
  }
  return Bytes{static_cast<uint64_t>(std::llround(bytes))};
}

Result<Millicores> ParseMillicores(std::string_view text) {
  std::string_view rest = text;
  auto number = TakeNumber(rest);
  if (!number || (!rest.empty() && rest != "m") || *number > 1e9) {
    return InvalidInput(fmt::format(
        "'{}' is not a number of CPUs; write it like 1.5 or 1500m", text));
  }
  return Millicores{std::llround(rest == "m" ? *number : *number * 1000)};
}

Result<Seconds> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  double total = 0;
  do {
    auto number = TakeNumber(rest);
    if (!number) {
      return InvalidInput(
          fmt::format("'{}' is not a duration; write it like 30s", text));
    }
    std::string_view name = TakeUnitName(rest);
    auto factor = FindFactor(kTimeUnits, name);
    if (!factor) {
      std::string unit = name.empty() ? "s" : NearestTimeUnit(name);
      return InvalidInput(fmt::format(
          "'{}' {}{}", text,
          name.empty() ? "has no unit"
                       : fmt::format("has an unknown unit '{}'", name),
          Hint(unit.empty() ? "" : fmt::format("{:g}{}", *number, unit),
               "30s")));
    }
    total += *number * *factor;
  } while (!rest.empty());
  if (total > 1e9) {
    return InvalidInput(fmt::format("'{}' is longer than 30 years", text));
  }
  return Seconds(total);
}

Result<double> ParseRatio(std::string_view text) {
  std::string_view rest = text;
  auto number = TakeNumber(rest);
  if (!number || (!rest.empty() && rest != "%")) {
    return InvalidInput(
        fmt::format("'{}' is not a ratio; write it like 2% or 0.02", text));
  }
  return rest == "%" ? *number / 100 : *number;
}

Result<uint64_t> ParseCount(std::string_view text) {
  uint64_t count = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, count);
  if (rest != end || error == std::errc::invalid_argument) {
    return InvalidInput(fmt::format("'{}' is not a whole number", text));
  }
  if (error != std::errc()) {
    return InvalidInput(fmt::format("'{}' is not a whole number from 0 to {}",
                                    text,
                                    std::numeric_limits<uint64_t>::max()));
  }
  return count;
}

std::string FormatBytes(Bytes bytes) {
  constexpr std::array<std::string_view, 5> kNames = {"B", "KiB", "MiB", "GiB",
                                                      "TiB"};
  double value = static_cast<double>(bytes.count);
  size_t unit = 0;
  // 1023.95 would print as 1024.0, so switch to the next unit before that.
  while (unit + 1 < kNames.size() && value >= 1023.95) {
    value /= 1024;
    ++unit;
  }
  if (unit == 0 || value >= 99.95) {
    return fmt::format("{:.0f} {}", value, kNames[unit]);
  }
  return fmt::format("{:.1f} {}", value, kNames[unit]);
}

namespace {

std::string ThreeDigits(double value) {
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

}  // namespace

std::string FormatByteCount(double bytes) {
  constexpr double kMost = 0x1p64;  // the first that does not fit
  if (!(bytes > 0)) return FormatBytes(Bytes{0});
  if (bytes >= kMost) {
    return FormatBytes(Bytes{std::numeric_limits<uint64_t>::max()});
  }
  return FormatBytes(Bytes{static_cast<uint64_t>(bytes)});
}

std::string FormatSeconds(double seconds) {
  if (seconds == 0) return "0 s";
  double magnitude = std::abs(seconds);
  const char* sign = seconds < 0 ? "-" : "";
  if (magnitude >= 0.9995) return sign + ThreeDigits(magnitude) + " s";
  if (magnitude >= 0.9995e-3)
    return sign + ThreeDigits(magnitude * 1e3) + " ms";
  if (magnitude >= 0.9995e-6)
    return sign + ThreeDigits(magnitude * 1e6) + " us";
  return sign + ThreeDigits(magnitude * 1e9) + " ns";
}

std::string FormatCount(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t position = digits.size(); position > 3;) {
    position -= 3;
    digits.insert(position, ",");
  }
  return digits;
}

std::string Counted(uint64_t count, std::string_view singular,
                    std::string_view plural) {
  std::string text = FormatCount(count) + " ";
  if (count == 1) return text.append(singular);
  if (!plural.empty()) return text.append(plural);
  return text.append(singular) + "s";
}

std::string FormatCpus(double cpus) {
  return fmt::format("{:g} CPU{}", cpus, cpus == 1 ? "" : "s");
}

std::string FormatScaled(double value) {
  constexpr std::array<std::string_view, 6> kNames = {"",   " k", " M",
                                                      " G", " T", " P"};
  size_t unit = 0;
  while (unit + 1 < kNames.size() && value >= 999.5) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0 && value == std::floor(value))
    return fmt::format("{:g}", value);
  return ThreeDigits(value) + std::string(kNames[unit]);
}

}  // namespace mete
