// YAML as strict input: a plain tree with the place of everything in it, and
// complaints that name file, line and the nearest valid key.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/result.h"

namespace mete {

struct YamlEntry;

// One value of a file. The library's own nodes throw and have no file name.
struct YamlValue {
  enum class Kind { kNothing, kText, kList, kMap };
  Kind kind = Kind::kNothing;
  std::string where;  // "session.yaml:12"
  std::string text;
  std::vector<YamlValue> items;
  std::vector<YamlEntry> entries;  // in the order of the file

  // "session.yaml:12: <what>".
  Error Fail(const std::string& what) const;
};

struct YamlEntry {
  std::string key;
  YamlValue value;  // its place is the key's
};

// Fails with kInvalidInput and "FILE:LINE: …", also for a key given twice and
// for files that unfold beyond all measure through their aliases.
Result<YamlValue> ParseYaml(const std::string& text, const std::string& file);

// What becomes of a value; its complaints get the place and the key in front.
using YamlTaker = std::function<Status(const YamlValue& value)>;
using YamlKeys = std::vector<std::pair<std::string, YamlTaker>>;

// Hands every value to the taker of its key. A key without one is an error
// with the nearest that has one. A file or block without anything is fine.
// Complaints put `section` ("measure.") in front of the key.
Status ReadYamlMap(const YamlValue& map, const YamlKeys& keys,
                   const std::string& section = "");

// The single values of a list, or the one value that stands for a list of one.
Result<std::vector<std::string>> YamlTexts(const YamlValue& value);

// Takers of single values: `parse` turns the text into a Result.
template <typename Parser, typename Target>
YamlTaker TakeText(Parser parse, Target& target) {
  return [parse, &target](const YamlValue& value) -> Status {
    if (value.kind != YamlValue::Kind::kText) {
      return InvalidInput("wants a single value");
    }
    ASSIGN_OR_RETURN(target, parse(value.text));
    return {};
  };
}
YamlTaker TakeText(std::string& target);
// true or false.
YamlTaker TakeTruth(bool& target);

}  // namespace mete
