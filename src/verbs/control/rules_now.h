// Evaluates all rules once and says which objectives are met.
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

// Whether an objective is met. Unknown when there is no reading.
enum class RuleStanding { kMet, kViolated, kUnknown };
RuleStanding StandingFor(const SloRule& rule, const RuleReading& reading);

// The result of evaluating all rules once.
struct RulesNow {
  std::vector<RuleReading> readings;  // in the order of the rules
  // sources that did not answer, with the error
  std::map<std::string, std::string> silent;

  // The state of all rules together: violated if any rule is, otherwise unknown
  // if any rule is.
  RuleStanding standing = RuleStanding::kMet;
};

// Fails when a source cannot be opened; one that does not answer is `silent`.
Result<RulesNow> LookAtRules(const SloRules& rules,
                             const ControllerDependencies& needs,
                             std::stop_token stop);

}  // namespace mete
