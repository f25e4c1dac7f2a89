// The rules of a controller with what their series say now.
#pragma once

#include <vector>

#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

enum class RuleStanding { kMet, kViolated, kUnknown };
RuleStanding StandingOf(const SloRule& rule, const RuleReading& reading);

// One row, or object, for every rule; readings in their order.
Table RuleTable(const SloRules& rules,
                const std::vector<RuleReading>& readings);
Json RuleJson(const SloRules& rules, const std::vector<RuleReading>& readings);

}  // namespace mete
