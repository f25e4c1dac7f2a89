#include "optimize/fluid_prices.h"

#include <gtest/gtest.h>

#include "optimize/test_packings.h"

namespace mete {
namespace {

// Items of one copy for one type of bins with memory 10 and one pressure, of
// which every item tolerates `limit`.
PackingProblem OneType(size_t bins) {
  PackingProblem problem{.resources = 1, .pressures = 1};
  problem.types.push_back({.count = bins, .capacity = {10}});
  return problem;
}

void AddItem(PackingProblem& problem, double value, double memory,
             double pressure, double limit = 1) {
  ItemOnType on{.use = {memory},
                .pressure = {pressure},
                .rows = {{.weights = {1}, .bound = limit}}};
  problem.items.push_back({.value = value, .on = {on}});
}

double BoundAt(const PackingTables& tables, const FluidPrices& fluid) {
  double bound = 0;
  for (size_t c = 0; c < tables.classes().size(); ++c) {
    bound += fluid.prices.classes[c] *
             static_cast<double>(tables.classes()[c].count());
  }
  for (size_t i = 0; i < tables.size(); ++i) {
    bound += std::max(
        0.0, tables.item(i).score - tables.item(i).units * fluid.costs[i]);
  }
  return bound;
}

FluidPrices PricesOf(const PackingTables& tables) {
  return FindFluidPrices(tables, BinsOfClasses(tables));
}

TEST(FluidPrices, ProveTheLinearProgramOfAKnapsack) {
  PackingProblem problem = OneType(1);
  for (double value : {10, 8, 3}) AddItem(problem, value, 4, 0);
  PackingTables tables(problem);
  // Two items and half of the third fit.
  EXPECT_NEAR(BoundAt(tables, PricesOf(tables)), 19.5, 0.02);
}

TEST(FluidPrices, ChargeForMemoryAndPressureWhenBothAreScarce) {
  PackingProblem problem = OneType(1);
  for (int k = 0; k < 2; ++k) {
    AddItem(problem, 6, 10, 0);  // fills the memory
    AddItem(problem, 4, 0, 1);   // fills the pressure
  }
  PackingTables tables(problem);
  FluidPrices fluid = PricesOf(tables);
  EXPECT_NEAR(fluid.prices.classes[0], 10, 0.1);
  EXPECT_NEAR(fluid.costs[0], 6, 0.1);
  EXPECT_NEAR(fluid.costs[1], 4, 0.1);
}

TEST(FluidPrices, ChargeItemsMoreThatTolerateLess) {
  PackingProblem problem = OneType(4);
  for (int k = 0; k < 30; ++k) {
    AddItem(problem, 2 + 0.1 * k, 0.1, 0.2, 1);
    AddItem(problem, 2 + 0.1 * k, 0.1, 0.2, 2);
  }
  PackingTables tables(problem);
  FluidPrices fluid = PricesOf(tables);
  // A bin with a tight item holds half as much.
  EXPECT_NEAR(fluid.costs[0] / fluid.costs[1], 2, 0.3);
}

TEST(FluidPrices, AreAtMostTheScoreOfAnItem) {
  PackingProblem problem = OneType(1);
  AddItem(problem, 100, 10, 0);
  AddItem(problem, 90, 10, 0);
  AddItem(problem, 1, 10, 0);
  PackingTables tables(problem);
  FluidPrices fluid = PricesOf(tables);
  EXPECT_GT(fluid.costs[2], 80);
  EXPECT_DOUBLE_EQ(fluid.prices.items[2], 1);
}

TEST(FluidPrices, FallIfThereAreMoreBins) {
  PackingProblem problem = OneType(3);
  for (int k = 0; k < 40; ++k) AddItem(problem, 1 + 0.1 * k, 2, 0.1);
  PackingTables tables(problem);
  double before = FindFluidPrices(tables, {3}).prices.classes[0];
  double after = FindFluidPrices(tables, {4.5}).prices.classes[0];
  EXPECT_LT(after, 0.95 * before);
}

TEST(FluidPrices, CostNothingForAnItemThatFitsNowhere) {
  PackingProblem problem = OneType(1);
  AddItem(problem, 5, 1, 0.1);
  AddItem(problem, 5, 11, 0.1);
  PackingTables tables(problem);
  FluidPrices fluid = PricesOf(tables);
  EXPECT_EQ(fluid.costs[1], 0);
  EXPECT_DOUBLE_EQ(fluid.prices.items[1], 5);
}

TEST(FluidPrices, AreAbsentForTooManyClasses) {
  PackingProblem problem = MakeRandomPacking({.items = 4, .types = 9}, 1);
  PackingTables tables(problem);
  EXPECT_TRUE(PricesOf(tables).prices.items.empty());
}

}  // namespace
}  // namespace mete
