// The YAML configuration file: sections of keys. Unknown ones are errors.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "config/settings.h"
#include "support/result.h"

namespace mete {

// The contents of a file, checked against Settings::Rules().
struct SettingsFile {
  std::filesystem::path path;
  std::map<std::string, Setting> values;
};

// Reads --config, else METE_CONFIG, else config.yaml in the XDG folder (which
// may be missing). Fails with kInvalidInput and "FILE:LINE: …".
Result<SettingsFile> ReadSettingsFile(const SettingSources& sources);

std::filesystem::path DefaultSettingsFile(const EnvironmentLookup& environment);

}  // namespace mete
