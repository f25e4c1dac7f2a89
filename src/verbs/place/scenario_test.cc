#include "place/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "place/cost_table.h"
#include "place/neuro_catalogue.h"
#include "place/problem_yaml.h"
#include "place/synthetic_costs.h"

namespace mete {
namespace {

PlacementProblem Draw(ScenarioRequest request) {
  auto problem = MakeScenario(request);
  EXPECT_TRUE(problem.ok());
  return *std::move(problem);
}

bool IsRealTime(const AppDemand& app) {
  return std::ranges::any_of(kNeuroCatalogue, [&](const auto& known) {
    return known.name == app.application && known.rate == RateClass::kHigh;
  });
}

double RealTimeShare(ScenarioKind kind) {
  const auto problem = Draw({.kind = kind, .servers = 300});
  return double(std::ranges::count_if(problem.apps, IsRealTime)) /
         double(problem.apps.size());
}

TEST(Scenario, HasFifteenRequestsPerServerInEveryKind) {
  for (auto kind : {ScenarioKind::kS1, ScenarioKind::kS2, ScenarioKind::kS3}) {
    EXPECT_EQ(Draw({.kind = kind, .servers = 2}).apps.size(), 30u);
  }
}

TEST(Scenario, DrawsOnlyApplicationsThatTheCostTablesKnow) {
  const CostTable costs = MakeSyntheticCosts(kWeakServer);
  for (auto kind : {ScenarioKind::kS1, ScenarioKind::kS2, ScenarioKind::kS3}) {
    for (const AppDemand& app : Draw({.kind = kind}).apps) {
      EXPECT_TRUE(costs.applications.contains(app.application));
    }
  }
}

TEST(Scenario, DrawsTheShareOfRealTimeApplications) {
  EXPECT_NEAR(RealTimeShare(ScenarioKind::kS1), 3.0 / 9, 0.03);
  EXPECT_NEAR(RealTimeShare(ScenarioKind::kS2), 0.4, 0.03);
  EXPECT_NEAR(RealTimeShare(ScenarioKind::kS3), 0.9, 0.03);
}

TEST(Scenario, HonoursBothRanks) {
  const auto half = Draw({.servers = 10, .rank_low = 0.5});
  ASSERT_EQ(half.servers.size(), 2u);
  EXPECT_EQ(half.servers[0].count, 5);
  EXPECT_EQ(half.servers[1].count, 5);
  EXPECT_LT(half.servers[0].rank, half.servers[1].rank);
  const auto strong = Draw({.servers = 10, .rank_low = 0});
  ASSERT_EQ(strong.servers.size(), 1u);
  EXPECT_EQ(strong.servers[0].name, kStrongServers);
}

TEST(Scenario, NeedsAboutFourFifthsOfTheMemory) {
  const auto problem = Draw({.servers = 300});
  double needed = 0;
  for (const AppDemand& app : problem.apps) {
    needed += app.instances * double(app.memory.count);
  }
  // NeuRO's instances need 25.6 of 32 GB per server.
  EXPECT_NEAR(needed / 300 / double(Gibibytes(1).count), 25.6, 0.6);
}

TEST(Scenario, IsTheSameForTheSameSeedOnly) {
  EXPECT_EQ(AppsYaml(Draw({.seed = 7}).apps), AppsYaml(Draw({.seed = 7}).apps));
  EXPECT_NE(AppsYaml(Draw({.seed = 7}).apps), AppsYaml(Draw({.seed = 8}).apps));
}

TEST(Scenario, RefusesImpossibleParameters) {
  EXPECT_FALSE(MakeScenario({.servers = 0}).ok());
  EXPECT_FALSE(MakeScenario({.memory = Bytes{}}).ok());
  EXPECT_FALSE(MakeScenario({.rank_low = 1.5}).ok());
}

TEST(SyntheticCosts, SayThatTheyAreInvented) {
  EXPECT_NE(MakeSyntheticCosts(kWeakServer).note.find("invented"),
            std::string::npos);
}

TEST(SyntheticCosts, UseTheBaseLatencyOfTheStrongServer) {
  const CostTable costs = MakeSyntheticCosts(kStrongServer);
  for (const NeuroApplication& app : kNeuroCatalogue) {
    EXPECT_DOUBLE_EQ(costs.applications.at(std::string(app.name))
                         .service.at(SloStatistic::kMean)
                         .alone.count(),
                     app.base_latency_s);
  }
}

}  // namespace
}  // namespace mete
