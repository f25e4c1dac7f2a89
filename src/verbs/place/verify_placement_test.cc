#include "place/verify_placement.h"

#include <gmock/gmock.h>

#include "place/plan_text.h"
#include "place/test_problem.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// a and b on edge-1, where each takes 20 ms.
PlacementPlan GoodPlan() {
  PlacementPlan plan{
      .problem = {.apps = {WebApp("a", 5, 0.02), WebApp("b", 5, 0.02)},
                  .servers = {EdgeServers(2)}}};
  plan.servers = {
      {.name = "edge-1",
       .type = "edge",
       .apps = {{.app = "a", .instances = 1}, {.app = "b", .instances = 1}}}};
  return plan;
}

std::vector<std::string> Violations(const PlacementPlan& plan) {
  return VerifyPlacement(plan, {WebCosts()}).violations;
}

TEST(VerifyPlacement, AcceptsAPlanThatKeepsEveryConstraint) {
  EXPECT_THAT(Violations(GoodPlan()), IsEmpty());
  EXPECT_GT(VerifyPlacement(GoodPlan(), {WebCosts()}).checks, 8);
}

TEST(VerifyPlacement, FindsAnSloThatIsMissedByATenthOfAPercent) {
  PlacementPlan plan = GoodPlan();
  plan.problem.apps[1].slo->limit = Seconds(0.01998);
  EXPECT_THAT(Violations(plan),
              ElementsAre(HasSubstr("p95 of b is 20.0 ms, its SLO is")));
}

TEST(VerifyPlacement, FindsTooLittleMemory) {
  PlacementPlan plan = GoodPlan();
  plan.problem.servers[0].memory = Mebibytes(2047);
  EXPECT_THAT(Violations(plan), ElementsAre(HasSubstr("2.0 GiB of memory")));
}

TEST(VerifyPlacement, FindsPartlyPlacedApplications) {
  PlacementPlan plan = GoodPlan();
  plan.problem.apps[0].instances = 2;
  EXPECT_THAT(Violations(plan),
              ElementsAre(HasSubstr("1 instance of a are placed, expected 2")));
}

TEST(VerifyPlacement, FindsRejectedApplicationsThatRunAllTheSame) {
  PlacementPlan plan = GoodPlan();
  plan.rejected = {{.app = "a"}};
  EXPECT_THAT(Violations(plan), ElementsAre(HasSubstr("expected 0")));
}

TEST(VerifyPlacement, FindsBrokenPinsSpreadAndAffinity) {
  PlacementPlan pinned = GoodPlan();
  pinned.problem.apps[0].pin = "edge-2";
  EXPECT_THAT(Violations(pinned), ElementsAre(HasSubstr("pinned to edge-2")));
  PlacementPlan apart = GoodPlan();
  apart.problem.apps[1].apart = {"a"};
  EXPECT_THAT(Violations(apart),
              ElementsAre(HasSubstr("b and a are together")));
  PlacementPlan spread = GoodPlan();
  spread.problem.apps[0].instances = 2;
  spread.servers[0].apps[0].instances = 2;
  spread.problem.apps[0].slo.reset();
  spread.problem.apps[1].slo.reset();
  spread.problem.apps[0].most_together = 1;
  EXPECT_THAT(Violations(spread), ElementsAre(HasSubstr("at most 1 may")));
}

TEST(VerifyPlacement, FindsServersThatDoNotExistOrAreListedTwice) {
  PlacementPlan unknown = GoodPlan();
  unknown.servers[0].name = "edge-3";
  EXPECT_THAT(Violations(unknown),
              testing::Contains("there is no server edge-3"));
  PlacementPlan twice = GoodPlan();
  twice.servers.push_back(twice.servers[0]);
  EXPECT_THAT(Violations(twice), testing::Contains("edge-1 is listed twice"));
}

TEST(VerifyPlacement, FindsApplicationsOnTwoServersOnlyOneOfWhichIsTooSlow) {
  PlacementPlan plan = GoodPlan();
  plan.problem.apps.push_back(WebApp("noisy", 50, 1));
  plan.problem.apps[0].instances = 2;
  plan.servers.push_back({.name = "edge-2",
                          .type = "edge",
                          .apps = {{.app = "a", .instances = 1},
                                   {.app = "noisy", .instances = 1}}});
  EXPECT_THAT(Violations(plan), ElementsAre(HasSubstr("edge-2: p95 of a")));
}

// Costs of an application that can never keep up, however little it is slowed.
class SaturatedCosts final : public CostModel {
 public:
  std::string Describe() const override { return "saturated"; }
  size_t pressures() const override { return web_->pressures(); }
  std::vector<std::string> Applications() const override {
    return web_->Applications();
  }
  Result<std::vector<double>> PressureOf(const std::string& application,
                                         double rate) const override {
    return web_->PressureOf(application, rate);
  }
  Result<std::vector<PressureLimit>> LimitsFor(const LatencyQuestion& question,
                                               Seconds limit) const override {
    return web_->LimitsFor(question, limit);
  }
  Result<LatencyAnswer> LatencyUnder(const LatencyQuestion&,
                                     std::span<const double>) const override {
    return LatencyAnswer{.time = Seconds(0.001), .saturated = true};
  }
  std::optional<Seconds> CpuTimeOf(const std::string&) const override {
    return std::nullopt;
  }

 private:
  std::shared_ptr<const CostModel> web_ = WebCosts();
};

TEST(VerifyPlacement, SaturatedApplicationsMeetNoSlo) {
  PlacementPlan plan = GoodPlan();
  plan.problem.apps[1].slo.reset();
  auto verified =
      VerifyPlacement(plan, {std::make_shared<const SaturatedCosts>()});
  EXPECT_THAT(verified.violations,
              ElementsAre(HasSubstr("edge-1: a is saturated: p95 is at least "
                                    "1.00 ms, its SLO is 20.0 ms")));
}

TEST(PredictPlan, MarksSaturatedApplications) {
  PlacementPlan plan = GoodPlan();
  ASSERT_TRUE(
      PredictPlan(plan, {std::make_shared<const SaturatedCosts>()}).ok());
  EXPECT_TRUE(plan.servers[0].apps[0].saturated);
  EXPECT_THAT(PlanText(plan), HasSubstr("saturated: at least 1.00 ms"));
}

TEST(PredictPlan, FillsInLatenciesAndPower) {
  PlacementPlan plan = GoodPlan();
  plan.problem.servers[0].power = ServerPower{Watts{50}, Watts{10}};
  ASSERT_TRUE(PredictPlan(plan, {WebCosts()}).ok());
  EXPECT_DOUBLE_EQ(plan.servers[0].apps[0].latency->count(), 0.02);
  EXPECT_DOUBLE_EQ(*plan.worth.tightest, 1);
  // Two apps, each with 5 requests of 100 ms of a core.
  EXPECT_DOUBLE_EQ(plan.worth.power->count, 50 + 10 * 1.0);
}

TEST(PredictPlan, LeavesPowerAbsentThatIsNotKnown) {
  PlacementPlan plan = GoodPlan();
  ASSERT_TRUE(PredictPlan(plan, {WebCosts()}).ok());
  EXPECT_FALSE(plan.worth.power);
}

}  // namespace
}  // namespace mete
