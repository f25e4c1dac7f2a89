#include "report/plot_chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/json.h"

namespace mete {
namespace {

std::string Rounded(double value) { return std::to_string(std::lround(value)); }

Json ChartWith(std::vector<PlotSeries> series) {
  return PlotToChart({.x = {.title = "x", .format = Rounded},
                      .y = {.title = "y", .format = Rounded},
                      .series = std::move(series)});
}

TEST(PlotChart, AxesStartAtZeroAndIncludeEveryPoint) {
  Json chart = ChartWith({{.label = "a", .points = {{.x = 10, .y = 47}}}});
  const Json& ticks = chart["y_axis"]["ticks"];
  EXPECT_EQ(ticks.front().dump(), R"({"at":0.0,"text":"0"})");
  EXPECT_EQ(ticks.back()["text"], "50");  // the first tick beyond 47
  EXPECT_EQ(chart["y_axis"]["end"], 50);
  EXPECT_EQ(chart["y_axis"]["log"], false);
  EXPECT_EQ(chart["x_axis"]["title"], "x");
}

TEST(PlotChart, SeriesShareTheirX) {
  Json chart = ChartWith({{.label = "a", .points = {{1, 5}, {3, 6}}},
                          {.label = "b", .points = {{2, 7}}}});
  EXPECT_EQ(chart["x"].dump(), "[1.0,2.0,3.0]");
  EXPECT_EQ(chart["x_texts"].dump(), R"(["1","2","3"])");
  EXPECT_EQ(chart["series"][0]["values"].dump(), "[5.0,null,6.0]");
  EXPECT_EQ(chart["series"][1]["values"].dump(), "[null,7.0,null]");
}

TEST(PlotChart, KeepsEveryPointOfASeriesAtOneX) {
  Json chart = ChartWith({{.label = "a", .points = {{1, 5}, {1, 6}, {2, 7}}},
                          {.label = "b", .points = {{1, 8}}}});
  EXPECT_EQ(chart["x"].dump(), "[1.0,1.0,2.0]");
  EXPECT_EQ(chart["series"][0]["values"].dump(), "[5.0,6.0,7.0]");
  EXPECT_EQ(chart["series"][1]["values"].dump(), "[8.0,null,null]");
}

TEST(PlotChart, FailuresHaveAnXAndNoValue) {
  Json chart = ChartWith({{.label = "a", .failures = {3}}});
  EXPECT_EQ(chart["x"].dump(), "[3.0]");
  EXPECT_EQ(chart["series"][0]["values"].dump(), "[null]");
  EXPECT_EQ(chart["series"][0]["failures"].dump(), "[3.0]");
  EXPECT_EQ(chart["series"][0]["texts"].dump(), R"(["failed"])");
}

TEST(PlotChart, BandsCoverNeighboursWithAnInterval) {
  PlotPoint first{.x = 1, .y = 2, .low = 1, .high = 3};
  PlotPoint bare{.x = 2, .y = 2};
  PlotPoint last{.x = 3, .y = 2, .low = 1, .high = 3};
  EXPECT_EQ(
      ChartWith({{.points = {first, bare, last}}})["series"][0]["bands"].dump(),
      R"([[{"x":1.0,"low":1.0,"high":3.0}],)"
      R"([{"x":3.0,"low":1.0,"high":3.0}]])");
  EXPECT_EQ(ChartWith({{.points = {first, last}}})["series"][0]["bands"].size(),
            1u);
  EXPECT_TRUE(ChartWith({{.points = {bare}}})["series"][0]["bands"].empty());
}

TEST(PlotChart, LegendShowsTheIntervalOfAPoint) {
  Json chart = ChartWith({{.points = {{.x = 1, .y = 2, .low = 1, .high = 3}}}});
  EXPECT_EQ(chart["series"][0]["texts"][0], "2 (1 to 3)");
}

TEST(PlotChart, DominatedSeriesIsMarked) {
  Json chart = ChartWith({{.points = {{1, 2}}, .aside = true}});
  EXPECT_EQ(chart["series"][0]["aside"], true);
}

}  // namespace
}  // namespace mete
