#include "report/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/units.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Number(double value) { return std::to_string(std::lround(value)); }

TEST(SvgPlot, AxesBeginAtZeroAndHoldEveryPoint) {
  Plot plot{.x = {.title = "x", .format = Number},
            .y = {.title = "y", .format = Number},
            .series = {{.label = "a", .points = {{.x = 10, .y = 47}}}}};
  std::string svg = SvgOf(plot);
  EXPECT_THAT(svg, HasSubstr(">0</text>"));
  EXPECT_THAT(svg, HasSubstr(">50</text>"));  // the first step beyond 47
  EXPECT_THAT(svg, HasSubstr("<circle"));
}

TEST(SvgPlot, WhatFailedIsMarked) {
  Plot plot{.x = {.format = Number},
            .y = {.format = Number},
            .series = {{.label = "a", .failures = {3}}}};
  EXPECT_THAT(SvgOf(plot), HasSubstr("<title>failed</title>"));
}

TEST(SvgPlot, OnlyNeighboursWithABandShareOne) {
  PlotPoint banded{.x = 1, .y = 2, .low = 1, .high = 3};
  PlotPoint bare{.x = 2, .y = 2};
  Plot plot{.x = {.format = Number},
            .y = {.format = Number},
            .series = {{.points = {banded, bare, banded}}}};
  std::string svg = SvgOf(plot);
  size_t first = svg.find("class=\"band\"");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(svg.find("class=\"band\"", first + 1), std::string::npos);
  plot.series = {{.points = {bare}}};
  EXPECT_THAT(SvgOf(plot), Not(HasSubstr("class=\"band\"")));
}

TEST(SvgPlot, WhatIsBeatenIsNotJoined) {
  Plot plot{.x = {.format = Number},
            .y = {.format = Number},
            .series = {{.points = {{1, 2}, {2, 3}}, .aside = true}}};
  EXPECT_THAT(SvgOf(plot), Not(HasSubstr("<polyline")));
  EXPECT_THAT(SvgOf(plot), HasSubstr("curve-0 aside"));
}

TEST(SvgPlot, NamesCannotLeaveTheirElement) {
  Plot plot{.x = {.format = Number},
            .y = {.format = Number},
            .series = {{.label = "<script>"}, {.label = "b"}}};
  EXPECT_THAT(SvgOf(plot), Not(HasSubstr("<script>")));
}

TEST(SvgBars, SayWhenLessMightDo) {
  BarChart chart{.axis = {.format = Number},
                 .groups = {{.label = "a", .bars = {{"", 7, true}}}}};
  EXPECT_THAT(SvgOf(chart), HasSubstr(">≤ 7<"));
}

TEST(SvgBars, OfOneKindHaveOneColour) {
  BarChart chart{
      .axis = {.format = Number},
      .groups = {{.label = "a", .bars = {{"train", 7}, {"infer", 5}}},
                 {.label = "b", .bars = {{"infer", 4}}}}};
  std::string svg = SvgOf(chart);
  EXPECT_THAT(svg, HasSubstr(">a</text>"));
  EXPECT_THAT(svg, HasSubstr("curve-0"));
  EXPECT_THAT(svg, HasSubstr("curve-1"));
  EXPECT_THAT(svg, Not(HasSubstr("curve-2")));
}

}  // namespace
}  // namespace mete
