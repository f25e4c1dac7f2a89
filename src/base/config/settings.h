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

struct Setting {
  std::string value;
  Origin origin = Origin::kDefault;
  std::string where;  // "METE_STORE", the file's path with line; "" if default
};

// Looks up an environment variable. Absent when unset or empty.
using EnvironmentLookup =
    std::function<std::optional<std::string>(const std::string& name)>;

// Where settings come from besides flags. A file that is asked for must
// exist; the one at the usual place may be missing.
struct SettingSources {
  EnvironmentLookup environment;
  std::optional<std::filesystem::path> file;  // --config
};

// A complete, checked set of settings. Immutable but for flags, which are
// applied last.
class Settings {
 public:
  // Fails with kInvalidInput naming the file and line or the variable, and
  // the nearest valid key for one that does not exist.
  static Result<Settings> Load(const SettingSources& sources);

  // Sets a value given as a flag. CHECKs that the key exists.
  Status SetFlag(const std::string& key, const std::string& value);

  // CHECKs that the key exists.
  const Setting& Get(const std::string& key) const;
  const std::string& Text(const std::string& key) const;

  // All rules, in the order they are shown.
  static const std::vector<SettingRule>& Rules();
  // The file that was read, or would be.
  const std::filesystem::path& file() const { return file_; }

 private:
  Settings() = default;

  // The default of `store` is a file in the state folder.
  void DeriveStore();

  std::map<std::string, Setting> values_;
  std::filesystem::path file_;
};

// A sentence for each variable named METE_… that is not a setting, with the
// nearest name that is. `names` are all that are set.
std::vector<std::string> UnknownVariables(
    const std::vector<std::string>& names);

// The checks of settings that flags share: a ratio between 0 and 1, a time
// above zero.
Status CheckRatio(const std::string& value);
Status CheckDuration(const std::string& value);

// "default", "file", "environment", "flag".
std::string NameOf(Origin origin);

// The folder for everything mete keeps outside the store: files of runs,
// predictors, uploads, tokens, the audit log of the controller, and the id of
// a device that has none of its own.
std::filesystem::path StateFolder(const Settings& settings);

}  // namespace mete
