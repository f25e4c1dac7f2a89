#include "place/rival_methods.h"

#include <gtest/gtest.h>

#include <memory>

#include "place/cost_table.h"
#include "place/rival_curves.h"

namespace mete {
namespace {

TEST(FitTwoPieces, FollowsACurveWithAnElbow) {
  const auto curve = FitTwoPieces([](int n) -> Result<double> {
                       return n <= 8 ? 1.0 : 1.0 + (n - 8);
                     }).value();
  EXPECT_DOUBLE_EQ(curve.At(4), 1);
  EXPECT_DOUBLE_EQ(curve.At(8), 1);
  EXPECT_DOUBLE_EQ(curve.At(16), 9);
  EXPECT_DOUBLE_EQ(curve.At(20), 13);
}

TEST(FitTwoPieces, TakesTheChordOfACurveThatFlattens) {
  const auto curve = FitTwoPieces([](int n) -> Result<double> {
                       return n < 4 ? n : 4.0;
                     }).value();
  EXPECT_DOUBLE_EQ(curve.At(1), 1);
  EXPECT_DOUBLE_EQ(curve.At(8.5), 2.5);
}

// Each instance slows every service on its server by 1 ms, from 10 ms.
CostTable OneMillisecondEach() {
  CostTable table{.pressures = {"load"}};
  for (const char* name : {"a", "b"}) {
    ApplicationCost cost{.constant = {1}, .per_rate = {0}};
    cost.service[SloStatistic::kMean] = {
        .alone = Seconds(0.010), .pieces = {{.constant = 0, .slope = {0.1}}}};
    table.applications[name] = std::move(cost);
  }
  return table;
}

PlaceAppsRequest FiveRequests(Seconds slo) {
  PlaceAppsRequest request;
  for (int i = 0; i < 5; ++i) {
    request.problem.apps.push_back(
        {.name = "app" + std::to_string(i),
         .application = "a",
         .rate = 1,
         .slo = LatencySlo{.statistic = SloStatistic::kMean, .limit = slo},
         .memory = Mebibytes(1)});
  }
  request.problem.servers.push_back(
      {.name = "server", .count = 1, .memory = Gibibytes(1)});
  return request;
}

PlacementPlan PlaceBy(RivalMethod method, const PlaceAppsRequest& request) {
  const SystemClock clock;
  auto plan = PlaceWithRival(
      method, request,
      {.costs =
           [](const ServerType&) {
             return std::shared_ptr<const CostModel>(
                 std::make_shared<TableCosts>(OneMillisecondEach(), "test"));
           },
       .clock = clock},
      {});
  EXPECT_TRUE(plan.ok());
  return *std::move(plan);
}

// Three services take 13 ms each.
TEST(Rivals, OfOneApplicationAreExactOnStraightCurves) {
  for (const RivalMethod method :
       {RivalMethod::kPerx, RivalMethod::kScalOranSum,
        RivalMethod::kScalOranMean}) {
    const PlacementPlan plan = PlaceBy(method, FiveRequests(Seconds(0.0135)));
    EXPECT_EQ(plan.worth.placed, 3) << ToString(method);
    EXPECT_TRUE(plan.verification.good());
  }
}

TEST(Rivals, TheAgnosticOneUsesSixTenthsOfTheSlo) {
  // 0.6 x 20.5 ms: two services take 12 ms.
  const PlacementPlan plan =
      PlaceBy(RivalMethod::kAppAgnostic, FiveRequests(Seconds(0.0205)));
  EXPECT_EQ(plan.worth.placed, 2);
}

// With both applications on the server, the sum of their curves is twice as
// high as their mean, so only one of them is placed.
TEST(Rivals, TheSumOfScalOranIsStricterThanTheMean) {
  PlaceAppsRequest request = FiveRequests(Seconds(0.0205));
  for (size_t i = 0; i < 2; ++i) {
    request.problem.apps[i].application = "b";
  }
  EXPECT_EQ(PlaceBy(RivalMethod::kScalOranMean, request).worth.placed, 5);
  EXPECT_EQ(PlaceBy(RivalMethod::kScalOranSum, request).worth.placed, 3);
  EXPECT_EQ(PlaceBy(RivalMethod::kPerx, request).worth.placed, 5);
}

TEST(Rivals, PlaceWholeRequestsWithinMemory) {
  PlaceAppsRequest request = FiveRequests(Seconds(1));
  for (AppDemand& app : request.problem.apps) {
    app.instances = 2;
    app.memory = Mebibytes(300);
  }
  const PlacementPlan plan = PlaceBy(RivalMethod::kPerx, request);
  EXPECT_EQ(plan.worth.placed, 1);
  EXPECT_TRUE(plan.verification.good());
  EXPECT_EQ(plan.worth.bound, 5);
}

TEST(Rivals, SayWhatTheyDoNotKnow) {
  PlaceAppsRequest request = FiveRequests(Seconds(1));
  request.problem.apps[0].pin = "server";
  const SystemClock clock;
  const auto plan = PlaceWithRival(RivalMethod::kPerx, request,
                                   {.costs = {}, .clock = clock}, {});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace mete
