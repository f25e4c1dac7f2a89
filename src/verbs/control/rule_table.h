// Formats rules with the current values of their series: as text, CSV and JSON.
#pragma once

#include <string>
#include <vector>

#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "support/json_fwd.h"

namespace mete {

// `readings` are in the order of the rules.

// A table for a terminal of 80 columns, with one line for each action.
std::string RuleText(const SloRules& rules,
                     const std::vector<RuleReading>& readings);
// One row or object per rule.
std::string RuleCsv(const SloRules& rules,
                    const std::vector<RuleReading>& readings);
Json RuleJson(const SloRules& rules, const std::vector<RuleReading>& readings);

}  // namespace mete
