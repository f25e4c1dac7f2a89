#include "report/sweep_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

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

TEST(SweepPage, SetsFloorsSideBySide) {
  std::string one = SweepPage({Memory("a")}, "1.0");
  EXPECT_THAT(one, HasSubstr("a needs 80"));
  EXPECT_THAT(one, Not(HasSubstr("Least memory that works")));
  EXPECT_THAT(SweepPage({Memory("a"), Memory("b")}, "1.0"),
              HasSubstr("Least memory that works"));
}

TEST(SweepPage, ShowsTheFrontOfAGrid) {
  Sweep grid = Memory("a");
  EXPECT_THAT(SweepPage({grid}, "1.0"), Not(HasSubstr("Pareto front")));
  grid.plan.cpus = LimitRange{1000, 500, 500};
  for (SweepPoint& point : grid.points) point.limits.millicores = 1000;
  EXPECT_THAT(SweepPage({grid}, "1.0"), HasSubstr("Pareto front"));
}

TEST(SweepPage, AsksNothingOfAnyOtherPlace) {
  std::string page = SweepPage({Memory("<b>bold</b>")}, "1.0");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<b>bold</b>")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

}  // namespace
}  // namespace mete
