#include "config/settings_file.h"

#include "support/file.h"
#include "support/yaml.h"

namespace mete {
namespace {

// Stores the value of one rule.
YamlTaker Take(const SettingRule& rule, SettingsFile& file) {
  return [&rule, &file](const YamlValue& value) -> Status {
    if (value.kind != YamlValue::Kind::kText) {
      return InvalidInput("expected a single value");
    }
    RETURN_IF_ERROR(rule.check(value.text));
    file.values[rule.key] = {
        .value = value.text, .origin = Origin::kFile, .where = value.where};
    return {};
  };
}

// Keys with a dot belong to a section: "measure.until".
std::map<std::string, YamlKeys> Sections(SettingsFile& file) {
  std::map<std::string, YamlKeys> sections;
  for (const SettingRule& rule : Settings::Rules()) {
    size_t dot = rule.key.find('.');
    bool top = dot == std::string::npos;
    sections[top ? "" : rule.key.substr(0, dot)].emplace_back(
        top ? rule.key : rule.key.substr(dot + 1), Take(rule, file));
  }
  return sections;
}

Status Parse(const std::string& text, SettingsFile& file) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file.path.string()));
  std::map<std::string, YamlKeys> sections = Sections(file);
  YamlKeys keys = sections[""];
  for (const auto& [name, inner] : sections) {
    if (name.empty()) continue;
    keys.emplace_back(
        name, [&keys = inner, section = name + "."](const YamlValue& value) {
          return ReadYamlMap(value, keys, section);
        });
  }
  return ReadYamlMap(root, keys);
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
