// Formats rules with the current values of their series, as a table and as
// JSON.
#pragma once

#include <vector>

#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

// One row or object per rule. `readings` are in the order of the rules.
Table RuleTable(const SloRules& rules,
                const std::vector<RuleReading>& readings);
Json RuleJson(const SloRules& rules, const std::vector<RuleReading>& readings);

}  // namespace mete
