// What the series of all rules say now, and which objectives are met.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "control/controller.h"
#include "control/rule_reading.h"
#include "control/slo_rules.h"
#include "support/result.h"

namespace mete {

enum class RuleStanding { kMet, kViolated, kUnknown };
RuleStanding StandingFor(const SloRule& rule, const RuleReading& reading);

// One look at the series.
struct RulesNow {
  std::vector<RuleReading> readings;          // in the order of the rules
  std::map<std::string, std::string> silent;  // sources and why

  // Of all rules together: violated when one is, else unknown when one is.
  RuleStanding standing = RuleStanding::kMet;
};

// Fails when a source cannot be opened; one that does not answer is `silent`.
Result<RulesNow> LookAtRules(const SloRules& rules,
                             const ControllerDependencies& needs,
                             std::stop_token stop);

}  // namespace mete
