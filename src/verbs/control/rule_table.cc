#include "control/rule_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/rules_now.h"
#include "support/json.h"
#include "support/table.h"
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

std::vector<std::string> ActionTexts(const SloRule& rule) {
  std::vector<std::string> texts;
  for (const ControlAction& action : rule.actions) {
    texts.push_back(FormatAction(action));
  }
  return texts;
}

// The cells of a rule before its actions.
std::vector<std::string> RuleCells(const SloRule& rule,
                                   const RuleReading& reading,
                                   size_t name_width) {
  auto worst = reading.worst();
  return {ShortenMiddle(rule.name, name_width), rule.objective.Text(),
          worst ? FormatThreshold(*worst, rule.objective.bound.unit) : "-",
          std::to_string(reading.series.size()),
          std::string(StandingName(StandingFor(rule, reading)))};
}

std::vector<Table::Column> RuleColumns(const std::string& standing) {
  return {{"rule"},
          {"objective"},
          {"now", Align::kRight},
          {"series", Align::kRight},
          {standing},
          {"actions"}};
}

}  // namespace

std::string RuleText(const SloRules& rules,
                     const std::vector<RuleReading>& readings) {
  constexpr size_t kColumns = 80;
  constexpr size_t kName = 20;
  constexpr size_t kLeastForActions = 16;
  const std::vector<Table::Column> columns = RuleColumns("status");
  std::vector<std::vector<std::string>> rows;
  std::vector<size_t> widths;
  for (const Table::Column& column : columns) {
    widths.push_back(DisplayWidth(column.heading));
  }
  for (size_t i = 0; i < rules.rules.size(); ++i) {
    rows.push_back(RuleCells(rules.rules[i], readings[i], kName));
    for (size_t j = 0; j < rows[i].size(); ++j) {
      widths[j] = std::max(widths[j], DisplayWidth(rows[i][j]));
    }
  }
  size_t used = 0;  // by the columns before the actions, with their gaps
  for (size_t j = 0; j + 1 < widths.size(); ++j) used += widths[j] + 2;
  const size_t left =
      std::max(kLeastForActions, kColumns - std::min(kColumns, used));
  Table table(columns);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> texts = ActionTexts(rules.rules[i]);
    if (texts.empty()) texts.emplace_back();
    for (size_t line = 0; line < texts.size(); ++line) {
      std::vector<std::string> cells =
          line == 0 ? rows[i] : std::vector<std::string>(rows[i].size());
      cells.push_back(ShortenMiddle(texts[line], left));
      table.AddRow(std::move(cells));
    }
  }
  return table.Text();
}

std::string RuleCsv(const SloRules& rules,
                    const std::vector<RuleReading>& readings) {
  constexpr size_t kName = 24;
  Table table(RuleColumns("standing"));
  for (size_t i = 0; i < rules.rules.size(); ++i) {
    std::vector<std::string> cells =
        RuleCells(rules.rules[i], readings[i], kName);
    cells.push_back(
        fmt::format("{}", fmt::join(ActionTexts(rules.rules[i]), ", ")));
    table.AddRow(std::move(cells));
  }
  return table.Csv();
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
    one["actions"] = ActionTexts(rule);
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace mete
