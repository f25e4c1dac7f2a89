// The rules of a controller with what their series say now, as a table and as
// JSON.
#pragma once

#include <vector>

#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

// One row, or object, for every rule; readings in their order.
Table RuleTable(const SloRules& rules,
                const std::vector<RuleReading>& readings);
Json RuleJson(const SloRules& rules, const std::vector<RuleReading>& readings);

}  // namespace mete
