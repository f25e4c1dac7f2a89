#include "domain/quantity_json.h"

#include <cstdint>

#include "support/json.h"

namespace mete {

void SetSeconds(Json& json, const char* key, std::optional<Seconds> value) {
  if (value) SetNumber(json, key, value->count());
}

void SetBytes(Json& json, const char* key, std::optional<Bytes> value) {
  if (value) json[key] = value->count;
}

void SetJoules(Json& json, const char* key, std::optional<Joules> value) {
  if (value) SetNumber(json, key, value->count);
}

std::optional<Seconds> GetSeconds(const Json& json, const char* key) {
  auto value = GetOptional<double>(json, key);
  return value ? std::optional<Seconds>(*value) : std::nullopt;
}

std::optional<Bytes> GetBytes(const Json& json, const char* key) {
  auto value = GetOptional<uint64_t>(json, key);
  return value ? std::optional<Bytes>(Bytes{*value}) : std::nullopt;
}

std::optional<Joules> GetJoules(const Json& json, const char* key) {
  auto value = GetOptional<double>(json, key);
  return value ? std::optional<Joules>(Joules{*value}) : std::nullopt;
}

Seconds SecondsAt(const Json& json, const char* key) {
  return Seconds(json.at(key).get<double>());
}

}  // namespace mete
