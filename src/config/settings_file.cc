#include "config/settings_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "support/file.h"
#include "support/nearest.h"

namespace mete {
namespace {

const SettingRule* RuleOf(const std::string& key) {
  for (const SettingRule& rule : Settings::Rules()) {
    if (rule.key == key) return &rule;
  }
  return nullptr;
}

bool IsSection(const std::string& name) {
  for (const SettingRule& rule : Settings::Rules()) {
    if (rule.key.starts_with(name + ".")) return true;
  }
  return false;
}

std::vector<std::string> KnownKeys() {
  std::vector<std::string> keys;
  for (const SettingRule& rule : Settings::Rules()) keys.push_back(rule.key);
  return keys;
}

// Walks the file's mappings and collects checked values.
class FileWalk {
 public:
  explicit FileWalk(SettingsFile& file) : file_(file) {}

  Status Walk(const YAML::Node& mapping, const std::string& prefix) {
    if (mapping.IsNull()) return {};
    if (!mapping.IsMap()) {
      return Fail(mapping, "expected 'key: value' lines");
    }
    for (const auto& entry : mapping) {
      std::string key = prefix + entry.first.as<std::string>();
      if (IsSection(key)) {
        RETURN_IF_ERROR(Walk(entry.second, key + "."));
        continue;
      }
      RETURN_IF_ERROR(Take(key, entry.first, entry.second));
    }
    return {};
  }

 private:
  Status Take(const std::string& key, const YAML::Node& place,
              const YAML::Node& value) {
    const SettingRule* rule = RuleOf(key);
    if (rule == nullptr) {
      return Fail(place, fmt::format("unknown key '{}'{}", key,
                                     DidYouMean(key, KnownKeys())));
    }
    if (!value.IsScalar()) {
      return Fail(place, fmt::format("'{}' wants a single value", key));
    }
    auto text = value.as<std::string>();
    if (Status checked = rule->check(text); !checked.ok()) {
      return Fail(place, key + ": " + checked.error().message());
    }
    file_.values[key] = {
        .value = text, .origin = Origin::kFile, .where = Place(place)};
    return {};
  }

  std::string Place(const YAML::Node& node) const {
    return fmt::format("{}:{}", file_.path.string(), node.Mark().line + 1);
  }

  Error Fail(const YAML::Node& node, const std::string& what) const {
    return InvalidInput(Place(node) + ": " + what);
  }

  SettingsFile& file_;
};

Status Parse(const std::string& text, SettingsFile& file) {
  try {
    return FileWalk(file).Walk(YAML::Load(text), "");
  } catch (const YAML::Exception& error) {
    return InvalidInput(fmt::format("{}:{}: {}", file.path.string(),
                                    error.mark.line + 1, error.msg));
  }
}

}  // namespace

Result<SettingsFile> ReadSettingsFile(const SettingSources& sources) {
  SettingsFile file;
  auto named = sources.environment("METE_CONFIG");
  bool must_exist = sources.file.has_value() || named.has_value();
  if (sources.file) {
    file.path = *sources.file;
  } else {
    file.path = named ? std::filesystem::path(*named)
                      : DefaultSettingsFile(sources.environment);
  }
  Result<std::string> text = ReadFile(file.path);
  if (!text.ok()) {
    bool missing = text.error().code() == ErrorCode::kNotFound;
    if (missing && !must_exist) return file;
    return text.error();
  }
  RETURN_IF_ERROR(Parse(*text, file));
  return file;
}

}  // namespace mete
