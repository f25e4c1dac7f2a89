// Quantities with units as members of JSON objects. A key is absent when the
// value is; the unit is part of the key, as in "cpu_seconds".
#pragma once

#include <optional>

#include "support/json_fwd.h"
#include "support/units.h"

namespace mete {

void SetSeconds(Json& json, const char* key, std::optional<Seconds> value);
void SetBytes(Json& json, const char* key, std::optional<Bytes> value);
void SetJoules(Json& json, const char* key, std::optional<Joules> value);

// Throw like the JSON library when the value has another type.
std::optional<Seconds> GetSeconds(const Json& json, const char* key);
std::optional<Bytes> GetBytes(const Json& json, const char* key);
std::optional<Joules> GetJoules(const Json& json, const char* key);

// For a required key; throws like the JSON library.
Seconds SecondsAt(const Json& json, const char* key);

}  // namespace mete
