#include "adapters/gnuplot/gnuplot_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Number(double value) { return std::to_string(std::lround(value)); }

Drawing MakePlot(std::vector<PlotSeries> series) {
  return {.name = "plot",
          .title = "Title",
          .content = Plot{.x = {.title = "x", .format = Number},
                          .y = {.title = "y", .format = Number},
                          .series = std::move(series)}};
}

TEST(GnuplotText, EscapesEverythingWithAMeaning) {
  EXPECT_EQ(GnuplotText("CNN 1d"), "\"CNN 1d\"");
  EXPECT_EQ(GnuplotText("a\"b'c`d\\e"), R"("a\042b\047c\140d\134e")");
  EXPECT_EQ(GnuplotText("a\nplot x\r\t\x7f"), "\"a plot x   \"");
  EXPECT_EQ(GnuplotText("@m;!$(x)"), R"-("\100m\073\041\044(x)")-");
  EXPECT_EQ(GnuplotText("≤ ü"), "\"≤ ü\"");
}

TEST(GnuplotText, DigitsDoNotExtendTheEscapeBefore) {
  EXPECT_EQ(GnuplotText("0.75"), "\"0.75\"");
  EXPECT_EQ(GnuplotText("'12a3"), R"("\047\061\062a3")");
}

TEST(GnuplotText, ReplacesInvalidUtf8) {
  EXPECT_EQ(GnuplotText("a\xFF z"), "\"a\uFFFD z\"");
}

TEST(GnuplotScript, NamesOfSeriesCannotBecomeCommands) {
  std::string script = GnuplotScript(
      MakePlot({{.label = "a\"\nsystem(\"touch x\")\n", .points = {{1, 2}}}}),
      PictureFormat::kSvg);
  EXPECT_THAT(script, HasSubstr(R"-(title "a\042 system(\042touch x\042) ")-"));
}

TEST(GnuplotScript, NamesOnAnAxisAreNotFormatted) {
  Drawing bars{.content =
                   BarChart{.axis = {.format = Number},
                            .groups = {{.label = "%s", .bars = {{"", 1}}}}}};
  EXPECT_THAT(GnuplotScript(bars, PictureFormat::kSvg),
              HasSubstr(R"("\045\045s" 1)"));
}

TEST(GnuplotScript, DrawsABandOnlyWhereOneIsKnown) {
  std::string none = GnuplotScript(MakePlot({{.points = {{.x = 1, .y = 2}}}}),
                                   PictureFormat::kSvg);
  EXPECT_THAT(none, Not(HasSubstr("filledcurves")));
  std::string one = GnuplotScript(
      MakePlot({{.points = {{.x = 1, .y = 2, .low = 1.5, .high = 2.5}}}}),
      PictureFormat::kSvg);
  EXPECT_THAT(one, HasSubstr("1 1.5 2.5\n"));
  EXPECT_THAT(one, HasSubstr("filledcurves"));
}

TEST(GnuplotScript, MarksFailures) {
  std::string script = GnuplotScript(
      MakePlot({{.label = "a", .failures = {3}}}), PictureFormat::kSvg);
  EXPECT_THAT(script, HasSubstr("title \"failed\""));
}

TEST(GnuplotScript, AFailureContinuesItsCurve) {
  std::string script = GnuplotScript(
      MakePlot({{.label = "a"},
                {.label = "b", .points = {{.x = 4, .y = 7}}, .failures = {3}}}),
      PictureFormat::kSvg);
  EXPECT_THAT(script, HasSubstr("<< EOD\n4 7\n3 7\n\nEOD"));
  EXPECT_THAT(script, HasSubstr("<< EOD\n3 7\nEOD"));
  EXPECT_THAT(script, HasSubstr("pt 2 ps 1.4 lw 2.5 lc rgb \"#c2571a\""));
}

TEST(GnuplotScript, WideSpansHaveALogarithmicAxis) {
  Drawing drawing =
      MakePlot({{.points = {{.x = 1, .y = 0.3}, {.x = 2, .y = 90}}}});
  EXPECT_THAT(GnuplotScript(drawing, PictureFormat::kSvg),
              Not(HasSubstr("logscale")));
  std::get<Plot>(drawing.content).y.may_be_log = true;
  std::string script = GnuplotScript(drawing, PictureFormat::kSvg);
  EXPECT_THAT(script, HasSubstr("set yrange [0.2:100]\nset logscale y\n"));
}

TEST(GnuplotScript, BarsOfOneKindShareAnEntryInTheKey) {
  Drawing bars{
      .content = BarChart{.axis = {.format = Number},
                          .groups = {{.label = "a", .bars = {{"train", 7}}},
                                     {.label = "b", .bars = {{"train", 4}}}}}};
  std::string script = GnuplotScript(bars, PictureFormat::kSvg);
  EXPECT_THAT(script, HasSubstr("1 7\n3 4\n"));
  size_t first = script.find("title \"train\"");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(script.find("title \"train\"", first + 1), std::string::npos);
}

}  // namespace
}  // namespace mete
