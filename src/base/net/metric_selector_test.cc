#include "net/metric_selector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;

bool Chooses(std::string_view selector, std::string_view line) {
  auto parsed = MetricSelector::Parse(selector);
  EXPECT_TRUE(parsed.ok()) << parsed.error().message();
  return parsed.ok() && parsed->Chooses(ReadMetricPage(line).metrics.at(0));
}

TEST(MetricSelector, ComparesNameAndLabels) {
  EXPECT_TRUE(Chooses("m", "m{a=\"1\"} 1"));
  EXPECT_FALSE(Chooses("m", "mm 1"));
  EXPECT_TRUE(Chooses(R"(m{a="1", b!="2"})", "m{a=\"1\"} 1"));
  EXPECT_FALSE(Chooses(R"(m{a="1"})", "m{a=\"2\"} 1"));
  EXPECT_TRUE(Chooses(R"({__name__=~"m|n"})", "n 1"));
}

TEST(MetricSelector, PatternsMatchTheWholeValue) {
  EXPECT_TRUE(Chooses(R"(m{a=~"det.*"})", "m{a=\"detector\"} 1"));
  EXPECT_FALSE(Chooses(R"(m{a=~"det"})", "m{a=\"detector\"} 1"));
  EXPECT_FALSE(Chooses(R"(m{a!~"det.*"})", "m{a=\"detector\"} 1"));
}

TEST(MetricSelector, AMissingLabelIsEmpty) {
  EXPECT_TRUE(Chooses(R"(m{a=""})", "m 1"));
}

TEST(MetricSelector, ReportsWhatIsWrong) {
  auto complaint = [](std::string_view text) {
    auto parsed = MetricSelector::Parse(text);
    return parsed.ok() ? "" : parsed.error().message();
  };
  EXPECT_THAT(complaint(""), HasSubstr("it selects nothing"));
  EXPECT_THAT(complaint("rate(m[1m])"), HasSubstr("unexpected '(m[1m])'"));
  EXPECT_THAT(complaint("m{a=1}"), HasSubstr("not quoted"));
  EXPECT_THAT(complaint("m{a=\"1\""), HasSubstr("closing brace"));
  EXPECT_THAT(complaint("m{a~\"1\"}"), HasSubstr("must be followed by ="));
  EXPECT_THAT(complaint("m{a=~\"(\"}"), HasSubstr("not a valid regular"));
}

std::string Matching(const std::string& pattern) {
  return "{a=~\"" + pattern + "\"}";
}

TEST(MetricSelector, PatternsMayBeLong) {
  EXPECT_TRUE(Chooses(Matching("2026|x{100}"),
                      "m{a=\"" + std::string(100, 'x') + "\"} 1"));
  std::string names = "first";
  for (int at = 0; at < 1000; ++at) names += "|name" + std::to_string(at);
  EXPECT_TRUE(Chooses(Matching(names), "m{a=\"name999\"} 1"));
}

// Backtracking would take longer than the universe exists, or overflow the
// stack.
TEST(MetricSelector, PatternsTakeLinearTime) {
  const std::string value(100'000, 'a');
  EXPECT_FALSE(Chooses(Matching("(a*)*(a|aa)*b"), "m{a=\"" + value + "\"} 1"));
  EXPECT_TRUE(Chooses(Matching("(a|b)*"), "m{a=\"" + value + "\"} 1"));
}

TEST(MetricSelector, ADotMatchesTheEndOfALineAsInPrometheus) {
  EXPECT_TRUE(Chooses(Matching("x.*y"), "m{a=\"x\\ny\"} 1"));
}

TEST(MetricSelector, RejectsExpressionsThatTakeTooMuchMemory) {
  EXPECT_FALSE(MetricSelector::Parse(Matching("x{1001}")).ok());
  EXPECT_FALSE(MetricSelector::Parse(Matching("((x{1000}){1000}){1000}")).ok());
  EXPECT_FALSE(MetricSelector::Parse(Matching(std::string(100'000, '('))).ok());
}

}  // namespace
}  // namespace mete
