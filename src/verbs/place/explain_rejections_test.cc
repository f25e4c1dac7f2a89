#include "place/explain_rejections.h"

#include <gmock/gmock.h>

#include "place/test_problem.h"

namespace mete {
namespace {

using testing::HasSubstr;

// "busy" runs on edge-1; "late" is rejected.
PlacementPlan PlanWithout(AppDemand late, int servers = 1) {
  PlacementPlan plan{
      .problem = {.apps = {WebApp("busy", 5, 0.016), std::move(late)},
                  .servers = {EdgeServers(servers)}}};
  plan.servers = {{.name = "edge-1",
                   .type = "edge",
                   .apps = {{.app = "busy", .instances = 1}}}};
  return plan;
}

Rejection Explain(const PlacementPlan& plan) {
  auto rejections = ExplainRejections(plan, {WebCosts()});
  EXPECT_TRUE(rejections.ok());
  EXPECT_EQ(rejections->size(), 1u);
  return rejections->empty() ? Rejection() : rejections->front();
}

TEST(ExplainRejections, SaysWhoseSloANeighbourWouldBreak) {
  Rejection why = Explain(PlanWithout(WebApp("late", 5, 1)));
  EXPECT_EQ(why.constraint, "slo of busy");
  EXPECT_EQ(why.nearest, "edge-1");
  EXPECT_FALSE(why.impossible);
  EXPECT_THAT(why.reason, HasSubstr("p95 of busy would be 20.0 ms"));
  EXPECT_EQ(why.remedy, "an SLO of 20.0 ms for busy, or busy elsewhere");
}

TEST(ExplainRejections, SaysWhichSloWouldDo) {
  Rejection why = Explain(PlanWithout(WebApp("late", 0.1, 0.0125)));
  EXPECT_EQ(why.constraint, "slo");
  EXPECT_EQ(why.remedy, "an SLO of 15.1 ms for late");
}

TEST(ExplainRejections, SaysHowMuchMemoryIsMissing) {
  AppDemand late = WebApp("late", 0.01, 1);
  late.memory = Mebibytes(3584);
  Rejection why = Explain(PlanWithout(late));
  EXPECT_EQ(why.constraint, "memory");
  EXPECT_THAT(why.reason, HasSubstr("edge-1 lacks 512 MiB of memory"));
}

TEST(ExplainRejections, FindsWhatIsImpossibleEvenAlone) {
  Rejection slo = Explain(PlanWithout(WebApp("late", 5, 0.014)));
  EXPECT_TRUE(slo.impossible);
  EXPECT_THAT(slo.reason, HasSubstr("alone p95 of late would be 15.0 ms"));
  AppDemand large = WebApp("late", 5, 1);
  large.memory = Gibibytes(5);
  EXPECT_THAT(
      Explain(PlanWithout(large)).reason,
      HasSubstr("an instance needs 5.0 GiB, edge servers have 4.0 GiB"));
}

TEST(ExplainRejections, CountsTheInstancesThatWouldFit) {
  AppDemand late = WebApp("late", 5, 0.016);
  late.instances = 3;
  Rejection why = Explain(PlanWithout(late, 3));
  EXPECT_THAT(why.reason, HasSubstr("only 2 of its 3 instances fit"));
}

TEST(ExplainRejections, NamesTheNeighbourThatItMustAvoid) {
  AppDemand late = WebApp("late", 0.01, 1);
  late.apart = {"busy"};
  EXPECT_EQ(Explain(PlanWithout(late)).constraint, "apart_from");
}

TEST(ExplainRejections, AdmitsWhatTheSearchDidNotFind) {
  EXPECT_EQ(Explain(PlanWithout(WebApp("late", 0.1, 1))).constraint,
            "objective");
}

}  // namespace
}  // namespace mete
