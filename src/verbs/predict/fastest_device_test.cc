#include "predict/fastest_device.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

struct Case {
  const char* device;
  double measured;
  double predicted;
};

FastestDevice JudgeCases(const std::vector<Case>& cases) {
  std::vector<LatencyRow> rows;
  HeldOut held;
  for (const Case& one : cases) {
    LatencyRow row;
    row.network.sha256 = "net";
    row.device = one.device;
    held.rows.push_back(rows.size());
    held.truth.push_back(one.measured);
    held.predicted.push_back(one.predicted);
    rows.push_back(row);
  }
  return JudgeFastest(rows, held, {.draws = 10});
}

TEST(FastestDevice, CountsARightChoice) {
  FastestDevice judged = JudgeCases({{"a", 1, 1.5}, {"b", 2, 1.8}});
  EXPECT_EQ(judged.cases, 10u);
  EXPECT_EQ(judged.right, 10u);
}

TEST(FastestDevice, CountsAWrongChoice) {
  FastestDevice judged = JudgeCases({{"a", 1, 1.9}, {"b", 2, 1.8}});
  EXPECT_EQ(judged.cases, 10u);
  EXPECT_EQ(judged.right, 0u);
}

TEST(FastestDevice, SkipsCasesWithinTheMargin) {
  EXPECT_EQ(JudgeCases({{"a", 1, 1}, {"b", 1.05, 2}}).cases, 0u);
}

TEST(FastestDevice, TheMarginIsMoreThanTenPercent) {
  EXPECT_EQ(JudgeCases({{"a", 1, 1}, {"b", 1.1, 2}}).cases, 0u);
  EXPECT_EQ(JudgeCases({{"a", 1, 1}, {"b", 1.11, 2}}).cases, 10u);
}

TEST(FastestDevice, TheShareIsThatOfTheCases) {
  FastestDevice judged{.cases = 8, .right = 6};
  EXPECT_DOUBLE_EQ(judged.share(), 0.75);
}

// The two fastest decide whether it matters.
TEST(FastestDevice, ComparesTheTwoFastestOfMany) {
  EXPECT_EQ(JudgeCases({{"a", 5, 1}, {"b", 1, 2}, {"c", 1.05, 3}}).cases, 0u);
  FastestDevice judged = JudgeCases({{"a", 5, 3}, {"b", 1, 2}, {"c", 4, 4}});
  EXPECT_EQ(judged.cases, 10u);
  EXPECT_EQ(judged.right, 10u);
}

TEST(FastestDevice, SkipsNetworksOfOneDevice) {
  EXPECT_EQ(JudgeCases({{"a", 1, 1}, {"a", 2, 2}}).cases, 0u);
  EXPECT_EQ(JudgeCases({}).share(), 0);
}

TEST(FastestDevice, DrawsTheLoadOfEachDeviceIndependently) {
  // "a" is fastest when idle and slowest when busy; both cases are drawn.
  FastestDevice judged = JudgeCases({{"a", 1, 1}, {"a", 9, 1}, {"b", 3, 3}});
  EXPECT_EQ(judged.cases, 10u);
  EXPECT_GT(judged.right, 0u);
  EXPECT_LT(judged.right, 10u);
}

}  // namespace
}  // namespace mete
