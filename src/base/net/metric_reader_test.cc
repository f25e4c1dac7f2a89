#include "net/metric_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

using testing::ElementsAre;
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

TEST(ReadMetricPage, ReadsNumbersAsGoDoes) {
  EXPECT_EQ(Only("m 1e999").value, HUGE_VAL);
  EXPECT_EQ(Only("m +1").value, 1);
  for (const char* line : {"m ++1", "m +", "m 1e", "m 0x1"}) {
    EXPECT_EQ(ReadMetricPage(line).malformed, 1) << line;
  }
}

TEST(ReadMetricPage, TimeStampsAreFinite) {
  for (const char* line : {"m 1 NaN", "m 1 +Inf", "m 1 1e999"}) {
    EXPECT_EQ(ReadMetricPage(line).malformed, 1) << line;
  }
  EXPECT_EQ(Only("m 1 1e18").milliseconds, 1'000'000'000'000'000'000);
  EXPECT_EQ(Only("m 1 1e30").milliseconds, 9'000'000'000'000'000'000);
  EXPECT_EQ(Only("m 1 -1e30").milliseconds, -9'000'000'000'000'000'000);
}

TEST(ReadMetricPage, NumbersItsLinesFromOne) {
  EXPECT_EQ(ReadMetricPage("bad\n").complaint, "line 1: no value");
  EXPECT_EQ(ReadMetricPage("# x\n\nbad").complaint, "line 3: no value");
  EXPECT_EQ(ReadMetricPage("m{x} 1").complaint,
            "line 1: label without a value");
  EXPECT_EQ(ReadMetricPage("m{=\"1\"} 1").complaint,
            "line 1: label without a name");
}

}  // namespace
}  // namespace mete
