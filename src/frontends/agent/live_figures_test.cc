#include "agent/live_figures.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

AppEvent At(milliseconds at, double value,
            AppMetricKind kind = AppMetricKind::kTimer) {
  return {.name = "step", .kind = kind, .value = value, .at = at};
}

TEST(LiveFiguresTest, ARateIsOverWholeSecondsSinceTheFirst) {
  LiveFigures figures(AppMetricKind::kRate);
  for (int i = 0; i < 150; ++i) {
    figures.Take(
        At(milliseconds(500 + i * 1000 / 30), 1, AppMetricKind::kRate));
  }
  // Up to 5.5 s: the seconds 1 to 4 are whole.
  EXPECT_NEAR(*figures.Rate(milliseconds(5500), seconds(10)), 30, 0.5);
  EXPECT_NEAR(*figures.Rate(milliseconds(5500), seconds(2)), 30, 0.5);
  EXPECT_EQ(figures.events(), 150);
}

TEST(LiveFiguresTest, AnApplicationThatStopsHasARateThatFallsToZero) {
  LiveFigures figures(AppMetricKind::kRate);
  for (int i = 0; i < 20; ++i) {
    figures.Take(At(milliseconds(i * 100), 1, AppMetricKind::kRate));
  }
  EXPECT_EQ(*figures.Rate(seconds(3), seconds(2)), 5);
  EXPECT_EQ(*figures.Rate(seconds(30), seconds(10)), 0);
}

TEST(LiveFiguresTest, HasNoRateBeforeAWholeSecond) {
  LiveFigures figures(AppMetricKind::kRate);
  EXPECT_FALSE(figures.Rate(seconds(1), seconds(10)));
  figures.Take(At(milliseconds(1100), 1, AppMetricKind::kRate));
  EXPECT_FALSE(figures.Rate(milliseconds(1900), seconds(10)));
}

TEST(LiveFiguresTest, ForgetsValuesBeyondTheWindowAndKeepsTheirTotals) {
  LiveFigures figures(AppMetricKind::kTimer);
  figures.Take(At(seconds(1), 0.2));
  figures.Take(At(seconds(9), 0.4));
  figures.Take(At(seconds(10), 0.3));
  EXPECT_EQ(figures.Recent(seconds(12), seconds(5)),
            (std::vector<double>{0.3, 0.4}));
  EXPECT_NEAR(figures.sum(), 0.9, 1e-12);
  EXPECT_EQ(figures.events(), 3);
}

TEST(LiveFiguresTest, SortsDurationsByTheirBounds) {
  LiveFigures figures(AppMetricKind::kTimer);
  figures.Take(At(seconds(1), 0.0005));  // a bound holds what equals it
  figures.Take(At(seconds(1), 0.00051));
  figures.Take(At(seconds(1), 11));
  EXPECT_EQ(figures.buckets()[0], 1u);
  EXPECT_EQ(figures.buckets()[1], 1u);
  EXPECT_EQ(figures.buckets().back(), 1u);
}

TEST(LiveFiguresTest, KeepsABoundedNumberOfValues) {
  LiveFigures figures(AppMetricKind::kTimer);
  for (int i = 0; i < 5000; ++i) figures.Take(At(seconds(1), i));
  auto recent = figures.Recent(seconds(1), seconds(10));
  ASSERT_EQ(recent.size(), LiveFigures::kMostRecent);
  EXPECT_EQ(recent.back(), 4999);
}

}  // namespace
}  // namespace mete
