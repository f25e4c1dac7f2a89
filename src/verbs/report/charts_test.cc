#include "report/charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/sample_csv.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;

RunCurves FromCsv(const std::string& csv) {
  auto table = SampleTable::FromCsv(csv);
  EXPECT_TRUE(table.ok());
  return {.samples = *table};
}

std::vector<std::string> Titles(const Json& charts) {
  std::vector<std::string> titles;
  for (const Json& chart : charts) titles.push_back(chart["title"]);
  return titles;
}

TEST(SampleTable, EmptyCellsAreAbsentAndTextColumnsAreSkipped) {
  auto table = SampleTable::FromCsv(
      "application,time_seconds,celsius\n\"a, b\",1,\nx,2,40.5\n");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->Find("application"), nullptr);
  EXPECT_THAT(*table->Find("celsius"), ElementsAre(std::nullopt, 40.5));
  EXPECT_EQ(table->rows(), 2u);
}

TEST(SampleTable, RowOfAnotherLengthIsCorrupt) {
  auto table = SampleTable::FromCsv("a,b\n1\n");
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().message(),
            "line 2: number of cells is 1, expected 2");
}

TEST(Charts, TotalsBecomeRates) {
  Json charts =
      MakeCharts(FromCsv("time_seconds,cpu_seconds,cpu_stalled_seconds\n"
                         "0.5,0.5,7\n1,1.5,7.25\n1.5,1.75,7.25\n"),
                 {});
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0]["x"].dump(), "[0.5,1.0,1.5]");
  EXPECT_EQ(charts[0]["series"][0]["values"].dump(), "[1.0,2.0,0.5]");
  // The machine's own totals started long before the run.
  EXPECT_EQ(charts[1]["series"][0]["values"].dump(), "[null,0.5,0.0]");
}

TEST(Charts, QuantitiesThatAreZeroOrAbsentHaveNoChart) {
  Json charts = MakeCharts(
      FromCsv("time_seconds,memory_bytes,swap_bytes,read_bytes,celsius\n"
              "1,1024,0,0,\n2,2048,0,0,\n"),
      {});
  ASSERT_THAT(Titles(charts), ElementsAre("Memory"));
  EXPECT_EQ(charts[0]["series"].size(), 1u);
}

TEST(Charts, LimitsAreDrawnInTheirCharts) {
  Json charts = MakeCharts(
      FromCsv("time_seconds,memory_bytes,cpu_seconds\n1,5,1\n2,6,2\n"),
      {.memory = Mebibytes(64), .cpus = Millicores{500}});
  EXPECT_EQ(charts[0]["limit"]["value"], 0.5);
  EXPECT_EQ(charts[1]["limit"]["value"], 64 << 20);
  EXPECT_EQ(charts[1]["limit"]["label"], "limit 64.0 MiB");
}

TEST(Charts, LongRunsAreDownsampledButKeepTheirPeak) {
  std::string csv = "time_seconds,memory_bytes\n";
  for (int i = 0; i < 10000; ++i) {
    csv += std::to_string(i) + "," + (i == 7777 ? "99" : "1") + "\n";
  }
  Json charts = MakeCharts(FromCsv(csv), {});
  const Json& values = charts[0]["series"][0]["values"];
  EXPECT_EQ(values.size(), kMostPoints);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 99);
}

TEST(Charts, MetricsOfTheApplicationComeFirst) {
  RunCurves curves = FromCsv("time_seconds,memory_bytes\n1,5\n2,6\n");
  curves.metrics["frame"] = {.from = 0.25, .per_second = {29, 30, 31}};
  Json charts = MakeCharts(curves, {});
  EXPECT_THAT(Titles(charts), ElementsAre("frame per second", "Memory"));
  EXPECT_EQ(charts[0]["x"].dump(), "[0.75,1.75,2.75]");
}

// Two samples, a second apart, of a machine with `gpus` equal GPUs.
std::string SamplesOfGpus(size_t gpus) {
  const GpuSample gpu{.utilization = 0.75,
                      .memory_used = Mebibytes(2),
                      .power = Watts{31.5},
                      .joules = 12,
                      .celsius = 60};
  std::vector<UsageSample> samples = {{.at = Seconds(1)}, {.at = Seconds(2)}};
  for (UsageSample& sample : samples) sample.machine.gpus.assign(gpus, gpu);
  samples[1].machine.gpus[0].joules = 42;
  return SamplesCsv(samples);
}

TEST(Charts, GpuHasAChartPerSampledQuantity) {
  Json charts = MakeCharts(FromCsv(SamplesOfGpus(1)), {});
  ASSERT_THAT(Titles(charts), ElementsAre("GPU 0 in use", "GPU 0 memory",
                                          "GPU 0 power", "GPU 0 temperature"));
  EXPECT_EQ(charts[0]["unit"], "share");
  EXPECT_EQ(charts[0]["series"][0]["values"].dump(), "[0.75,0.75]");
  EXPECT_EQ(charts[1]["unit"], "bytes");
  EXPECT_EQ(charts[2]["unit"], "watts");
  EXPECT_EQ(charts[2]["series"].size(), 1u);
  EXPECT_EQ(charts[2]["series"][0]["values"].dump(), "[31.5,31.5]");
  EXPECT_EQ(charts[3]["unit"], "celsius");
}

TEST(Charts, EveryGpuHasItsOwnCharts) {
  Json charts = MakeCharts(FromCsv(SamplesOfGpus(2)), {});
  EXPECT_THAT(Titles(charts), Contains("GPU 1 memory"));
}

TEST(Charts, MemoryLimitDoesNotApplyToGpuMemory) {
  Json charts =
      MakeCharts(FromCsv(SamplesOfGpus(1)), {.memory = Mebibytes(64)});
  EXPECT_FALSE(charts[1].contains("limit"));
}

TEST(Charts, GpuMemoryOfTheApplicationIsDrawn) {
  std::vector<UsageSample> samples = {
      {.at = Seconds(1), .usage = {.gpu_memory = Mebibytes(1)}},
      {.at = Seconds(2), .usage = {.gpu_memory = Mebibytes(2)}}};
  Json charts = MakeCharts(FromCsv(SamplesCsv(samples)), {});
  ASSERT_THAT(Titles(charts), ElementsAre("GPU memory of the application"));
  EXPECT_EQ(charts[0]["unit"], "bytes");
}

TEST(Charts, OneSampleMakesNoChart) {
  EXPECT_TRUE(
      MakeCharts(FromCsv("time_seconds,memory_bytes\n1,5\n"), {}).empty());
}

}  // namespace
}  // namespace mete
