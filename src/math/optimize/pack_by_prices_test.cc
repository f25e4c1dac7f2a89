#include "optimize/pack_by_prices.h"

#include <gtest/gtest.h>

#include "optimize/fluid_prices.h"
#include "optimize/greedy_packing.h"
#include "optimize/packed_bins.h"
#include "optimize/test_packings.h"
#include "optimize/verify_plan.h"

namespace mete {
namespace {

PackingProblem ManyItems(uint64_t seed) {
  return MakeRandomPacking({.items = 60,
                            .bins_per_type = 3,
                            .resources = 1,
                            .copies = 4,
                            .groups = seed % 2 == 0 ? 0.2 : 0},
                           seed);
}

Patterns Pack(const PackingTables& tables, size_t threads = 1) {
  auto costs = FindFluidPrices(tables, BinsOfClasses(tables)).costs;
  return PackByPrices(
      tables,
      {.costs = costs, .threads = threads, .limits = LimitsFor(Seconds(60))});
}

TEST(PackByPrices, KeepsAllRules) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    PackingProblem problem = ManyItems(seed);
    PackingTables tables(problem);
    Patterns packed = Pack(tables);
    EXPECT_GT(ScoreOf(tables, packed), 0) << seed;
    EXPECT_TRUE(VerifyPlan(problem, PlanOf(tables, packed)).empty()) << seed;
  }
}

TEST(PackByPrices, IsBetterThanGreedyOnAverage) {
  double greedy = 0;
  double priced = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    PackingProblem problem = ManyItems(seed);
    PackingTables tables(problem);
    greedy += ScoreOf(tables, PackGreedily(tables));
    priced += ScoreOf(tables, Pack(tables));
  }
  EXPECT_GT(priced, 1.01 * greedy);
}

TEST(PackByPrices, DoesNotDependOnTheNumberOfThreads) {
  PackingProblem problem = ManyItems(7);
  PackingTables tables(problem);
  EXPECT_EQ(Pack(tables, 1), Pack(tables, 3));
}

TEST(PackByPrices, LeavesNoBinEmptyThatCouldHoldSomething) {
  // Two items for two bins of one type, each of which fills one.
  PackingProblem problem{.resources = 1, .pressures = 0};
  problem.types.push_back({.count = 2, .capacity = {1}});
  for (double value : {2, 1}) {
    problem.items.push_back({.value = value, .on = {ItemOnType{.use = {1}}}});
  }
  PackingTables tables(problem);
  EXPECT_EQ(ScoreOf(tables, Pack(tables)), 3);
}

}  // namespace
}  // namespace mete
