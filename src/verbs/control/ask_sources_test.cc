#include "control/ask_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_control.h"

namespace mete {
namespace {

using testing::SizeIs;

TEST(CheckSelectors, NamesTheRule) {
  SloRules rules{.rules = {{.name = "r", .series = "bad"}}};
  SeriesSources sources;
  sources.push_back(std::make_unique<FakeSeries>());
  Status checked = CheckSelectors(rules, sources);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().message(), "r: series: 'bad' is bad");
}

TEST(CheckSelectors, ChecksTheDivisorIfThereIsOne) {
  SloRules rules{.rules = {{.name = "r", .series = "good"}}};
  SeriesSources sources;
  sources.push_back(std::make_unique<FakeSeries>());
  EXPECT_TRUE(CheckSelectors(rules, sources).ok());
  rules.rules.push_back({.name = "s", .series = "good", .divided_by = "bad"});
  Status checked = CheckSelectors(rules, sources);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().message(), "s: divided_by: 'bad' is bad");
}

TEST(AskSources, QueriesAllSourcesAndKeepsTheirOrder) {
  SloRules rules{.rules = {{.name = "a", .series = "x", .divided_by = "y"},
                           {.name = "b", .series = "z"}}};
  SeriesSources sources;
  for (const char* name : {"one", "two"}) {
    auto source = std::make_unique<FakeSeries>(name);
    source->Set("x", 1);
    source->Set("y", 2);
    source->Set("z", 3);
    sources.push_back(std::move(source));
  }
  auto answers = AskSources(rules, sources, {});
  ASSERT_THAT(answers, SizeIs(2));
  ASSERT_THAT(answers[0], SizeIs(2));
  EXPECT_EQ(answers[0][1].source, "two");
  EXPECT_EQ((**answers[0][1].divisor)[0].value, 2);
  EXPECT_EQ((*answers[1][0].series)[0].value, 3);
  EXPECT_FALSE(answers[1][0].divisor);
}

}  // namespace
}  // namespace mete
