#include "control/rule_table.h"

#include <fmt/format.h>

#include "control/rules_now.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

std::string_view StandingName(RuleStanding standing) {
  switch (standing) {
    case RuleStanding::kMet:
      return "met";
    case RuleStanding::kViolated:
      return "violated";
    case RuleStanding::kUnknown:
      return "unknown";
  }
  return "";
}

std::string ActionsText(const SloRule& rule) {
  std::string text;
  for (const ControlAction& action : rule.actions) {
    text += (text.empty() ? "" : ", ") + FormatAction(action);
  }
  return text;
}

}  // namespace

Table RuleTable(const SloRules& rules,
                const std::vector<RuleReading>& readings) {
  Table table({{"rule"},
               {"objective"},
               {"now", Align::kRight},
               {"series", Align::kRight},
               {"standing"},
               {"actions"}});
  for (size_t i = 0; i < rules.rules.size(); ++i) {
    const SloRule& rule = rules.rules[i];
    const RuleReading& reading = readings[i];
    auto worst = reading.worst();
    table.AddRow(
        {ShortenMiddle(rule.name, 24), rule.objective.Text(),
         worst ? FormatThreshold(*worst, rule.objective.bound.unit) : "-",
         std::to_string(reading.series.size()),
         std::string(StandingName(StandingFor(rule, reading))),
         ActionsText(rule)});
  }
  return table;
}

Json RuleJson(const SloRules& rules, const std::vector<RuleReading>& readings) {
  Json json = Json::array();
  for (size_t i = 0; i < rules.rules.size(); ++i) {
    const SloRule& rule = rules.rules[i];
    const RuleReading& reading = readings[i];
    Json one;
    one["rule"] = rule.name;
    one["objective"] = rule.objective.Text();
    one["standing"] = StandingName(StandingFor(rule, reading));
    SetNumber(one, "bound", rule.objective.bound.value);
    SetNumber(one, "clear", rule.objective.clear);
    SetNumber(one, "now", reading.worst());
    one["series"] = reading.series.size();
    SetText(one, "remark", reading.remark);
    one["actions"] = Json::array();
    for (const ControlAction& action : rule.actions) {
      one["actions"].push_back(FormatAction(action));
    }
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace mete
