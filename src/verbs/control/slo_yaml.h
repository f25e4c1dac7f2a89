// Reads slo.yaml. Unknown keys and invalid values are errors.
#pragma once

#include <filesystem>
#include <string>

#include "control/slo_rules.h"
#include "support/result.h"

namespace mete {

// Fails with kInvalidInput and "FILE:LINE: key: …", or as ReadFile does.
Result<SloRules> ReadSloRules(const std::filesystem::path& file);
Result<SloRules> ParseSloRules(const std::string& text,
                               const std::string& file);

}  // namespace mete
