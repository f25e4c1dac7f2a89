#include "support/json.h"

#include <cmath>

namespace mete {

Result<Json> ParseJson(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    return Corrupt(error.what());
  }
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
