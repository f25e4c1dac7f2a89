#include "support/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mete {
namespace {

constexpr size_t kDeepest = 100;
constexpr size_t kMostKeys = 4096;

// Why the library must not read the text, judged by its brackets and colons
// alone. Empty if it may. `most_keys` applies to each object.
std::string FindExcess(std::string_view text, size_t most_keys) {
  std::vector<size_t> keys;  // of the objects around the current position
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (quoted && c == '\\') {
      ++at;  // the escaped character is part of the text
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      continue;
    } else if (c == '[' || c == '{') {
      keys.push_back(0);
      if (keys.size() > kDeepest) {
        return fmt::format("nested more than {} levels", kDeepest);
      }
    } else if ((c == ']' || c == '}') && !keys.empty()) {
      keys.pop_back();
    } else if (c == ':' && !keys.empty() && ++keys.back() > most_keys) {
      return fmt::format("an object with more than {} keys", most_keys);
    }
  }
  return "";
}

// "not valid JSON (line 2, column 7)"; without the line if there is only one,
// such as one of a JSON Lines file. `byte` counts from 1.
std::string DescribePosition(std::string_view text, size_t byte) {
  std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string line;
  if (text.find('\n') != text.npos) {
    line = fmt::format("line {}, ", 1 + std::ranges::count(before, '\n'));
  }
  return fmt::format("not valid JSON ({}column {})", line,
                     before.size() - line_start + 1);
}

template <typename Any>
Result<Any> Parse(std::string_view text, size_t most_keys) {
  std::string excess = FindExcess(text, most_keys);
  if (!excess.empty()) return Corrupt(excess);
  try {
    return Any::parse(text);
  } catch (const typename Any::parse_error& error) {
    return Corrupt(DescribePosition(text, error.byte));
  } catch (const typename Any::exception& error) {
    return Corrupt(JsonErrorText(error));
  }
}

}  // namespace

std::string JsonErrorText(const Json::exception& error) {
  std::string_view text = error.what();
  size_t end = text.starts_with('[') ? text.find("] ") : text.npos;
  if (end != text.npos) text.remove_prefix(end + 2);
  return std::string(text);
}

Result<Json> ParseJson(std::string_view text) {
  return Parse<Json>(text, kMostKeys);
}
Result<SortedJson> ParseSortedJson(std::string_view text) {
  return Parse<SortedJson>(text, std::numeric_limits<size_t>::max());
}

std::string DumpJson(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void SetNumber(Json& json, const char* key, std::optional<double> value) {
  if (value && std::isfinite(*value)) json[key] = *value;
}

void SetText(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

std::string GetText(const Json& json, const char* key) {
  return GetOptional<std::string>(json, key).value_or("");
}

}  // namespace mete
