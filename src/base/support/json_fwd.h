// The names of JSON values, for headers that only pass them on: parsing the
// library's own header costs half a second in every file.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace mete {

// Keys in the order they were set, as a person would write them.
using Json = nlohmann::ordered_json;
// Keys in alphabetical order, for answers that promise it.
using SortedJson = nlohmann::json;

}  // namespace mete
