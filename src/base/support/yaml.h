// Strict YAML input: a plain tree in which every value has its location, and
// errors that name file, line and the nearest valid key.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/result.h"

namespace mete {

struct YamlEntry;

// One value of a file. Unlike the library's own nodes it does not throw and has
// a file name.
struct YamlValue {
  // Type of a value.
  enum class Kind { kNothing, kText, kList, kMap };
  Kind kind = Kind::kNothing;
  std::string where;  // "session.yaml:12"
  std::string text;
  std::vector<YamlValue> items;
  std::vector<YamlEntry> entries;  // in the order of the file

  // "session.yaml:12: <what>".
  Error Fail(const std::string& what) const;
};

// One entry of a map.
struct YamlEntry {
  std::string key;
  YamlValue value;  // its location is that of the key
};

// Fails with kInvalidInput and "FILE:LINE: …". Also rejects duplicate keys and
// files whose aliases expand to too many values.
Result<YamlValue> ParseYaml(const std::string& text, const std::string& file);

// Consumes a value. Its errors get the location and the key as a prefix.
using YamlTaker = std::function<Status(const YamlValue& value)>;
using YamlKeys = std::vector<std::pair<std::string, YamlTaker>>;

// Passes every value to the taker of its key. An unknown key is an error that
// suggests the nearest valid one. An empty file or block is fine. Errors put
// `section` ("measure.") before the key.
Status ReadYamlMap(const YamlValue& map, const YamlKeys& keys,
                   const std::string& section = "");

// The texts of a list; a single text counts as a list of one.
Result<std::vector<std::string>> YamlTexts(const YamlValue& value);

// Takers of single values. `parse` converts the text to a Result.
template <typename Parser, typename Target>
YamlTaker TakeText(Parser parse, Target& target) {
  return [parse, &target](const YamlValue& value) -> Status {
    if (value.kind != YamlValue::Kind::kText) {
      return InvalidInput("expected a single value");
    }
    ASSIGN_OR_RETURN(target, parse(value.text));
    return {};
  };
}
YamlTaker TakeText(std::string& target);
// true or false.
YamlTaker TakeTruth(bool& target);

}  // namespace mete
