// JSON with keys in the order they were set, as a person would write them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

using Json = nlohmann::ordered_json;

// Fails with kCorrupt and the place of the first mistake.
Result<Json> ParseJson(std::string_view text);

// Two-space indented; invalid UTF-8 is replaced, never thrown on.
std::string DumpJson(const Json& json);

}  // namespace mete
