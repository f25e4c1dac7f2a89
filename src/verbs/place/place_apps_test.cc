#include "place/place_apps.h"

#include <gmock/gmock.h>

#include "place/compare_methods.h"
#include "place/plan_json.h"
#include "place/plan_text.h"
#include "place/scenario.h"
#include "place/test_problem.h"
#include "support/json.h"
#include "support/random.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using testing::HasSubstr;

PlacementPlan Place(PlaceAppsRequest request) {
  const FakeClock clock;  // stands still, so time never cuts a search
  auto plan = PlaceApps(request, {.costs = TestCosts, .clock = clock}, {});
  EXPECT_TRUE(plan.ok()) << plan.error().message();
  return plan.ok() ? *std::move(plan) : PlacementPlan();
}

// Up to eight applications with random demands on two types of servers.
PlacementProblem RandomProblem(uint64_t seed) {
  PlacementProblem problem = MakeScenario({.servers = 2, .seed = seed}).value();
  Random random(seed);
  problem.apps.resize(1 + random.Below(8));
  for (AppDemand& app : problem.apps) {
    if (random.Below(4) == 0) app.pin = random.Below(2) ? "weak" : "strong-1";
    const std::string& first = problem.apps[0].name;
    if (random.Below(4) == 0 && app.name != first) app.apart = {first};
    if (random.Below(4) == 0) app.most_together = 1 + int(random.Below(3));
    if (random.Below(3) == 0) app.memory.count *= 6;
  }
  return problem;
}

TEST(PlaceApps, EveryMethodKeepsEveryConstraintOfRandomProblems) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    for (auto method :
         {PlacementMethod::kGreedy, PlacementMethod::kFast,
          PlacementMethod::kExact, PlacementMethod::kSequential}) {
      const PlacementPlan plan =
          Place({.problem = RandomProblem(seed), .method = method});
      EXPECT_THAT(plan.verification.violations, testing::IsEmpty())
          << "seed " << seed << " " << ToString(method);
      EXPECT_GE(plan.worth.bound, plan.worth.objective - 1e-6);
    }
  }
}

TEST(PlaceApps, NoMethodBeatsTheProvenOptimum) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const PlacementPlan best = Place({.problem = RandomProblem(seed),
                                      .method = PlacementMethod::kExact,
                                      .gap = 0});
    ASSERT_TRUE(best.worth.optimal);
    for (auto method : {PlacementMethod::kGreedy, PlacementMethod::kFast,
                        PlacementMethod::kSequential}) {
      EXPECT_LE(Place({.problem = RandomProblem(seed), .method = method})
                    .worth.revenue,
                best.worth.revenue + 1e-6);
    }
  }
}

TEST(PlaceApps, GivesTheSamePlanForTheSameSeed) {
  auto make = [] {
    PlacementPlan plan = Place({.problem = RandomProblem(3), .seed = 9});
    return DumpJson(PlanToJson(plan));
  };
  EXPECT_EQ(make(), make());
}

TEST(PlaceApps, LeavesEverythingWhereItIsIfMovingCostsMoreThanItEarns) {
  PlacementProblem problem{
      .apps = {WebApp("a", 1, 1), WebApp("b", 1, 1), WebApp("c", 1, 1)},
      .servers = {EdgeServers(2)}};
  PlacementPlan before = Place({.problem = problem});
  before.servers = {{.name = "edge-2",
                     .type = "edge",
                     .apps = {{.app = "a", .instances = 1},
                              {.app = "b", .instances = 1},
                              {.app = "c", .instances = 1}}}};
  const PlacementPlan after =
      Place({.problem = problem, .previous = &before, .migration_cost = 0.5});
  EXPECT_EQ(after.worth.moves, 0);
  ASSERT_EQ(after.servers.size(), 1u);
  EXPECT_EQ(after.servers[0].name, "edge-2");
}

TEST(PlaceApps, RefusesProblemsThatMakeNoSense) {
  const FakeClock clock;
  const PlaceAppsDependencies needs{.costs = TestCosts, .clock = clock};
  auto fail = [&](const PlacementProblem& problem) {
    auto plan = PlaceApps({.problem = problem}, needs, {});
    return plan.ok() ? std::string() : plan.error().message();
  };
  EXPECT_THAT(fail({.apps = {}, .servers = {EdgeServers(1)}}),
              HasSubstr("no apps"));
  EXPECT_THAT(fail({.apps = {WebApp("a", 1, 1)}, .servers = {}}),
              HasSubstr("no servers"));
  AppDemand unknown = WebApp("a", 1, 1);
  unknown.application = "wob";
  EXPECT_THAT(fail({.apps = {unknown}, .servers = {EdgeServers(1)}}),
              HasSubstr("a: costs.yaml has no application 'wob'"));
}

TEST(CompareMethods, RunsEveryMethodOnTheSameProblem) {
  const FakeClock clock;
  PlacementProblem problem = RandomProblem(2);
  for (AppDemand& app : problem.apps) {  // rivals know no such rules
    app.pin.reset();
    app.apart.clear();
    app.most_together.reset();
    app.priority = 0;
  }
  auto results = CompareMethods("p", {.problem = problem},
                                {.costs = TestCosts, .clock = clock},
                                ComparedMethods(), {});
  ASSERT_EQ(results.size(), ComparedMethods().size());
  for (const MethodResult& one : results) {
    EXPECT_EQ(one.failure, "");
    const bool rival = one.method == "agnostic" || one.method == "perx" ||
                       one.method.starts_with("scaloran");
    EXPECT_EQ(one.rival, rival) << one.method;
    EXPECT_LE(one.kept, one.worth.revenue + 1e-9) << one.method;
    if (!rival) {
      EXPECT_EQ(one.violations, 0) << one.method;
      EXPECT_NEAR(one.kept, one.worth.revenue, 1e-9) << one.method;
    }
  }
  EXPECT_THAT(MethodsText(results), HasSubstr("sequential (high)"));
}

TEST(PlanText, SaysThatPrioritiesWeighThePrices) {
  PlacementProblem problem{.apps = {WebApp("a", 1, 1), WebApp("b", 1, 1)},
                           .servers = {EdgeServers(1)}};
  EXPECT_THAT(PlanProof(Place({.problem = problem})),
              testing::StartsWith("objective revenue: 2.00, proven optimal "
                                  "(gap 0 %)"));
  problem.apps[1].priority = 1;
  EXPECT_THAT(PlanProof(Place({.problem = problem})),
              testing::StartsWith("objective revenue, weighted by priority: "));
}

// More revenue than the bound by missing SLOs is neither optimal nor a gap of
// 0.
TEST(CompareMethods, PlansThatMissSlosHaveNoGap) {
  MethodResult honest{.problem = "p", .method = "exact", .apps = 10};
  honest.worth = {.revenue = 9, .placed = 9, .objective = 9, .bound = 9};
  honest.kept = 9;
  MethodResult rival{
      .problem = "p", .method = "perx", .rival = true, .apps = 10};
  rival.worth = {.revenue = 10, .placed = 10, .objective = 10, .bound = 20};
  rival.kept = 7;
  rival.violations = 3;
  const Json rows = MethodsToJson({honest, rival}).at("results");
  EXPECT_EQ(rows[0].at("gap"), 0);
  EXPECT_FALSE(rows[1].contains("gap"));
  EXPECT_EQ(rows[1].at("kept_revenue"), 7);
  EXPECT_THAT(MethodsCsv({honest, rival}),
              HasSubstr("p,perx,10.00,7.00,10/10,100.0 %,,"));
}

}  // namespace
}  // namespace mete
