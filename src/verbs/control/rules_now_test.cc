#include "control/rules_now.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_control.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

class LookAtRulesTest : public testing::Test {
 protected:
  LookAtRulesTest() { rules.agents = {"http://one"}; }

  void AddRule(const std::string& series, double bound) {
    rules.rules.push_back({.name = series,
                           .series = series,
                           .objective = {.bound = {.value = bound}},
                           .actions = {LogAction{}}});
  }

  RulesNow Look() {
    auto now =
        LookAtRules(rules,
                    {.open_agent = [this](const std::string& url)
                         -> Result<std::unique_ptr<SeriesSource>> {
                       auto series = std::make_unique<FakeSeries>(url);
                       series->Set("a", 5);
                       series->Set("b", 50);
                       series->silence = silence;
                       return std::unique_ptr<SeriesSource>(std::move(series));
                     },
                     .clock = clock},
                    {});
    CHECK(now.ok()) << now.error().message();
    return *now;
  }

  FakeClock clock;
  SloRules rules;
  std::string silence;
};

TEST_F(LookAtRulesTest, AreMetWhenEveryObjectiveIs) {
  AddRule("a", 10);
  AddRule("b", 100);
  RulesNow now = Look();
  ASSERT_THAT(now.readings, SizeIs(2));
  EXPECT_DOUBLE_EQ(now.readings[1].worst().value(), 50);
  EXPECT_EQ(now.standing, RuleStanding::kMet);
  EXPECT_THAT(now.silent, IsEmpty());
}

TEST_F(LookAtRulesTest, ViolatedObjectiveOutweighsAnUnknownOne) {
  AddRule("b", 10);
  AddRule("nowhere", 10);
  EXPECT_EQ(Look().standing, RuleStanding::kViolated);
  std::swap(rules.rules[0], rules.rules[1]);
  EXPECT_EQ(Look().standing, RuleStanding::kViolated);
}

TEST_F(LookAtRulesTest, OneUnknownObjectiveMakesTheResultUnknown) {
  AddRule("nowhere", 10);
  AddRule("a", 10);
  EXPECT_EQ(Look().standing, RuleStanding::kUnknown);
}

TEST_F(LookAtRulesTest, NamesTheSourcesThatDoNotAnswer) {
  AddRule("a", 10);
  silence = "connection refused";
  RulesNow now = Look();
  EXPECT_THAT(now.silent,
              ElementsAre(Pair("http://one", "connection refused")));
  EXPECT_EQ(now.standing, RuleStanding::kUnknown);
}

TEST_F(LookAtRulesTest, AnUnknownObjectiveAfterAMetOneIsUnknownToo) {
  AddRule("a", 10);
  AddRule("nowhere", 10);
  EXPECT_EQ(Look().standing, RuleStanding::kUnknown);
}

}  // namespace
}  // namespace mete
