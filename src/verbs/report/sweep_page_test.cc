#include "report/sweep_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_sweeps.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

Sweep MemorySweep(const std::string& name) {
  return {.workload = name,
          .plan = {.memory = LimitRange{100 * kMebi, 60 * kMebi, 20 * kMebi}},
          .points = {MemoryPoint(100, 1), MemoryPoint(100, 3),
                     MemoryPoint(80, 2), MemoryPoint(60, 1, false)},
          .finished = true};
}

TEST(SweepPage, ComparesMinimumMemorySideBySide) {
  std::string one = SweepPage({MemorySweep("a")}, "1.0");
  EXPECT_THAT(one, HasSubstr("a needs 80"));
  EXPECT_THAT(one, Not(HasSubstr("Minimum memory that works")));
  EXPECT_THAT(SweepPage({MemorySweep("a"), MemorySweep("b")}, "1.0"),
              HasSubstr("Minimum memory that works"));
}

TEST(SweepPage, BarsOfOneKindHaveOneColour) {
  std::string page = SweepPage(
      {MemorySweep("CNN_1d infer CWRU"), MemorySweep("CNN_1d train CWRU"),
       MemorySweep("LeNet1d train CWRU")},
      "1.0");
  EXPECT_THAT(page, HasSubstr("<th colspan=\"2\">CNN_1d</th>"));
  EXPECT_THAT(page, HasSubstr("background:var(--curve-0)"));
  EXPECT_THAT(page, HasSubstr("background:var(--curve-1)"));
  EXPECT_THAT(page, Not(HasSubstr("background:var(--curve-2)")));
  EXPECT_THAT(page, HasSubstr("</span> 80\xC2\xA0MiB</td>"));
}

TEST(SweepPage, MarksABarWhenLessMightWork) {
  Sweep sweep = MemorySweep("a");
  sweep.points.pop_back();  // nothing failed
  EXPECT_THAT(SweepPage({sweep, MemorySweep("b")}, "1.0"),
              HasSubstr("</span> \u2264 80\xC2\xA0MiB</td>"));
}

TEST(SweepPage, PassesItsPlotsToTheScript) {
  std::string page = SweepPage({MemorySweep("a")}, "1.0");
  EXPECT_THAT(page, HasSubstr("id=\"charts-0\""));
  EXPECT_THAT(page, HasSubstr("\"label\":\"Total time by memory limit\""));
  EXPECT_THAT(page, HasSubstr("\"values\":[null,2.0,2.0]"));
  EXPECT_THAT(page, HasSubstr("new uPlot"));
}

TEST(SweepPage, ShowsTheParetoFrontOfAGrid) {
  Sweep grid = MemorySweep("a");
  EXPECT_THAT(SweepPage({grid}, "1.0"), Not(HasSubstr("Pareto front")));
  grid.plan.cpus = LimitRange{1000, 500, 500};
  for (SweepPoint& point : grid.points) point.limits.millicores = 1000;
  EXPECT_THAT(SweepPage({grid}, "1.0"), HasSubstr("Pareto front"));
}

TEST(SweepPage, MakesNoRequests) {
  std::string page = SweepPage({MemorySweep("<b>bold</b>")}, "1.0");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<b>bold</b>")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

}  // namespace
}  // namespace mete
