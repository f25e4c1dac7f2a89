#include "optimize/dive.h"

#include <gtest/gtest.h>

#include "optimize/column_generation.h"
#include "optimize/packed_bins.h"
#include "optimize/test_packings.h"
#include "optimize/verify_plan.h"

namespace mete {
namespace {

// Five bins of two types: more than those that a dive packs exactly at its end.
PackingProblem FiveBins(uint64_t seed) {
  PackingProblem problem =
      MakeRandomPacking({.items = 25,
                         .bins_per_type = 2,
                         .resources = 1 + seed % 2,
                         .copies = 3,
                         .costs = seed % 2 == 0 ? 0.0 : 0.3},
                        seed);
  ++problem.types[0].count;
  return problem;
}

GenerationResult LinearProgramOf(const PackingTables& tables,
                                 PatternPool& pool) {
  return GenerateColumns(tables, WholeProblem(tables), pool,
                         {.limits = LimitsFor(Seconds(30))})
      .value();
}

TEST(Dive, MakesGoodPlansThatKeepAllRules) {
  double scores = 0;
  double bounds = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    PackingProblem problem = FiveBins(seed);
    PackingTables tables(problem);
    PatternPool pool(tables);
    GenerationResult generated = LinearProgramOf(tables, pool);
    auto plan = Dive(tables, pool,
                     {.limits = LimitsFor(Seconds(30)),
                      .prices = &generated.optimum->prices,
                      .seed = seed % 3});
    ASSERT_TRUE(plan.ok());
    EXPECT_TRUE(VerifyPlan(problem, PlanOf(tables, *plan)).empty()) << seed;
    double score = ScoreOf(tables, *plan);
    EXPECT_LE(score, generated.bound * (1 + 1e-9)) << seed;
    scores += score;
    bounds += generated.bound;
  }
  // The optima are below the bounds, too: the items are large.
  EXPECT_GE(scores, 0.85 * bounds);
}

TEST(Dive, RemembersThePatternsOfTheWay) {
  PackingProblem problem = FiveBins(1);
  PackingTables tables(problem);
  PatternPool pool(tables);
  GenerationResult generated = LinearProgramOf(tables, pool);
  size_t before = pool.size();
  ASSERT_TRUE(Dive(tables, pool,
                   {.limits = LimitsFor(Seconds(30)),
                    .prices = &generated.optimum->prices})
                  .ok());
  EXPECT_GT(pool.size(), before);
}

TEST(Dive, KeepsWhatItHasWhenTheTimeIsOver) {
  PackingProblem problem = FiveBins(1);
  PackingTables tables(problem);
  PatternPool pool(tables);
  GenerationResult generated = LinearProgramOf(tables, pool);
  auto plan = Dive(
      tables, pool,
      {.limits = LimitsFor(Seconds(0)), .prices = &generated.optimum->prices});
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(plan->empty());
}

TEST(Dive, LeavesOraclesThatKnowTheNumbersOfItems) {
  PackingProblem problem = FiveBins(1);
  EXPECT_TRUE(CanDive(PackingTables(problem)));
  struct AllowAll : ContentOracle {
    bool Allows(size_t, std::span<const Copies>) const override { return true; }
    bool monotone() const override { return true; }
  } oracle;
  problem.oracle = &oracle;
  EXPECT_FALSE(CanDive(PackingTables(problem)));
}

}  // namespace
}  // namespace mete
