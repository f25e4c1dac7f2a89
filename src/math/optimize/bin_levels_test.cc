#include "optimize/bin_levels.h"

#include <gtest/gtest.h>

#include "optimize/test_packings.h"

namespace mete {
namespace {

// Items that tolerate 1, 2, ... of the one pressure. The last one has no limit.
PackingProblem Ladder(size_t items) {
  PackingProblem problem{.resources = 1, .pressures = 1};
  problem.types.push_back({.count = 1, .capacity = {8}});
  for (size_t i = 1; i <= items; ++i) {
    ItemOnType on{.use = {2}, .pressure = {0.5}, .rows = {}};
    if (i < items) {
      on.rows.push_back({.weights = {1}, .bound = static_cast<double>(i)});
    }
    problem.items.push_back({.value = 1, .on = {on}});
  }
  return problem;
}

TEST(BinLevels, HaveTheItemsThatTolerateTheirLowerLimit) {
  PackingProblem problem = Ladder(6);
  PackingTables tables(problem);
  BinLevels levels(tables, 0, 10);
  ASSERT_EQ(levels.size(), 6u);
  EXPECT_EQ(levels.members()[0], 5u);
  EXPECT_EQ(levels.members()[5], 0u);
  for (size_t j = 0; j < 6; ++j) EXPECT_EQ(levels[j].members, 6 - j);
}

TEST(BinLevels, CoverAllLimitsIfThereAreFewer) {
  PackingProblem problem = Ladder(60);
  PackingTables tables(problem);
  BinLevels levels(tables, 0, 7);
  ASSERT_EQ(levels.size(), 7u);
  EXPECT_EQ(levels[0].members, 60u);
  for (size_t j = 1; j < 7; ++j) {
    EXPECT_GT(levels[j].low, levels[j - 1].high);
    EXPECT_LT(levels[j].members, levels[j - 1].members);
  }
}

TEST(BinLevels, ShareABinByPartsOfResourcesAndPressure) {
  PackingProblem problem = Ladder(2);
  PackingTables tables(problem);
  BinLevels levels(tables, 0, 1);
  ASSERT_EQ(levels.size(), 1u);
  levels.SetParts(0, std::vector<double>{3, -1});
  // A quarter of the memory is all that counts.
  EXPECT_NEAR(levels.ShareOf(levels[0], 0), 0.25, 1e-6);
}

TEST(BinLevels, ChargeThePressureAsAShareOfTheUpperLimit) {
  PackingProblem problem = Ladder(4);
  problem.items.pop_back();
  PackingTables tables(problem);
  BinLevels levels(tables, 0, 10);
  ASSERT_EQ(levels.size(), 3u);
  levels.SetParts(0, std::vector<double>{0, 2});
  levels.SetParts(2, std::vector<double>{0, 2});
  // The tightest level ends at 1, the loosest at 3; a unit adds 0.5.
  EXPECT_NEAR(levels.ShareOf(levels[0], 0), 0.5, 1e-6);
  EXPECT_NEAR(levels.ShareOf(levels[2], 0), 0.5 / 3, 1e-6);
}

TEST(BinLevels, LeaveOutItemsThatFitNowhere) {
  PackingProblem problem = Ladder(3);
  problem.items[1].on[0].reset();
  PackingTables tables(problem);
  EXPECT_EQ(BinLevels(tables, 0, 10).members().size(), 2u);
}

}  // namespace
}  // namespace mete
