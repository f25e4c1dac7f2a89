#include "cli/config_command.h"

#include "support/json.h"

namespace mete {
namespace {

std::string FormatOrigin(const Setting& setting) {
  return setting.where.empty() ? ToString(setting.origin)
                               : ToString(setting.origin) + " " + setting.where;
}

std::string SettingsCsv(const Settings& settings) {
  Table table({{"key"}, {"value"}, {"origin"}});
  for (const SettingRule& rule : Settings::Rules()) {
    const Setting& setting = settings.Get(rule.key);
    table.AddRow({rule.key, setting.value.empty() ? "-" : setting.value,
                  FormatOrigin(setting)});
  }
  return table.Csv();
}

// Explains values that do not speak for themselves.
std::string SettingsText(const Settings& settings) {
  Table table({{"key"}, {"value"}, {"origin"}});
  for (const SettingRule& rule : Settings::Rules()) {
    const Setting& setting = settings.Get(rule.key);
    std::string value = setting.value.empty() ? "-" : setting.value;
    if (rule.key == "measure.threads" && value == "0") {
      value += " (one per core)";
    }
    table.AddRow({rule.key, value, FormatOrigin(setting)});
  }
  return table.Text();
}

Json SettingsJson(const Settings& settings) {
  Json json = Json::object();
  for (const SettingRule& rule : Settings::Rules()) {
    const Setting& setting = settings.Get(rule.key);
    json[rule.key] = {{"value", setting.value},
                      {"origin", ToString(setting.origin)},
                      {"environment", rule.environment},
                      {"meaning", rule.meaning}};
    if (!setting.where.empty()) json[rule.key]["where"] = setting.where;
  }
  return json;
}

Result<ExitCode> ShowSettings(Invocation& invocation) {
  const Settings& settings = invocation.settings;
  invocation.console.Note("file: " + settings.file().string() +
                          " (flag > METE_* > file > default)");
  invocation.output.Print({
      .text = [&] { return SettingsText(settings); },
      .json = [&] { return SettingsJson(settings); },
      .csv = [&] { return SettingsCsv(settings); },
  });
  return ExitCode::kDone;
}

}  // namespace

void AddConfigCommand(Command root, Verbs& verbs) {
  Command config =
      root.Add("config", "Show the settings and where they come from",
               "mete config show");
  config.WantsSubcommand();
  Command show = config.Add("show", "Print the effective settings",
                            "METE_OUTPUT=json mete config show");
  verbs.push_back({.command = show, .run = ShowSettings});
}

}  // namespace mete
