#include "control/rules_now.h"

namespace mete {
namespace {

RuleStanding Worse(RuleStanding one, RuleStanding other) {
  if (one == RuleStanding::kViolated || other == RuleStanding::kViolated) {
    return RuleStanding::kViolated;
  }
  return one == RuleStanding::kMet ? other : one;
}

}  // namespace

RuleStanding StandingFor(const SloRule& rule, const RuleReading& reading) {
  auto worst = reading.worst();
  if (!worst) return RuleStanding::kUnknown;
  return rule.objective.ViolatedBy(*worst) ? RuleStanding::kViolated
                                           : RuleStanding::kMet;
}

Result<RulesNow> LookAtRules(const SloRules& rules,
                             const ControllerDependencies& needs,
                             std::stop_token stop) {
  ASSIGN_OR_RETURN(SeriesSources sources, OpenSources(rules, needs));
  auto answers = AskSources(rules, sources, std::move(stop));
  RulesNow now;
  for (size_t i = 0; i < answers.size(); ++i) {
    const SloRule& rule = rules.rules[i];
    now.readings.push_back(ReadRule(rule, answers[i], rules.stale_after));
    now.standing = Worse(now.standing, StandingFor(rule, now.readings.back()));
    for (const SourceAnswer& answer : answers[i]) {
      if (answer.series.ok()) continue;
      now.silent[answer.source] = answer.series.error().message();
    }
  }
  return now;
}

}  // namespace mete
