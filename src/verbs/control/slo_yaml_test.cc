#include "control/slo_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

// A file with one rule that has these lines in addition to its name.
std::string File(const std::string& lines) {
  return "agents: http://127.0.0.1:5001\nrules:\n  - name: r\n" + lines;
}

SloRule ParseRule(const std::string& lines) {
  auto rules = ParseSloRules(File(lines), "slo.yaml");
  EXPECT_TRUE(rules.ok()) << rules.error().message();
  return rules.ok() ? rules->rules.at(0) : SloRule{};
}

std::string ParseFailure(const std::string& text) {
  auto rules = ParseSloRules(text, "slo.yaml");
  return rules.ok() ? "" : rules.error().message();
}

std::string RuleComplaint(const std::string& lines) {
  return ParseFailure(File(lines));
}

std::string ActionComplaint(const std::string& action) {
  return RuleComplaint("    series: s\n    below: 1\n    actions: [" + action +
                       "]\n");
}

TEST(ParseSloRules, ReadsACompleteRule) {
  SloRule rule = ParseRule(
      "    series: s{a=\"b\"}\n    divided_by: t\n    below: 200ms\n"
      "    clear: 150ms\n    for: 2s\n    clear_for: 1m\n    cool_down: 5s\n"
      "    actions:\n      - log\n      - webhook: http://h/x\n"
      "      - limit: {process: hog, cpus: 500m, step: 0.5, at_least: 0.1}\n"
      "      - pause: {container: batch}\n"
      "      - replace: {url: http://h/r, app: detector}\n");
  EXPECT_EQ(rule.series, "s{a=\"b\"}");
  EXPECT_EQ(rule.divided_by, "t");
  EXPECT_EQ(rule.objective.bound.value, 0.2);
  EXPECT_EQ(rule.objective.clear, 0.15);
  EXPECT_EQ(rule.objective.Text(), "< 200 ms");
  EXPECT_EQ(rule.violated_for, Seconds(2));
  EXPECT_EQ(rule.clear_for, Seconds(60));
  EXPECT_EQ(rule.cool_down, Seconds(5));
  ASSERT_EQ(rule.actions.size(), 5);
  const auto& limit = std::get<LimitAction>(rule.actions[2]);
  EXPECT_EQ(limit.target.Text(), "process hog");
  EXPECT_EQ(limit.to, 0.5);
  EXPECT_EQ(limit.step, 0.5);
  EXPECT_EQ(limit.at_least, 0.1);
  EXPECT_EQ(std::get<PauseAction>(rule.actions[3]).target.Text(),
            "container batch");
  EXPECT_EQ(std::get<ReplaceAction>(rule.actions[4]).app, "detector");
}

TEST(ParseSloRules, ClearThresholdIsATenthAwayByDefault) {
  EXPECT_DOUBLE_EQ(ParseRule("    series: s\n    below: 80\n    actions: log\n")
                       .objective.clear,
                   72);
  EXPECT_DOUBLE_EQ(ParseRule("    series: s\n    above: 10\n    actions: log\n")
                       .objective.clear,
                   11);
  EXPECT_DOUBLE_EQ(
      ParseRule("    series: s\n    below: -10\n    actions: log\n")
          .objective.clear,
      -11);
}

TEST(ParseSloRules, ReadsTheSettingsOfAllRules) {
  auto rules = ParseSloRules(
      "every: 500ms\nstale_after: 5s\nacts_per_minute: 3\n"
      "prometheus: http://p:9090\nrules:\n"
      "  - {name: r, series: s, below: 90%, actions: [log]}\n",
      "slo.yaml");
  ASSERT_TRUE(rules.ok()) << rules.error().message();
  EXPECT_EQ(rules->every, Seconds(0.5));
  EXPECT_EQ(rules->stale_after, Seconds(5));
  EXPECT_EQ(rules->acts_per_minute, 3);
  EXPECT_EQ(rules->prometheus, "http://p:9090");
  EXPECT_EQ(rules->rules[0].objective.Text(), "< 90 %");
}

TEST(ParseSloRules, NamesTheLineAndTheNearestKey) {
  EXPECT_EQ(RuleComplaint("    serie: s\n"),
            "slo.yaml:4: unknown key 'serie'; did you mean 'series'?");
  EXPECT_EQ(
      RuleComplaint("    series: s\n    below: 200mz\n"),
      "slo.yaml:5: below: '200mz' is not a threshold; write it like 200ms, "
      "90%, 80 or 512Mi");
  EXPECT_EQ(ParseFailure("evry: 1s\n"),
            "slo.yaml:1: unknown key 'evry'; did you mean 'every'?");
}

TEST(ParseSloRules, RequiresACompleteRule) {
  EXPECT_THAT(RuleComplaint("    below: 1\n    actions: log\n"),
              HasSubstr("requires a series"));
  EXPECT_THAT(RuleComplaint("    series: s\n    below: 1\n"),
              HasSubstr("requires actions"));
  EXPECT_THAT(RuleComplaint("    series: s\n    actions: log\n"),
              HasSubstr("either below or above"));
  EXPECT_THAT(RuleComplaint("    series: s\n    below: 1\n    above: 0\n"
                            "    actions: log\n"),
              HasSubstr("either below or above"));
  EXPECT_THAT(RuleComplaint("    series: s\n    below: 10\n    clear: 11\n"
                            "    actions: log\n"),
              HasSubstr("wrong side"));
}

TEST(ParseSloRules, RequiresRulesAndOneKindOfSource) {
  EXPECT_THAT(ParseFailure("agents: http://a:1\n"), HasSubstr("no rules"));
  const std::string rules =
      "rules: [{name: r, series: s, below: 1, actions: log}]\n";
  EXPECT_THAT(ParseFailure(rules), HasSubstr("either agents or prometheus"));
  EXPECT_THAT(
      ParseFailure("agents: http://a:1\nprometheus: http://b:2\n" + rules),
      HasSubstr("either agents or prometheus"));
  EXPECT_EQ(ParseFailure("agents: https://me:hush@a:1\n" + rules), "");
  EXPECT_THAT(ParseFailure("agents: http://me:hush@a:x\n" + rules),
              Not(HasSubstr("hush")));
  EXPECT_THAT(ParseFailure("agents: here\n" + rules),
              HasSubstr("slo.yaml:1: agents: "));
}

TEST(ParseSloRules, AgentsSupportOnlySelectors) {
  const std::string lines =
      "  - {name: r, series: 'rate(s[1m])', below: 1, actions: log}\n";
  EXPECT_THAT(ParseFailure("agents: http://a:1\nrules:\n" + lines),
              HasSubstr("slo.yaml:3: series: 'rate(s[1m])' is not a selector"));
  EXPECT_EQ(ParseFailure("prometheus: http://a:1\nrules:\n" + lines), "");
}

TEST(ParseSloRules, RefusesTwoRulesOfTheSameName) {
  EXPECT_EQ(RuleComplaint("    series: s\n    below: 1\n    actions: log\n"
                          "  - {name: r, series: s, below: 1, actions: log}\n"),
            "slo.yaml:7: two rules are called 'r'");
}

TEST(ParseSloRules, RefusesInvalidActions) {
  EXPECT_THAT(ActionComplaint("shout"), HasSubstr("expected log, or one of"));
  EXPECT_THAT(ActionComplaint("{limt: {process: a, cpus: 1}}"),
              HasSubstr("unknown key 'limt'; did you mean 'limit'?"));
  EXPECT_THAT(ActionComplaint("{limit: {cpus: 1}}"),
              HasSubstr("one of container, process and group"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, group: b, cpus: 1}}"),
              HasSubstr("one of container, process and group"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a}}"),
              HasSubstr("expected cpus, memory or step"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 1, memory: 1Gi}}"),
              HasSubstr("list two limits"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 1, step: 2}}"),
              HasSubstr("limit.step: '2' is not between 0 and 1"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 0}}"),
              HasSubstr("limit.cpus: '0' is less than 0.01"));
  EXPECT_THAT(
      ActionComplaint("{limit: {process: a, cpus: 1, step: 0.5, at_least: 2}}"),
      HasSubstr("more than the limit itself"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 1, at_least: 0.5}}"),
              HasSubstr("at_least has no effect without step"));
  EXPECT_THAT(ActionComplaint("{pause: {}}"),
              HasSubstr("one of container, process and group"));
  EXPECT_THAT(ActionComplaint("{replace: {url: http://h}}"),
              HasSubstr("replace requires url and app"));
  EXPECT_THAT(ActionComplaint("{webhook: nowhere}"), HasSubstr("webhook: "));
}

TEST(ParseThreshold, AcceptsUnitsAsPeopleWriteThem) {
  EXPECT_EQ(ParseThreshold("200ms")->value, 0.2);
  EXPECT_EQ(ParseThreshold("90%")->value, 0.9);
  EXPECT_EQ(ParseThreshold("80")->value, 80);
  EXPECT_EQ(ParseThreshold("-5.5")->value, -5.5);
  EXPECT_EQ(ParseThreshold("512Mi")->value, 536870912);
  EXPECT_EQ(ParseThreshold("5m")->value, 300);
  EXPECT_FALSE(ParseThreshold("nan").ok());
  EXPECT_FALSE(ParseThreshold("").ok());
  EXPECT_FALSE(ParseThreshold("fast").ok());
}

TEST(ParseSloRules, TheIntervalIsBetween100MillisecondsAndAnHour) {
  auto complaint = [](const std::string& every) {
    return ParseFailure(
        "every: " + every +
        "\nagents: http://a:1\n"
        "rules: [{name: r, series: s, below: 1, actions: log}]\n");
  };
  EXPECT_EQ(complaint("100ms"), "");
  EXPECT_EQ(complaint("1h"), "");
  EXPECT_THAT(complaint("99ms"), HasSubstr("not between 100ms and 1h"));
  EXPECT_THAT(complaint("3601s"), HasSubstr("not between 100ms and 1h"));
}

TEST(ParseSloRules, AtLeastOneActPerMinute) {
  EXPECT_THAT(ParseFailure("acts_per_minute: 0\n"),
              HasSubstr("must be at least 1"));
}

TEST(ParseSloRules, ClearMayEqualTheBound) {
  EXPECT_EQ(RuleComplaint("    series: s\n    below: 10\n    clear: 10\n"
                          "    actions: log\n"),
            "");
  EXPECT_THAT(RuleComplaint("    series: s\n    above: 10\n    clear: 9\n"
                            "    actions: log\n"),
              HasSubstr("wrong side"));
}

TEST(ParseSloRules, RequiresNamesAndRulesThatAreBlocks) {
  EXPECT_THAT(ParseFailure("agents: http://a:1\nrules:\n"
                           "  - {series: s, below: 1, actions: log}\n"),
              HasSubstr("requires a name"));
  EXPECT_THAT(ParseFailure("agents: http://a:1\nrules: [text]\n"),
              HasSubstr("a rule requires keys"));
  EXPECT_THAT(ParseFailure("agents: http://a:1\nrules: text\n"),
              HasSubstr("expected a list"));
}

TEST(ParseSloRules, ChecksTheServerAndTheDivisor) {
  const std::string rules =
      "rules: [{name: r, series: s, divided_by: 'rate(t[1m])', below: 1, "
      "actions: log}]\n";
  EXPECT_THAT(ParseFailure("agents: http://a:1\n" + rules),
              HasSubstr("divided_by: 'rate(t[1m])' is not a selector"));
  EXPECT_THAT(ParseFailure("prometheus: nowhere\n" + rules),
              HasSubstr("prometheus: "));
}

TEST(ParseSloRules, ReadsTheSmallestLimits) {
  EXPECT_EQ(ActionComplaint("{limit: {process: a, cpus: 0.01}}"), "");
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 0.009}}"),
              HasSubstr("less than 0.01 CPUs"));
  EXPECT_EQ(ActionComplaint("{limit: {process: a, memory: 4Mi}}"), "");
  EXPECT_THAT(ActionComplaint("{limit: {process: a, memory: 4095Ki}}"),
              HasSubstr("less than 4Mi"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 1, step: 0}}"),
              HasSubstr("not between 0 and 1"));
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 1, step: 1}}"),
              HasSubstr("not between 0 and 1"));
}

TEST(ParseSloRules, ReadsLimitsOfMemoryWithAFloor) {
  SloRule rule = ParseRule(
      "    series: s\n    below: 1\n    actions:\n"
      "      - limit: {container: a, memory: 1Gi, step: 50%, at_least: 1Gi}\n"
      "      - limit: {group: b, step: 0.5}\n"
      "      - limit: {group: b, memory: 1Gi}\n");
  const auto& memory = std::get<LimitAction>(rule.actions[0]);
  EXPECT_EQ(memory.knob, ControlKnob::kMemory);
  EXPECT_EQ(memory.to, 1 << 30);
  EXPECT_EQ(memory.at_least, 1 << 30);
  const auto& step = std::get<LimitAction>(rule.actions[1]);
  EXPECT_EQ(step.knob, ControlKnob::kCpus);
  EXPECT_EQ(step.to, std::nullopt);
  EXPECT_EQ(step.at_least, 0.01);
  EXPECT_EQ(std::get<LimitAction>(rule.actions[2]).at_least, 4 << 20);
}

TEST(ParseSloRules, AReplacementRequiresItsUrlAndItsApplication) {
  EXPECT_THAT(ActionComplaint("{replace: {app: a}}"),
              HasSubstr("requires url and app"));
  EXPECT_THAT(ActionComplaint("{replace: {url: 'http://a'}}"),
              HasSubstr("requires url and app"));
  EXPECT_THAT(ActionComplaint("{webhook: nowhere}"), HasSubstr("nowhere"));
  EXPECT_THAT(ActionComplaint("{pause: {cpus: 1}}"), HasSubstr("pause."));
  EXPECT_THAT(ActionComplaint("{log: x, pause: {process: a}}"),
              HasSubstr("expected log, or one of"));
  EXPECT_THAT(ActionComplaint("{limit: {process: '', cpus: 1}}"),
              HasSubstr("expected a name"));
}

TEST(ReadSloRules, NamesAMissingFile) {
  EXPECT_EQ(ReadSloRules("/nowhere/slo.yaml").error().code(),
            ErrorCode::kNotFound);
}

TEST(SloObjective, ComparesOnBothSides) {
  SloObjective below{.bound = {.value = 10}, .clear = 9};
  EXPECT_TRUE(below.ViolatedBy(10));
  EXPECT_TRUE(below.ClearedBy(9));
  EXPECT_FALSE(below.ClearedBy(9.5));
  EXPECT_TRUE(below.Worse(2, 1));
  EXPECT_FALSE(below.Worse(1, 1));
  SloObjective above{
      .side = ObjectiveSide::kAbove, .bound = {.value = 10}, .clear = 11};
  EXPECT_TRUE(above.ViolatedBy(10));
  EXPECT_TRUE(above.ClearedBy(11));
  EXPECT_FALSE(above.ClearedBy(10.5));
  EXPECT_TRUE(above.Worse(1, 2));
  EXPECT_FALSE(above.Worse(1, 1));
  // A clear threshold at the bound does not clear a violation.
  below.clear = 10;
  EXPECT_FALSE(below.ClearedBy(10));
}

TEST(FormatThreshold, HasTheUnitAlsoBelowZero) {
  using Unit = Threshold::Unit;
  EXPECT_EQ(FormatThreshold(-0.5, Unit::kSeconds), "-0.5 s");
  EXPECT_EQ(FormatThreshold(0.25, Unit::kRatio), "25 %");
  EXPECT_EQ(FormatThreshold(1024, Unit::kBytes), "1.0 KiB");
  EXPECT_EQ(FormatThreshold(-1024, Unit::kBytes), "-1024");
  EXPECT_EQ(FormatThreshold(0, Unit::kBytes), "0 B");
}

TEST(ParseSloRules, NamesUnknownKeysOfEveryAction) {
  EXPECT_THAT(ActionComplaint("{limit: {process: a, cpus: 1, setp: 0.5}}"),
              HasSubstr("unknown key 'limit.setp'; did you mean"));
  EXPECT_THAT(ActionComplaint("{pause: {process: a, aap: b}}"),
              HasSubstr("unknown key 'pause.aap'"));
  EXPECT_THAT(ActionComplaint("{replace: {url: http://h, app: a, ap: b}}"),
              HasSubstr("unknown key 'replace.ap'; did you mean"));
  EXPECT_THAT(ActionComplaint("{replace: {url: nowhere, app: a}}"),
              HasSubstr("replace.url: "));
}

TEST(ParseSloRules, ReportsAnInvalidActionOfAList) {
  EXPECT_THAT(ActionComplaint("log, shout"),
              HasSubstr("expected log, or one of"));
  EXPECT_THAT(ActionComplaint("log, {limit: {process: a, cpus: x}}"),
              HasSubstr("limit.cpus: "));
}

TEST(ParseSloRules, ReadsAFloorOfALimitThatHasOnlyAStep) {
  EXPECT_EQ(ActionComplaint("{limit: {group: b, step: 0.5, at_least: 0.1}}"),
            "");
  EXPECT_THAT(
      ActionComplaint("{limit: {process: a, cpus: 1, step: 0.5, at_least: x}}"),
      HasSubstr("at_least: "));
}

TEST(ParseThreshold, KeepsTheUnit) {
  using Unit = Threshold::Unit;
  EXPECT_EQ(ParseThreshold("80")->unit, Unit::kNumber);
  EXPECT_EQ(ParseThreshold("90%")->unit, Unit::kRatio);
  EXPECT_EQ(ParseThreshold("200ms")->unit, Unit::kSeconds);
  EXPECT_EQ(ParseThreshold("512Mi")->unit, Unit::kBytes);
  EXPECT_FALSE(ParseThreshold("x%").ok());
}

TEST(FormatAction, NamesTheActionAndItsTarget) {
  const ControlTarget box{.kind = ControlTarget::Kind::kContainer,
                          .name = "box"};
  EXPECT_EQ(FormatAction(LogAction{}), "log");
  EXPECT_EQ(FormatAction(WebhookAction{.url = "http://me:hush@hook/a"}),
            "webhook http://hook/a");
  EXPECT_EQ(FormatAction(LimitAction{.target = box}), "limit container box");
  EXPECT_EQ(FormatAction(PauseAction{.target = box}), "pause container box");
  EXPECT_EQ(FormatAction(ReplaceAction{.app = "detector"}), "replace detector");
}

}  // namespace
}  // namespace mete
