// The program's settings and where each value comes from: a flag, the
// environment (METE_*), the configuration file, or the built-in default.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// Where a value comes from, in ascending precedence.
enum class Origin { kDefault, kFile, kEnvironment, kFlag };

// One setting, declared once: key in the file, name in the environment,
// meaning, and the check every value passes wherever it comes from.
struct SettingRule {
  std::string key;          // "measure.until"
  std::string environment;  // "METE_MEASURE_UNTIL"
  std::string meaning;
  std::string default_value;
  std::function<Status(const std::string& value)> check;
};

// The value of one setting and its origin.
struct Setting {
  std::string value;
  Origin origin = Origin::kDefault;
  std::string where;  // "METE_STORE", the file's path with line; "" if default
};

// Looks up an environment variable. Absent when unset or empty.
using EnvironmentLookup =
    std::function<std::optional<std::string>(const std::string& name)>;

// Sources of settings other than flags. A file named by the user must exist;
// the one at the default location may be missing.
struct SettingSources {
  EnvironmentLookup environment;
  std::optional<std::filesystem::path> file;  // --config
};

// A complete, validated set of settings. Immutable except for flags, which are
// applied last.
class Settings {
 public:
  // Fails with kInvalidInput. The message names the file and line or the
  // variable, and suggests the nearest valid key for an unknown one.
  static Result<Settings> Load(const SettingSources& sources);

  // Sets a value given as a flag. CHECKs that the key exists.
  Status SetFlag(const std::string& key, const std::string& value);

  // CHECKs that the key exists.
  const Setting& Get(const std::string& key) const;
  const std::string& Text(const std::string& key) const;

  // All rules, in display order.
  static const std::vector<SettingRule>& Rules();
  // The file that was read, or that would be if it existed.
  const std::filesystem::path& file() const { return file_; }

 private:
  Settings() = default;

  // The default of `store` is a file in the state folder.
  void DeriveStore();

  std::map<std::string, Setting> values_;
  std::filesystem::path file_;
};

// A warning for each variable named METE_… that is not a setting, with the
// nearest valid name. `names` are all variables that are set.
std::vector<std::string> UnknownVariables(
    const std::vector<std::string>& names);

// Checks that settings share with flags: a ratio between 0 and 1, a positive
// duration.
Status CheckRatio(const std::string& value);
Status CheckDuration(const std::string& value);
// Requests per second: 0, for no limit, or more.
Result<double> ParseRequestRate(const std::string& value);

// "default", "file", "environment", "flag".
std::string ToString(Origin origin);

// The folder for everything mete keeps outside the store: files of runs,
// predictors, uploads, tokens, the audit log of the controller, and the id of
// a device that has none of its own.
std::filesystem::path StateFolder(const Settings& settings);

}  // namespace mete
