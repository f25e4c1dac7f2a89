#include "predict/baselines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "predict/test_rows.h"

namespace mete {
namespace {

// One network; what a test does not say is the same in every row.
LatencyRow PairRow(const std::string& device, std::optional<double> load,
                   double seconds) {
  LatencyRow row =
      TestRows({.networks = 1, .speeds = {1}, .loads = {0}}).front();
  row.device = device;
  row.load = load;
  row.seconds = seconds;
  return row;
}

// A rule that has learnt all rows.
RowAnswer LearntRule(const std::string& name,
                     const std::vector<LatencyRow>& rows) {
  std::vector<size_t> all(rows.size());
  std::iota(all.begin(), all.end(), size_t{0});
  const std::vector<Baseline> baselines = LatencyBaselines();
  auto found = std::ranges::find(baselines, name, &Baseline::name);
  EXPECT_NE(found, baselines.end()) << name;
  auto answer = found->fit({.rows = rows}, all);
  EXPECT_TRUE(answer.ok()) << answer.error().message();
  return *answer;
}

// By the roofline, without any factor.
double PlainSeconds(const LatencyRow& row) {
  const DeviceConditions conditions = *ConditionsFor(row);
  return Roofline().Seconds(ComputeTerms(row.network, conditions.speed),
                            Slowdown(conditions));
}

TEST(MeanOfTheDevice, IsThatOfAllRowsForAnUnknownDevice) {
  RowAnswer answer = LearntRule(
      "mean of the device",
      {PairRow("a", 0, 1), PairRow("a", 0.5, 3), PairRow("b", 0, 8)});
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 0.9, 0)), 2);
  EXPECT_DOUBLE_EQ(*answer(PairRow("b", 0, 0)), 8);
  EXPECT_DOUBLE_EQ(*answer(PairRow("c", 0, 0)), 4);
}

TEST(LinearInLoad, IsTheLineThroughTheRowsOfAPair) {
  RowAnswer answer = LearntRule(
      "linear in load",
      {PairRow("a", 0, 1), PairRow("a", 0.5, 2), PairRow("a", 1, 3)});
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 0.25, 0)), 1.5);
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", std::nullopt, 0)), 1);
  EXPECT_FALSE(answer(PairRow("b", 0, 0)));
  LatencyRow other = PairRow("a", 0, 0);
  other.network.sha256 = "other";
  EXPECT_FALSE(answer(other));
}

TEST(LinearInLoad, MinimizesTheSquaresOfTheErrors) {
  RowAnswer answer = LearntRule(
      "linear in load",
      {PairRow("a", 0, 1), PairRow("a", 0.5, 1), PairRow("a", 1, 4)});
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 0, 0)), 0.5);
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 1, 0)), 3.5);
}

TEST(LinearInLoad, IsTheMeanIfAllLoadsAreEqual) {
  RowAnswer answer = LearntRule("linear in load",
                                {PairRow("a", 0.5, 1), PairRow("a", 0.5, 3)});
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 0, 0)), 2);
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 1, 0)), 2);
}

TEST(LinearInLoad, IsNeverNegative) {
  RowAnswer answer = LearntRule("linear in load",
                                {PairRow("a", 0, 1), PairRow("a", 0.5, 0.5)});
  EXPECT_DOUBLE_EQ(*answer(PairRow("a", 2, 0)), 1e-9);
}

TEST(PeppersColumns, KnowOnlyWholePercentOfLoad) {
  std::vector<LatencyRow> rows;
  for (int percent = 0; percent < 40; ++percent) {
    rows.push_back(PairRow("a", percent / 100.0, percent < 20 ? 1 : 3));
  }
  RowAnswer answer = LearntRule("PEPPER's columns", rows);
  EXPECT_NEAR(*answer(PairRow("a", 0.105, 0)), 1, 0.05);
  EXPECT_NEAR(*answer(PairRow("a", 0.305, 0)), 3, 0.05);
  EXPECT_EQ(*answer(PairRow("a", 0.191, 0)), *answer(PairRow("a", 0.199, 0)));
  EXPECT_NE(*answer(PairRow("a", 0.199, 0)), *answer(PairRow("a", 0.201, 0)));
}

TEST(PeppersColumns, TakeAnUnknownDeviceForTheFirst) {
  std::vector<LatencyRow> rows;
  for (int i = 0; i < 20; ++i) {
    rows.push_back(PairRow("first", 0, 1));
    rows.push_back(PairRow("second", 0, 3));
  }
  RowAnswer answer = LearntRule("PEPPER's columns", rows);
  EXPECT_NEAR(*answer(PairRow("second", 0, 0)), 3, 0.05);
  EXPECT_NEAR(*answer(PairRow("first", 0, 0)), 1, 0.05);
  EXPECT_EQ(*answer(PairRow("third", 0, 0)), *answer(PairRow("first", 0, 0)));
}

TEST(RooflineAlone, HasOneFactorForAllRows) {
  std::vector<LatencyRow> rows = TestRows({.networks = 3});
  for (size_t i = 0; i < rows.size(); ++i) {
    // Twice and eight times the roofline: four times, as the mean of logs.
    rows[i].seconds = PlainSeconds(rows[i]) * (i % 2 == 0 ? 2 : 8);
  }
  rows.resize(18);
  RowAnswer answer = LearntRule(kRooflineBaseline, rows);
  EXPECT_NEAR(*answer(rows[0]) / PlainSeconds(rows[0]), 4, 1e-9);
  EXPECT_NEAR(*answer(rows[17]) / PlainSeconds(rows[17]), 4, 1e-9);
  LatencyRow unknown = rows[0];
  unknown.one_thread.reset();
  EXPECT_FALSE(answer(unknown));
}

TEST(RooflineFactor, LeavesOutRowsOfUnknownDevices) {
  std::vector<LatencyRow> rows = TestRows({.networks = 1, .speeds = {1}});
  for (LatencyRow& row : rows) row.seconds = 3 * PlainSeconds(row);
  rows[1].seconds = 1e6;
  rows[1].one_thread.reset();
  const std::vector<size_t> all = {0, 1, 2};
  EXPECT_NEAR(RooflineFactor({.rows = rows}, all), 3, 1e-9);
  EXPECT_EQ(RooflineFactor({.rows = rows}, {}), 1);
  const std::vector<size_t> unknown = {1};
  EXPECT_EQ(RooflineFactor({.rows = rows}, unknown), 1);
}

}  // namespace
}  // namespace mete
