// The OpenAPI description of the API, from openapi.json.
#pragma once

#include <string_view>

namespace mete {

extern const std::string_view kOpenApi;

}  // namespace mete
