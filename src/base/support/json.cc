#include "support/json.h"

#include <fmt/format.h>

#include <cmath>

namespace mete {
namespace {

constexpr int kDeepest = 100;

bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (quoted && c == '\\') {
      ++at;  // the escaped character is part of the text
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > kDeepest) return true;
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

template <typename Any>
Result<Any> Parse(std::string_view text) {
  if (IsTooDeep(text)) {
    return Corrupt(fmt::format("nested more than {} levels", kDeepest));
  }
  try {
    return Any::parse(text);
  } catch (const typename Any::exception& error) {
    return Corrupt(error.what());
  }
}

}  // namespace

Result<Json> ParseJson(std::string_view text) { return Parse<Json>(text); }
Result<SortedJson> ParseSortedJson(std::string_view text) {
  return Parse<SortedJson>(text);
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
