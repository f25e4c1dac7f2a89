#include "report/sweep_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr uint64_t kMi = 1 << 20;

SweepPoint Point(uint64_t mebibytes, double seconds, bool worked = true) {
  return {.limits = {.memory = mebibytes * kMi},
          .worked = worked,
          .seconds = seconds};
}

Sweep Memory(const std::string& name) {
  return {.workload = name,
          .plan = {.memory = LimitRange{100 * kMi, 60 * kMi, 20 * kMi}},
          .points = {Point(100, 1), Point(100, 3), Point(80, 2),
                     Point(60, 1, false)},
          .finished = true};
}

TEST(SweepPage, RepeatsAreOnePointWithTheirSpread) {
  Plot plot = TimePlot({Memory("a")}, SweptLimit::kMemory, false);
  ASSERT_THAT(plot.series, SizeIs(1));
  ASSERT_THAT(plot.series[0].points, SizeIs(2));
  const PlotPoint& top = plot.series[0].points[1];
  EXPECT_DOUBLE_EQ(top.y, 2);
  EXPECT_DOUBLE_EQ(top.low.value(), 1);
  EXPECT_DOUBLE_EQ(top.high.value(), 3);
  EXPECT_THAT(plot.series[0].failures, testing::ElementsAre(60.0 * kMi));
}

TEST(SweepPage, AGridIsACurveForEachValueOfTheOtherLimit) {
  Sweep grid = Memory("a");
  grid.plan.cpus = LimitRange{1000, 500, 500};
  for (size_t i = 0; i < grid.points.size(); ++i) {
    grid.points[i].limits.millicores = i < 2 ? 1000 : 500;
  }
  Plot plot = TimePlot({grid}, SweptLimit::kMemory, false);
  ASSERT_THAT(plot.series, SizeIs(2));
  EXPECT_EQ(plot.series[0].label, "a, 1 CPU");
  EXPECT_EQ(plot.series[1].label, "a, 0.5 CPU");
  EXPECT_TRUE(plot.series[0].failures.empty());
}

TEST(SweepPage, ASweepOfAnotherLimitIsLeftOut) {
  EXPECT_TRUE(TimePlot({Memory("a")}, SweptLimit::kCpus, false).series.empty());
}

TEST(SweepPage, SetsFloorsSideBySide) {
  std::string one = SweepPage({Memory("a")}, "1.0");
  EXPECT_THAT(one, HasSubstr("a needs 80"));
  EXPECT_THAT(one, Not(HasSubstr("Least memory that works")));
  EXPECT_THAT(SweepPage({Memory("a"), Memory("b")}, "1.0"),
              HasSubstr("Least memory that works"));
}

TEST(SweepPage, AsksNothingOfAnyOtherPlace) {
  std::string page = SweepPage({Memory("<b>bold</b>")}, "1.0");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<b>bold</b>")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

}  // namespace
}  // namespace mete
