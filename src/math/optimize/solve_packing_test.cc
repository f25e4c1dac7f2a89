#include "optimize/solve_packing.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "optimize/test_packings.h"
#include "optimize/verify_plan.h"

namespace mete {
namespace {

PackingOutcome SolveWith(const PackingProblem& problem,
                         const PackingRequest& request) {
  SystemClock clock;
  return SolvePacking(problem, request, clock, {}).value();
}

PackingOutcome Solve(const PackingProblem& problem, PackingMethod method) {
  return SolveWith(problem, {.method = method, .effort = 0.02});
}

RandomPacking SmallShape(uint64_t seed) {
  RandomPacking shape{.items = 2 + seed % 7,
                      .types = 1 + seed % 2,
                      .bins_per_type = 1 + (seed / 2) % 2,
                      .resources = (seed / 3) % 3,
                      .pressures = 1 + (seed / 5) % 3};
  if (shape.items > 6) shape.copies = 1;
  if (seed % 4 == 1) shape.costs = 1;
  shape.residents = seed % 7 == 0;
  return shape;
}

RandomPacking MediumShape(uint64_t seed) {
  return {.items = 30,
          .bins_per_type = 2 + seed % 3,
          .resources = 1 + seed % 2,
          .pressures = 1 + seed % 3,
          .copies = 3,
          .costs = seed % 2 == 0 ? 0.0 : 0.5,
          .residents = seed % 3 == 0};
}

void ExpectValid(const PackingProblem& problem, const PackingOutcome& outcome,
                 uint64_t seed) {
  EXPECT_TRUE(VerifyPlan(problem, outcome.plan).empty()) << seed;
  EXPECT_GE(outcome.bound, outcome.worth.score) << seed;
  EXPECT_NEAR(WorthOf(problem, outcome.plan).score, outcome.worth.score, 1e-9);
}

TEST(SolvePacking, FindsTheBestPlanAndProvesIt) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    PackingProblem problem = MakeRandomPacking(SmallShape(seed), seed);
    double best = BestScoreByEnumeration(problem);
    PackingOutcome outcome = Solve(problem, PackingMethod::kExact);
    ExpectValid(problem, outcome, seed);
    EXPECT_NEAR(outcome.worth.score, best, 1e-6) << seed;
    EXPECT_GE(outcome.bound, best - 1e-6) << seed;
    EXPECT_TRUE(outcome.optimal) << seed;
    EXPECT_FALSE(outcome.cut_short) << seed;
  }
}

TEST(SolvePacking, BoundsTheBestPlanWithEveryMethod) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    PackingProblem problem = MakeRandomPacking(SmallShape(seed), seed);
    double best = BestScoreByEnumeration(problem);
    for (PackingMethod method : {PackingMethod::kGreedy, PackingMethod::kFast,
                                 PackingMethod::kSequential}) {
      PackingOutcome outcome = Solve(problem, method);
      ExpectValid(problem, outcome, seed);
      EXPECT_LE(outcome.worth.score, best + 1e-6) << seed;
      EXPECT_GE(outcome.bound, best - 1e-6) << seed;
    }
  }
}

TEST(SolvePacking, IsNeverWorseThanTheSimpleMethods) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    PackingProblem problem = MakeRandomPacking(MediumShape(seed), seed);
    // A wide gap, because only the plans are of interest.
    auto solve = [&](PackingMethod method) {
      return SolveWith(problem, {.method = method, .gap = 0.5, .effort = 0.02});
    };
    double fast = solve(PackingMethod::kFast).worth.score;
    PackingOutcome greedy = solve(PackingMethod::kGreedy);
    ExpectValid(problem, greedy, seed);
    EXPECT_GE(fast, greedy.worth.score - 1e-9) << seed;
    for (BinOrder order : {BinOrder::kLowRankFirst, BinOrder::kHighRankFirst}) {
      PackingOutcome sequential = SolveWith(
          problem, {.method = PackingMethod::kSequential, .order = order});
      ExpectValid(problem, sequential, seed);
      EXPECT_GE(fast, sequential.worth.score - 1e-9) << seed;
    }
  }
}

TEST(SolvePacking, GivesTheSamePlanWithAnyNumberOfThreads) {
  RandomPacking shape{.items = 80, .bins_per_type = 12, .copies = 2};
  PackingProblem problem = MakeRandomPacking(shape, 1);
  PackingRequest request{.method = PackingMethod::kFast,
                         .time_limit = Seconds(1000),
                         .gap = 0.3,
                         .seed = 5,
                         .effort = 0.02};
  request.threads = 1;
  PackingOutcome one = SolveWith(problem, request);
  request.threads = 3;
  PackingOutcome three = SolveWith(problem, request);
  ExpectValid(problem, one, 1);
  EXPECT_FALSE(one.cut_short);
  EXPECT_EQ(one.plan, three.plan);
  EXPECT_EQ(one.bound, three.bound);
  request.seed = 6;
  EXPECT_NE(one.plan, SolveWith(problem, request).plan);
}

// A millisecond passes whenever somebody looks.
class HastyClock final : public Clock {
 public:
  std::chrono::nanoseconds Now() const override {
    return std::chrono::milliseconds(++looks_);
  }
  std::chrono::system_clock::time_point Wall() const override { return {}; }
  Seconds ProcessCpu() const override { return Seconds(0); }
  bool SleepFor(std::chrono::nanoseconds, std::stop_token) override {
    return true;
  }

 private:
  mutable std::atomic<int64_t> looks_{0};
};

TEST(SolvePacking, EndsAtItsTimeLimit) {
  PackingProblem problem = MakeRandomPacking(MediumShape(2), 2);
  for (PackingMethod method :
       {PackingMethod::kExact, PackingMethod::kFast, PackingMethod::kGreedy}) {
    HastyClock clock;
    PackingOutcome outcome =
        SolvePacking(problem, {.method = method, .time_limit = Seconds(0.05)},
                     clock, {})
            .value();
    ExpectValid(problem, outcome, 2);
    EXPECT_LT(outcome.elapsed, Seconds(0.5));
    EXPECT_GT(outcome.worth.score, 0);
    if (method != PackingMethod::kGreedy) {
      EXPECT_TRUE(outcome.cut_short);
    }
  }
}

TEST(SolvePacking, ReturnsAPlanWhenItIsToldToStop) {
  PackingProblem problem = MakeRandomPacking(MediumShape(4), 4);
  std::stop_source stop;
  stop.request_stop();
  SystemClock clock;
  PackingOutcome outcome =
      SolvePacking(problem, {}, clock, stop.get_token()).value();
  ExpectValid(problem, outcome, 4);
  EXPECT_TRUE(outcome.cut_short);
}

TEST(SolvePacking, PlacesNothingIfThereIsNothing) {
  for (PackingMethod method :
       {PackingMethod::kExact, PackingMethod::kFast, PackingMethod::kGreedy,
        PackingMethod::kSequential}) {
    PackingOutcome outcome = Solve({}, method);
    EXPECT_TRUE(outcome.plan.bins.empty());
    EXPECT_EQ(outcome.bound, 0);
    EXPECT_TRUE(outcome.optimal);
    PackingProblem no_bins{.items = {{.value = 3}}};
    EXPECT_TRUE(Solve(no_bins, method).optimal);
  }
}

// `count` bins of capacity 1 and `items` items of the given size.
PackingProblem Boxes(size_t count, size_t items, double size) {
  PackingProblem problem{.resources = 1,
                         .types = {{.count = count, .capacity = {1}}}};
  for (size_t i = 0; i < items; ++i) {
    problem.items.push_back({.value = 1, .on = {ItemOnType{.use = {size}}}});
  }
  return problem;
}

TEST(SolvePacking, LeavesOutWhatFitsNowhere) {
  PackingProblem problem = Boxes(2, 3, 0.4);
  problem.items[0].on[0].reset();
  problem.items[1].on[0]->use = {1.5};
  PackingOutcome outcome = Solve(problem, PackingMethod::kExact);
  ExpectValid(problem, outcome, 0);
  EXPECT_EQ(outcome.worth.placed, 1u);
  EXPECT_TRUE(outcome.optimal);
}

TEST(SolvePacking, UsesTheFewestBins) {
  PackingProblem problem = Boxes(5, 6, 0.3);
  problem.types[0].open_cost = 1;
  problem.goal = PackingGoal::kLeastCost;
  for (PackingMethod method : {PackingMethod::kExact, PackingMethod::kFast}) {
    PackingOutcome outcome = Solve(problem, method);
    ExpectValid(problem, outcome, 0);
    EXPECT_EQ(outcome.worth.placed, 6u);
    EXPECT_EQ(outcome.worth.bins, 2u);
    EXPECT_TRUE(outcome.optimal);
  }
}

TEST(SolvePacking, PrefersPriorityToValue) {
  PackingProblem problem = Boxes(1, 3, 0.5);
  problem.items[0].value = 100;
  problem.items[1].value = 100;
  problem.items[2].priority = 1;
  problem.items[2].on[0]->use = {0.9};
  PackingOutcome outcome = Solve(problem, PackingMethod::kExact);
  EXPECT_EQ(outcome.worth.value, 1);
  EXPECT_EQ(outcome.worth.placed, 1u);
}

TEST(SolvePacking, MovesOnlyForAGain) {
  PackingProblem problem = Boxes(3, 4, 0.4);
  for (Item& item : problem.items) item.move_cost = 0.1;
  problem.previous = {{{.number = 1, .contents = {{0, 1}, {2, 1}}},
                       {.number = 2, .contents = {{1, 1}, {3, 1}}}}};
  PackingOutcome same = Solve(problem, PackingMethod::kExact);
  EXPECT_EQ(same.plan, problem.previous);
  EXPECT_EQ(same.worth.cost, 0);
  // Items 0 and 2 do not fit into one bin any more.
  problem.items[0].on[0]->use = {0.7};
  PackingOutcome moved = Solve(problem, PackingMethod::kExact);
  ExpectValid(problem, moved, 0);
  EXPECT_EQ(moved.worth.placed, 4u);
  EXPECT_NEAR(moved.worth.cost, 0.1, 1e-9);
}

// Items of odd and even numbers do not share a bin.
class OddAndEven final : public ContentOracle {
 public:
  bool Allows(size_t, std::span<const Copies> contents) const override {
    for (const Copies& copies : contents) {
      if (copies.item % 2 != contents[0].item % 2) return false;
    }
    return true;
  }
  bool monotone() const override { return true; }
};

// A bin holds a single item or an even number of them.
class Pairs final : public ContentOracle {
 public:
  bool Allows(size_t, std::span<const Copies> contents) const override {
    return contents.size() < 2 || contents.size() % 2 == 0;
  }
  bool monotone() const override { return false; }
};

TEST(SolvePacking, ObeysTheOracle) {
  PackingProblem problem = Boxes(2, 5, 0.3);
  OddAndEven odd_and_even;
  problem.oracle = &odd_and_even;
  for (PackingMethod method : {PackingMethod::kExact, PackingMethod::kFast,
                               PackingMethod::kSequential}) {
    PackingOutcome outcome = Solve(problem, method);
    ExpectValid(problem, outcome, 0);
    EXPECT_EQ(outcome.worth.placed, 5u);
  }
  Pairs pairs;
  problem.oracle = &pairs;
  for (PackingMethod method :
       {PackingMethod::kExact, PackingMethod::kFast, PackingMethod::kGreedy}) {
    PackingOutcome outcome = Solve(problem, method);
    ExpectValid(problem, outcome, 0);
    EXPECT_EQ(outcome.worth.placed, 4u);
  }
}

TEST(SolvePacking, RejectsNumbersThatMakeNoSense) {
  SystemClock clock;
  auto code = [&](const PackingProblem& problem) {
    auto outcome = SolvePacking(problem, {}, clock, {});
    return outcome.ok() ? std::string("ok") : outcome.error().message();
  };
  PackingProblem negative = Boxes(1, 1, -1);
  EXPECT_EQ(code(negative), "item 0: uses and pressures must be at least 0");
  PackingProblem no_value = Boxes(1, 1, 1);
  no_value.items[0].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(no_value), "item 0: the value must be at least 0");
  PackingProblem no_copies = Boxes(1, 1, 1);
  no_copies.items[0].copies = 0;
  EXPECT_EQ(code(no_copies), "item 0: needs at least one copy");
  PackingProblem no_capacity = Boxes(1, 1, 1);
  no_capacity.types[0].capacity.clear();
  EXPECT_EQ(code(no_capacity),
            "bin type 0: needs one capacity for each resource");
}

TEST(SolvePacking, KeepsAllRulesInLargeProblems) {
  PackingProblem problem =
      MakeRandomPacking({.items = 320, .bins_per_type = 35, .copies = 3}, 5);
  SystemClock clock;
  auto outcome = SolvePacking(
      problem, {.method = PackingMethod::kFast, .time_limit = Seconds(4)},
      clock, {});
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(VerifyPlan(problem, outcome->plan).empty());
  EXPECT_LE(outcome->worth.score, outcome->bound);
  EXPECT_GT(outcome->worth.placed, 0u);
}

}  // namespace
}  // namespace mete
