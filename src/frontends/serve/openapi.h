// The API's description as a machine reads it, from openapi.json.
#pragma once

#include <string_view>

namespace mete {

extern const std::string_view kOpenApi;

}  // namespace mete
