// Forward declarations of JSON types for headers that only pass them on: the
// library's own header adds half a second to each compilation.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace mete {

// Keys in insertion order, as a person would write them.
using Json = nlohmann::ordered_json;
// Keys in alphabetical order, for responses that promise it.
using SortedJson = nlohmann::json;

}  // namespace mete
