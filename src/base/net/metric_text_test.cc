#include "net/metric_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mete {
namespace {

constexpr MetricFamily kCpu{.name = "x_cpu_seconds_total",
                            .kind = MetricKind::kCounter,
                            .unit = "seconds",
                            .help = "Time."};
constexpr MetricFamily kCores{.name = "x_cores", .help = "How many."};

TEST(MetricText, KeepsTheLinesOfAFamilyTogether) {
  MetricBatch batch;
  batch.Add(kCpu, {{"core", "0"}}, 1.5);
  batch.Add(kCores, 2);
  batch.Add(kCpu, {{"core", "1"}}, 0.25);
  EXPECT_EQ(WriteMetricPage({&batch}, MetricFormat::kText),
            "# HELP x_cpu_seconds_total Time.\n"
            "# TYPE x_cpu_seconds_total counter\n"
            "x_cpu_seconds_total{core=\"0\"} 1.5\n"
            "x_cpu_seconds_total{core=\"1\"} 0.25\n"
            "# HELP x_cores How many.\n# TYPE x_cores gauge\nx_cores 2\n");
}

TEST(MetricText, OpenMetricsNamesACounterWithoutTotalAndEnds) {
  MetricBatch batch;
  batch.Add(kCpu, 3);
  EXPECT_EQ(WriteMetricPage({&batch}, MetricFormat::kOpenMetrics),
            "# HELP x_cpu_seconds Time.\n# TYPE x_cpu_seconds counter\n"
            "# UNIT x_cpu_seconds seconds\nx_cpu_seconds_total 3\n# EOF\n");
}

TEST(MetricText, JoinsAFamilyOfTwoBatches) {
  MetricBatch one;
  MetricBatch other;
  one.Add(kCores, {{"at", "a"}}, 1);
  other.Add(kCores, {{"at", "b"}}, 2);
  EXPECT_EQ(WriteMetricPage({&one, &other}, MetricFormat::kText),
            "# HELP x_cores How many.\n# TYPE x_cores gauge\n"
            "x_cores{at=\"a\"} 1\nx_cores{at=\"b\"} 2\n");
}

TEST(MetricText, OmitsFamiliesWithoutSamples) {
  MetricBatch batch;
  batch.Add(kCores, 2);
  batch.Clear();
  EXPECT_EQ(WriteMetricPage({&batch}, MetricFormat::kText), "");
}

TEST(MetricText, EscapesLabelValues) {
  MetricLabels labels{{"a", "back\\slash \"quoted\"\nline"}, {"b", "x\xFFy"}};
  EXPECT_EQ(labels.text(),
            "a=\"back\\\\slash \\\"quoted\\\"\\nline\","
            "b=\"x\xEF\xBF\xBDy\"");
}

TEST(MetricText, WritesNumbersThatParseBackTheSame) {
  MetricBatch batch;
  batch.Add(kCores, 0.1);
  batch.Add(kCores, 16806100992.0);
  batch.Add(kCores, std::numeric_limits<double>::infinity());
  batch.Add(kCores, std::nan(""));
  EXPECT_EQ(batch.parts()[0].lines,
            "x_cores 0.1\nx_cores 16806100992\nx_cores +Inf\nx_cores NaN\n");
}

TEST(MetricText, ChoosesTheFormatTheClientPrefers) {
  EXPECT_EQ(ChooseMetricFormat(""), MetricFormat::kText);
  EXPECT_EQ(ChooseMetricFormat("*/*"), MetricFormat::kText);
  // The Accept field of Prometheus 2.42.
  EXPECT_EQ(
      ChooseMetricFormat("application/openmetrics-text;version=1.0.0,"
                         "application/openmetrics-text;version=0.0.1;q=0.75,"
                         "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
      MetricFormat::kOpenMetrics);
  EXPECT_EQ(
      ChooseMetricFormat("text/plain, application/openmetrics-text; q=0.3"),
      MetricFormat::kText);
}

TEST(MetricText, OnlyANameThatEndsWithTheUnitHasOne) {
  auto page_of = [](const char* name, const char* unit) {
    const MetricFamily family{.name = name, .unit = unit, .help = "H."};
    MetricBatch batch;
    batch.Add(family, 1);
    return WriteMetricPage({&batch}, MetricFormat::kOpenMetrics);
  };
  auto has_unit = [&](const char* name, const char* unit) {
    return page_of(name, unit).find("# UNIT") != std::string::npos;
  };
  EXPECT_TRUE(has_unit("x_bytes", "bytes"));
  EXPECT_FALSE(has_unit("x_kilobytes", "bytes"));
  EXPECT_FALSE(has_unit("bytes", "bytes"));
  EXPECT_FALSE(has_unit("x_bytes_now", "bytes"));
  EXPECT_FALSE(has_unit("x_", ""));
}

TEST(MetricText, OnlyCountersLoseTheirTotal) {
  const MetricFamily gauge{.name = "x_total", .help = "H."};
  MetricBatch batch;
  batch.Add(gauge, 1);
  EXPECT_EQ(WriteMetricPage({&batch}, MetricFormat::kOpenMetrics),
            "# HELP x_total H.\n# TYPE x_total gauge\nx_total 1\n# EOF\n");
}

TEST(MetricText, WritesNegativeInfinity) {
  MetricBatch batch;
  batch.Add(kCores, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(batch.parts()[0].lines, "x_cores -Inf\n");
}

TEST(MetricText, KeepsFamiliesTogetherInAnyOrder) {
  const MetricFamily third{.name = "x_third", .help = "H."};
  MetricBatch batch;
  for (int i = 0; i < 2; ++i) {
    batch.Add(kCpu, i);
    batch.Add(kCores, i);
    batch.Add(third, i);
  }
  batch.Add(kCores, 2);
  batch.Add(kCpu, 2);
  ASSERT_EQ(batch.parts().size(), 3u);
  EXPECT_EQ(batch.parts()[0].lines,
            "x_cpu_seconds_total 0\nx_cpu_seconds_total 1\n"
            "x_cpu_seconds_total 2\n");
  EXPECT_EQ(batch.parts()[1].lines, "x_cores 0\nx_cores 1\nx_cores 2\n");
  EXPECT_EQ(batch.parts()[2].lines, "x_third 0\nx_third 1\n");
  // The second page begins with the first family again.
  batch.Clear();
  batch.Add(kCpu, 7);
  EXPECT_EQ(batch.parts()[0].lines, "x_cpu_seconds_total 7\n");
  EXPECT_EQ(batch.parts()[1].lines, "");
}

TEST(MetricText, ComparesTheWeightsOfFormats) {
  const std::string open = "application/openmetrics-text";
  auto chosen = [](const std::string& accept) {
    return ChooseMetricFormat(accept);
  };
  EXPECT_EQ(chosen(open), MetricFormat::kOpenMetrics);
  EXPECT_EQ(chosen(open + ";q=0"), MetricFormat::kText);
  EXPECT_EQ(chosen(open + ";q=0.5,text/plain;q=0.5"),
            MetricFormat::kOpenMetrics);
  EXPECT_EQ(chosen(open + ";q=0.499,text/plain;q=0.5"), MetricFormat::kText);
  EXPECT_EQ(chosen(open + ";q=0.9," + open + ";q=0.1,text/plain;q=0.5"),
            MetricFormat::kOpenMetrics);
  EXPECT_EQ(chosen("text/plain;q=0.9,text/plain;q=0.1, \t" + open + ";q=0.5"),
            MetricFormat::kText);
}

}  // namespace
}  // namespace mete
