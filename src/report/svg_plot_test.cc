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

TEST(SvgPlot, BytesAreSteppedInPowersOfTwo) {
  PlotAxis bytes{.format = Number, .binary = true};
  Plot plot{.x = bytes,
            .y = {.format = Number},
            .series = {{.points = {{.x = 400 << 20, .y = 1}}}}};
  EXPECT_THAT(SvgOf(plot), HasSubstr(">134217728</text>"));
}

TEST(SvgPlot, NamesCannotLeaveTheirElement) {
  Plot plot{.x = {.format = Number},
            .y = {.format = Number},
            .series = {{.label = "<script>"}, {.label = "b"}}};
  EXPECT_THAT(SvgOf(plot), Not(HasSubstr("<script>")));
}

TEST(SvgBars, SayWhenLessMightDo) {
  std::string svg =
      SvgOf({{.label = "a", .value = 7, .at_most = true}}, {.format = Number});
  EXPECT_THAT(svg, HasSubstr("at most 7"));
}

}  // namespace
}  // namespace mete
