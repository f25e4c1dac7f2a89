#include "optimize/prove_directly.h"

#include <gtest/gtest.h>

#include <chrono>

#include "optimize/branch_and_price.h"
#include "optimize/greedy_packing.h"
#include "optimize/packed_bins.h"
#include "optimize/test_packings.h"
#include "optimize/verify_plan.h"
#include "support/clock.h"

namespace mete {
namespace {

// Up to three bins of a type, so that items chosen for all of them together do
// not always fit into single ones.
RandomPacking ShapeToProve(uint64_t seed) {
  RandomPacking shape{.items = 3 + seed % 5,
                      .types = 1 + seed % 2,
                      .bins_per_type = 1 + seed % 3,
                      .resources = (seed / 3) % 3,
                      .pressures = 1 + (seed / 5) % 3};
  if (shape.items > 6) shape.copies = 1;
  if (seed % 4 == 1) shape.costs = 1;
  shape.residents = seed % 7 == 0;
  return shape;
}

SearchLimits AMinute(const Clock& clock) {
  return {.clock = &clock, .deadline = clock.Now() + std::chrono::minutes(1)};
}

void ExpectOptimal(const PackingTables& tables, const Patterns& patterns,
                   double bound, double best, uint64_t seed) {
  EXPECT_TRUE(VerifyPlan(tables.problem(), PlanOf(tables, patterns)).empty())
      << seed;
  EXPECT_NEAR(ScoreOf(tables, patterns), best, 1e-6) << seed;
  EXPECT_GE(bound, best - 1e-6) << seed;
  EXPECT_NEAR(bound, best, 1e-5) << seed;
}

TEST(ProveDirectly, FindsTheBestPlanAndProvesIt) {
  SystemClock clock;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    PackingProblem problem = MakeRandomPacking(ShapeToProve(seed), seed);
    PackingTables tables(problem);
    ASSERT_TRUE(ProvableDirectly(tables));
    DirectProof proof = ProveDirectly(tables, {.start = PackGreedily(tables),
                                               .bounds = {},
                                               .limits = AMinute(clock)})
                            .value();
    ExpectOptimal(tables, proof.best, proof.bound,
                  BestScoreByEnumeration(problem), seed);
  }
}

// Rows from prices must not exclude plans, however far the prices are from the
// best ones.
TEST(ProveDirectly, StaysExactWithThePricesOfAnyRound) {
  SystemClock clock;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    PackingProblem problem = MakeRandomPacking(ShapeToProve(seed), seed);
    PackingTables tables(problem);
    PatternPool pool(tables);
    std::vector<PricedBound> visited;
    GenerationRequest generation{.limits = AMinute(clock),
                                 .most_rounds = 1 + seed % 4,
                                 .visited = &visited};
    ASSERT_TRUE(
        GenerateColumns(tables, WholeProblem(tables), pool, generation).ok());
    DirectProof proof =
        ProveDirectly(
            tables, {.start = {}, .bounds = visited, .limits = AMinute(clock)})
            .value();
    ExpectOptimal(tables, proof.best, proof.bound,
                  BestScoreByEnumeration(problem), seed);
  }
}

TEST(ProveDirectly, PromisesNothingWithoutTime) {
  PackingProblem problem = MakeRandomPacking({.items = 6}, 1);
  PackingTables tables(problem);
  SystemClock clock;
  Patterns start = PackGreedily(tables);
  DirectProof proof =
      ProveDirectly(tables,
                    {.start = start, .bounds = {}, .limits = {.clock = &clock}})
          .value();
  EXPECT_EQ(proof.best, start);
  EXPECT_EQ(proof.bound, kInfiniteBound);
}

class Anything final : public ContentOracle {
 public:
  bool Allows(size_t, std::span<const Copies>) const override { return true; }
  bool monotone() const override { return true; }
};

TEST(ProveDirectly, LeavesOraclesAndLargeProblemsToOthers) {
  PackingProblem large = MakeRandomPacking({.items = 500}, 1);
  EXPECT_FALSE(ProvableDirectly(PackingTables(large)));
  PackingProblem asks = MakeRandomPacking({.items = 4}, 1);
  EXPECT_TRUE(ProvableDirectly(PackingTables(asks)));
  Anything anything;
  asks.oracle = &anything;
  EXPECT_FALSE(ProvableDirectly(PackingTables(asks)));
}

TEST(BranchAndPrice, ProvesTheBestPlanWithoutTheDirectProof) {
  SystemClock clock;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    PackingProblem problem = MakeRandomPacking(ShapeToProve(seed), seed);
    PackingTables tables(problem);
    PatternPool pool(tables);
    ExactResult result = BranchAndPrice(tables, pool,
                                        {.limits = AMinute(clock),
                                         .start = PackGreedily(tables),
                                         .direct = false,
                                         .dives = 0})
                             .value();
    ExpectOptimal(tables, result.best, result.bound,
                  BestScoreByEnumeration(problem), seed);
  }
}

}  // namespace
}  // namespace mete
