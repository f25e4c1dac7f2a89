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

TEST(SweepPage, SetsFloorsSideBySide) {
  std::string one = SweepPage({MemorySweep("a")}, "1.0");
  EXPECT_THAT(one, HasSubstr("a needs 80"));
  EXPECT_THAT(one, Not(HasSubstr("Least memory that works")));
  EXPECT_THAT(SweepPage({MemorySweep("a"), MemorySweep("b")}, "1.0"),
              HasSubstr("Least memory that works"));
}

TEST(SweepPage, ShowsTheFrontOfAGrid) {
  Sweep grid = MemorySweep("a");
  EXPECT_THAT(SweepPage({grid}, "1.0"), Not(HasSubstr("Pareto front")));
  grid.plan.cpus = LimitRange{1000, 500, 500};
  for (SweepPoint& point : grid.points) point.limits.millicores = 1000;
  EXPECT_THAT(SweepPage({grid}, "1.0"), HasSubstr("Pareto front"));
}

TEST(SweepPage, AsksNothingOfAnyOtherPlace) {
  std::string page = SweepPage({MemorySweep("<b>bold</b>")}, "1.0");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<b>bold</b>")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

}  // namespace
}  // namespace mete
