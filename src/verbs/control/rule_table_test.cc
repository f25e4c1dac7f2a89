#include "control/rule_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

SloRules ExampleRules() {
  SloRules rules;
  rules.rules = {
      {.name = "latency",
       .objective = {.bound = {0.2, Threshold::Unit::kSeconds}, .clear = 0.15},
       .actions = {LogAction{},
                   LimitAction{.target = {.kind = ControlTarget::Kind::kProcess,
                                          .name = "hog"}}}},
      {.name = "load",
       .objective = {.bound = {.value = 10}, .clear = 9},
       .actions = {LogAction{}}}};
  return rules;
}

std::vector<RuleReading> ExampleReadings() {
  return {{.series = {{.value = 0.3}, {.value = 0.1}}},
          {.remark = "no such series"}};
}

TEST(RuleText, HasOneLinePerAction) {
  EXPECT_EQ(RuleText(ExampleRules(), ExampleReadings()),
            "rule     objective     now  series  status    actions\n"
            "latency  < 200 ms   300 ms       2  violated  log\n"
            "                                              limit process hog\n"
            "load     < 10            -       0  unknown   log\n");
}

TEST(RuleText, FitsATerminal) {
  SloRules rules = ExampleRules();
  rules.rules[0].name = std::string(30, 'n');
  rules.rules[0].actions = {
      WebhookAction{"http://host/" + std::string(60, 'x')}};
  std::istringstream text(RuleText(rules, ExampleReadings()));
  size_t widest = 0;
  for (std::string line; std::getline(text, line);) {
    size_t columns = 0;
    for (char c : line) columns += (c & 0xC0) != 0x80;  // UTF-8 characters
    widest = std::max(widest, columns);
  }
  EXPECT_EQ(widest, 80u);
}

TEST(RuleText, ShowsARuleWithoutActions) {
  SloRules rules = ExampleRules();
  rules.rules[1].actions.clear();
  EXPECT_THAT(RuleText(rules, ExampleReadings()), HasSubstr("\nload  "));
}

TEST(RuleCsv, HasOneRowPerRule) {
  EXPECT_EQ(RuleCsv(ExampleRules(), ExampleReadings()),
            "rule,objective,now,series,standing,actions\n"
            "latency,< 200 ms,300 ms,2,violated,\"log, limit process hog\"\n"
            "load,< 10,-,0,unknown,log\n");
}

TEST(RuleJson, LeavesOutWhatIsUnknown) {
  Json json = RuleJson(ExampleRules(), ExampleReadings());
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0].dump(),
            R"({"rule":"latency","objective":"< 200 ms","standing":"violated",)"
            R"("bound":0.2,"clear":0.15,"now":0.3,"series":2,)"
            R"("actions":["log","limit process hog"]})");
  EXPECT_FALSE(json[1].contains("now"));
  EXPECT_EQ(json[1]["remark"], "no such series");
}

TEST(RuleText, ShortensLongNames) {
  SloRules rules = ExampleRules();
  rules.rules[0].name = std::string(40, 'n');
  const std::string text = RuleText(rules, ExampleReadings());
  EXPECT_EQ(text.find("objective"), 22u) << text;
}

TEST(RuleText, ActionsHaveRoomBesideWideColumns) {
  SloRules rules = ExampleRules();
  rules.rules = {rules.rules[1]};
  rules.rules[0].name = std::string(20, 'n');
  rules.rules[0].objective.bound.value = -1.2345e-100;
  rules.rules[0].actions = {LimitAction{
      .target = {.kind = ControlTarget::Kind::kProcess, .name = "hogger"}}};
  const std::string text =
      RuleText(rules, {{.series = {{.value = -1.2345e-100}}}});
  EXPECT_THAT(text, HasSubstr("  limit p…s hogger\n")) << text;
}

TEST(RuleCsv, ShortensLongNames) {
  SloRules rules = ExampleRules();
  rules.rules[1].name = std::string(12, 'a') + std::string(30, 'n');
  const std::string csv = RuleCsv(rules, ExampleReadings());
  const std::string row = csv.substr(csv.rfind("\naaaa") + 1);
  EXPECT_EQ(row.substr(0, row.find(',')), "aaaaaaaaaaa…nnnnnnnnnnnn");
}

}  // namespace
}  // namespace mete
