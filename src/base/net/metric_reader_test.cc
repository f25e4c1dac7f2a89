#include "net/metric_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

ReadMetric Only(std::string_view line) {
  MetricPage page = ReadMetricPage(line);
  EXPECT_EQ(page.malformed, 0) << page.complaint;
  EXPECT_EQ(page.metrics.size(), 1);
  return page.metrics.empty() ? ReadMetric{} : page.metrics.front();
}

TEST(ReadMetricPage, ReadsNameLabelsAndValue) {
  ReadMetric metric = Only("up{job=\"a\", host=\"b\",} 0.25\n");
  EXPECT_THAT(metric.labels, ElementsAre(Pair("__name__", "up"),
                                         Pair("host", "b"), Pair("job", "a")));
  EXPECT_EQ(metric.value, 0.25);
  EXPECT_FALSE(metric.milliseconds);
}

TEST(ReadMetricPage, UnescapesLabels) {
  ReadMetric metric = Only(R"(m{path="C:\\x \"y\"\n}z\d"} 1)");
  EXPECT_EQ(metric.labels["path"], "C:\\x \"y\"\n}z\\d");
}

TEST(ReadMetricPage, ReadsNanAndInfinity) {
  EXPECT_TRUE(std::isnan(Only("m NaN").value));
  EXPECT_EQ(Only("m +Inf").value, HUGE_VAL);
  EXPECT_EQ(Only("m -Inf").value, -HUGE_VAL);
  EXPECT_EQ(Only("m 1e3").value, 1000);
}

TEST(ReadMetricPage, ReadsTimeStampsInMillisecondsOrWithAPointInSeconds) {
  EXPECT_EQ(Only("m 1 1714566600123").milliseconds, 1714566600123);
  EXPECT_EQ(Only("m 1 1714566600.123").milliseconds, 1714566600123);
}

TEST(ReadMetricPage, SkipsCommentsAndExemplars) {
  MetricPage page = ReadMetricPage(
      "# HELP m what it is\n# TYPE m gauge\n\n  \nm 1 # {trace=\"x\"} 2\r\n"
      "# EOF\n");
  EXPECT_EQ(page.metrics.size(), 1);
  EXPECT_EQ(page.malformed, 0);
}

TEST(ReadMetricPage, SkipsMalformedLinesAndReportsTheFirst) {
  MetricPage page = ReadMetricPage(
      "good 1\nbad\n{x=\"1\"} 1\nm{x=\"1} 1\nm{x=1} 1\nm{x=\"1\" y=\"2\"} 1\n"
      "m one\nm 1 soon\nm 1x\nfine 2");
  EXPECT_EQ(page.metrics.size(), 2);
  EXPECT_EQ(page.malformed, 8);
  EXPECT_EQ(page.complaint, "line 2: no value");
}

TEST(ReadMetricPage, ReadsNothingFromAnEmptyPage) {
  EXPECT_THAT(ReadMetricPage("").metrics, IsEmpty());
}

bool Chooses(std::string_view selector, std::string_view line) {
  auto parsed = MetricSelector::Parse(selector);
  EXPECT_TRUE(parsed.ok()) << parsed.error().message();
  return parsed.ok() && parsed->Chooses(Only(line));
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
