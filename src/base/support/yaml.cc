#include "support/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <unordered_set>

#include "support/nearest.h"
#include "support/units.h"

namespace mete {
namespace {

// Far more than a person writes; aliases can expand without bound.
constexpr size_t kMostValues = 100'000;
// The library takes hundreds of bytes of memory for a bracket.
constexpr Bytes kLargestText = Mebibytes(4);
constexpr int kDeepestNode = 50;

// Converts the library's nodes to our values.
class Converter {
 public:
  explicit Converter(std::string file) : file_(std::move(file)) {}

  Result<YamlValue> Convert(const YAML::Node& node, int depth = 0) {
    YamlValue value{.where = Place(node)};
    if (++count_ > kMostValues || depth > kDeepestNode) {
      return value.Fail(
          "the file is nested too deeply or expands to too many values");
    }
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return value;
      case YAML::NodeType::Scalar:
        value.kind = YamlValue::Kind::kText;
        value.text = node.Scalar();
        return value;
      case YAML::NodeType::Sequence:
        value.kind = YamlValue::Kind::kList;
        for (const auto& item : node) {
          ASSIGN_OR_RETURN(YamlValue converted, Convert(item, depth + 1));
          value.items.push_back(std::move(converted));
        }
        return value;
      case YAML::NodeType::Map:
        break;
    }
    value.kind = YamlValue::Kind::kMap;
    std::unordered_set<std::string> keys;
    for (const auto& item : node) {
      YamlValue place{.where = Place(item.first)};
      if (!item.first.IsScalar()) {
        return place.Fail("a key must be a single value");
      }
      const std::string& key = item.first.Scalar();
      if (!keys.insert(key).second) {
        return place.Fail(fmt::format("duplicate key '{}'", key));
      }
      ASSIGN_OR_RETURN(YamlValue content, Convert(item.second, depth + 1));
      content.where = place.where;
      value.entries.push_back({.key = key, .value = std::move(content)});
    }
    return value;
  }

 private:
  std::string Place(const YAML::Node& node) const {
    int line = node.Mark().line;
    return line < 0 ? file_ : fmt::format("{}:{}", file_, line + 1);
  }

  std::string file_;
  size_t count_ = 0;
};

}  // namespace

Error YamlValue::Fail(const std::string& what) const {
  return InvalidInput(where + ": " + what);
}

Result<YamlValue> ParseYaml(const std::string& text, const std::string& file) {
  if (text.size() > kLargestText.count) {
    return InvalidInput(
        fmt::format("{}: larger than {}", file, FormatBytes(kLargestText)));
  }
  try {
    return Converter(file).Convert(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    return InvalidInput(
        fmt::format("{}:{}: {}", file, error.mark.line + 1, error.msg));
  }
}

Status ReadYamlMap(const YamlValue& map, const YamlKeys& keys,
                   const std::string& section) {
  if (map.kind == YamlValue::Kind::kNothing) return {};
  if (map.kind != YamlValue::Kind::kMap) {
    return map.Fail("expected 'key: value' lines");
  }
  for (const YamlEntry& entry : map.entries) {
    const YamlTaker* taker = nullptr;
    std::vector<std::string> names;
    for (const auto& [name, candidate] : keys) {
      if (name == entry.key) taker = &candidate;
      names.push_back(section + name);
    }
    const std::string key = section + entry.key;
    if (taker == nullptr) {
      return entry.value.Fail(
          fmt::format("unknown key '{}'{}", key, DidYouMean(key, names)));
    }
    Status taken = (*taker)(entry.value);
    if (taken.ok()) continue;
    const std::string& message = taken.error().message();
    // A nested error already names its location.
    const std::string file = map.where.substr(0, map.where.rfind(':') + 1);
    if (!file.empty() && message.starts_with(file)) return taken;
    return entry.value.Fail(fmt::format("{}: {}", key, message));
  }
  return {};
}

Result<std::vector<std::string>> YamlTexts(const YamlValue& value) {
  if (value.kind == YamlValue::Kind::kText) {
    return std::vector<std::string>{value.text};
  }
  if (value.kind != YamlValue::Kind::kList) {
    return InvalidInput("expected a list of values");
  }
  std::vector<std::string> texts;
  for (const YamlValue& item : value.items) {
    if (item.kind != YamlValue::Kind::kText) {
      return item.Fail("expected a single value");
    }
    texts.push_back(item.text);
  }
  return texts;
}

YamlTaker TakeText(std::string& target) {
  return TakeText(
      [](const std::string& text) -> Result<std::string> { return text; },
      target);
}

YamlTaker TakeTruth(bool& target) {
  return TakeText(
      [](const std::string& text) -> Result<bool> {
        if (text == "true" || text == "yes") return true;
        if (text == "false" || text == "no") return false;
        return InvalidInput(fmt::format("'{}' is not true or false", text));
      },
      target);
}

}  // namespace mete
