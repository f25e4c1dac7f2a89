#include "control/slo_yaml.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "control/slo_actions_yaml.h"
#include "net/endpoint.h"
#include "net/metric_selector.h"
#include "net/url_login.h"
#include "support/file.h"
#include "support/yaml.h"

namespace mete {
namespace {

// A rule being read. Defaults are filled in when the whole rule is known.
struct RuleDraft {
  SloRule rule;
  std::optional<Threshold> below;
  std::optional<Threshold> above;
  std::optional<Threshold> clear;
};

Result<Seconds> ParseInterval(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds interval, ParseDuration(text));
  if (interval < Seconds(0.1) || interval > Seconds(3600)) {
    return InvalidInput(fmt::format("'{}' is not between 100ms and 1h", text));
  }
  return interval;
}

Result<uint64_t> ParseActs(const std::string& text) {
  ASSIGN_OR_RETURN(uint64_t acts, ParseCount(text));
  if (acts == 0) return InvalidInput("must be at least 1");
  return acts;
}

Result<std::string> ParseServer(const std::string& text) {
  ASSIGN_OR_RETURN(Url url, ParseUrl(text));
  static_cast<void>(url);
  return text;
}

YamlTaker TakeServers(std::vector<std::string>& servers) {
  return [&servers](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(servers, YamlTexts(value));
    for (const std::string& server : servers) {
      ASSIGN_OR_RETURN(LoginUrl login, SplitLogin(server));
      RETURN_IF_ERROR(ParseServer(login.url));
    }
    return {};
  };
}

// Requires one side, and a clear threshold on its good side. The default is a
// tenth away.
Status FinishObjective(const YamlValue& block, RuleDraft& draft) {
  if (draft.below.has_value() == draft.above.has_value()) {
    return block.Fail("a rule requires either below or above");
  }
  SloObjective& objective = draft.rule.objective;
  objective.side = draft.below ? ObjectiveSide::kBelow : ObjectiveSide::kAbove;
  objective.bound = draft.below ? *draft.below : *draft.above;
  double margin = std::abs(objective.bound.value) / 10;
  double direction = draft.below ? -1 : 1;
  objective.clear = draft.clear ? draft.clear->value
                                : objective.bound.value + direction * margin;
  if ((objective.clear - objective.bound.value) * direction < 0) {
    return block.Fail(fmt::format("clear: {} is on the wrong side of {}",
                                  draft.clear->value, objective.Text()));
  }
  return {};
}

Result<SloRule> ReadRule(const YamlValue& block) {
  RuleDraft draft;
  SloRule& rule = draft.rule;
  RETURN_IF_ERROR(ReadYamlMap(
      block, {{"name", TakeText(rule.name)},
              {"series", TakeText(rule.series)},
              {"divided_by", TakeText(rule.divided_by)},
              {"below", TakeText(ParseThreshold, draft.below)},
              {"above", TakeText(ParseThreshold, draft.above)},
              {"clear", TakeText(ParseThreshold, draft.clear)},
              {"for", TakeText(ParseDuration, rule.violated_for)},
              {"clear_for", TakeText(ParseDuration, rule.clear_for)},
              {"cool_down", TakeText(ParseDuration, rule.cool_down)},
              {"actions", TakeActions(rule.actions)}}));
  if (rule.name.empty()) return block.Fail("a rule requires a name");
  if (rule.series.empty()) return block.Fail("a rule requires a series");
  if (rule.actions.empty()) {
    return block.Fail("a rule requires actions, at least [log]");
  }
  RETURN_IF_ERROR(FinishObjective(block, draft));
  return std::move(draft.rule);
}

YamlTaker TakeRules(std::vector<SloRule>& rules) {
  return [&rules](const YamlValue& list) -> Status {
    if (list.kind != YamlValue::Kind::kList) {
      return InvalidInput("expected a list");
    }
    std::set<std::string> names;
    for (const YamlValue& block : list.items) {
      if (block.kind != YamlValue::Kind::kMap) {
        return block.Fail("a rule requires keys: name, series, below, actions");
      }
      ASSIGN_OR_RETURN(SloRule rule, ReadRule(block));
      if (!names.insert(rule.name).second) {
        return block.Fail(fmt::format("two rules are called '{}'", rule.name));
      }
      rules.push_back(std::move(rule));
    }
    return {};
  };
}

// Agents have only current values and support only selectors.
Status CheckForAgents(const YamlValue& root) {
  for (const YamlEntry& entry : root.entries) {
    if (entry.key != "rules") continue;
    for (const YamlValue& rule : entry.value.items) {
      for (const auto& [key, value] : rule.entries) {
        if (key != "series" && key != "divided_by") continue;
        auto selector = MetricSelector::Parse(value.text);
        if (selector.ok()) continue;
        return value.Fail(fmt::format(
            "{}: {}; agents have no history; use prometheus: instead", key,
            selector.error().message()));
      }
    }
  }
  return {};
}

}  // namespace

Result<SloRules> ParseSloRules(const std::string& text,
                               const std::string& file) {
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file));
  SloRules rules;
  RETURN_IF_ERROR(ReadYamlMap(
      root, {{"every", TakeText(ParseInterval, rules.every)},
             {"stale_after", TakeText(ParseDuration, rules.stale_after)},
             {"acts_per_minute", TakeText(ParseActs, rules.acts_per_minute)},
             {"agents", TakeServers(rules.agents)},
             {"prometheus", TakeText(ParseServer, rules.prometheus)},
             {"rules", TakeRules(rules.rules)}}));
  if (rules.rules.empty()) {
    return InvalidInput(
        fmt::format("{}: no rules; list at least one below 'rules:'", file));
  }
  if (rules.agents.empty() == rules.prometheus.empty()) {
    return InvalidInput(
        fmt::format("{}: set either agents or prometheus, for example agents: "
                    "[http://127.0.0.1:5001]",
                    file));
  }
  if (!rules.agents.empty()) RETURN_IF_ERROR(CheckForAgents(root));
  return rules;
}

Result<SloRules> ReadSloRules(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  return ParseSloRules(text, file.string());
}

}  // namespace mete
