// JSON values that keep their keys in insertion order.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Fails with kCorrupt and the position of the first error. Rejects more than a
// hundred nesting levels (values are copied recursively) and more than 4096
// unsorted keys of an object (each is compared with all before it).
Result<Json> ParseJson(std::string_view text);
Result<SortedJson> ParseSortedJson(std::string_view text);

// The text of the error without its tag: "[json.exception.type_error.302]".
std::string JsonErrorText(const Json::exception& error);

// Calls `read`, which takes values out of JSON and returns T or Result<T>. The
// library throws on a missing key and on another kind of value; that becomes
// kCorrupt. Every failure begins with "read WHAT: ".
template <typename T>
struct ResultFor {
  using Type = Result<T>;
};
template <typename T>
struct ResultFor<Result<T>> {
  using Type = Result<T>;
};
template <typename Read>
auto ReadJson(const std::string& what, Read read) ->
    typename ResultFor<decltype(read())>::Type {
  using Answer = typename ResultFor<decltype(read())>::Type;
  try {
    return Answer(read()).While("read " + what);
  } catch (const Json::exception& error) {
    return Corrupt("read " + what + ": " + JsonErrorText(error));
  }
}

// Access to optional fields. An absent value has no key; null is never written.

// JSON cannot represent infinity or NaN; such a number is omitted.
void SetNumber(Json& json, const char* key, std::optional<double> value);
void SetText(Json& json, const char* key, const std::string& text);
// Throws like the library when the value has another type.
template <typename T>
std::optional<T> GetOptional(const Json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  return found->template get<T>();
}
std::string GetText(const Json& json, const char* key);

// Indented by two spaces. Invalid UTF-8 is replaced instead of throwing.
std::string DumpJson(const Json& json);

}  // namespace mete
