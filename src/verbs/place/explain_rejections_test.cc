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
  EXPECT_EQ(why.remedy, "an SLO of 20.0 ms for busy, or 1 more edge server");
}

TEST(ExplainRejections, SaysWhichSloWouldDo) {
  Rejection why = Explain(PlanWithout(WebApp("late", 0.1, 0.0125)));
  EXPECT_EQ(why.constraint, "slo");
  EXPECT_EQ(why.remedy, "an SLO of 15.1 ms for late, or 1 more edge server");
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
  const Rejection why = Explain(PlanWithout(late));
  EXPECT_EQ(why.constraint, "apart_from");
  EXPECT_EQ(why.remedy, "1 more edge server");
}

TEST(ExplainRejections, AdmitsWhatTheSearchDidNotFind) {
  const Rejection why = Explain(PlanWithout(WebApp("late", 0.1, 1)));
  EXPECT_EQ(why.constraint, "objective");
  EXPECT_THAT(why.remedy, HasSubstr("a longer search"));
}

// Late would break two SLOs: one of them alone would not make it fit.
TEST(ExplainRejections, NamesEverySloThatWouldHaveToChange) {
  const Rejection why = Explain(PlanWithout(WebApp("late", 5, 0.0155)));
  EXPECT_EQ(why.constraint, "slo");
  EXPECT_EQ(why.remedy,
            "an SLO of 20.0 ms for busy and an SLO of 20.0 ms for late, or 1 "
            "more edge server");
}

TEST(ExplainRejections, NamesMemoryAndSloIfBothAreMissing) {
  AppDemand late = WebApp("late", 5, 1);
  late.memory = Mebibytes(3584);
  const Rejection why = Explain(PlanWithout(late));
  EXPECT_EQ(why.constraint, "memory");
  EXPECT_EQ(why.remedy,
            "512 MiB more memory on edge-1 and an SLO of 20.0 ms for busy, or "
            "1 more edge server");
}

// Two instances fit on edge-2 and one more than that is missing.
TEST(ExplainRejections, SaysWhatAllMissingInstancesNeed) {
  AppDemand late = WebApp("late", 0.01, 1);
  late.instances = 9;
  const Rejection why = Explain(PlanWithout(late, 2));
  EXPECT_THAT(why.reason, HasSubstr("only 7 of its 9 instances fit"));
  EXPECT_EQ(why.nearest, "edge-2");
  EXPECT_EQ(why.remedy, "2.0 GiB more memory on edge-2, or 1 more edge server");
}

TEST(ExplainRejections, SaysThatMoreCouldBeTogether) {
  AppDemand late = WebApp("late", 0.01, 1);
  late.instances = 3;
  late.most_together = 1;
  const Rejection why = Explain(PlanWithout(late, 2));
  EXPECT_EQ(why.constraint, "most_together");
  EXPECT_EQ(why.remedy, "most_together of 2, or 1 more edge server");
}

TEST(ExplainRejections, SaysThatItWouldFitWithoutItsPin) {
  AppDemand late = WebApp("late", 5, 1);
  late.pin = "edge-1";
  const Rejection pinned = Explain(PlanWithout(late, 2));
  EXPECT_EQ(pinned.constraint, "slo of busy");
  EXPECT_EQ(pinned.nearest, "edge-1");
  EXPECT_EQ(pinned.remedy, "an SLO of 20.0 ms for busy, or no pin");
  // Nor does it fit anywhere else here.
  EXPECT_EQ(Explain(PlanWithout(late, 1)).remedy, "an SLO of 20.0 ms for busy");
}

// Each instance needs the memory and breaks both SLOs: a list of three changes
// helps nobody.
TEST(ExplainRejections, AsksForServersRatherThanForManyChanges) {
  AppDemand late = WebApp("late", 5, 0.0155);
  late.instances = 6;
  EXPECT_EQ(Explain(PlanWithout(late)).remedy, "6 more edge servers");
}

// Of the mean and p95 of the same time, each is compared with its own limit.
TEST(ExplainRejections, AsksForTheStatisticOfTheSlo) {
  AppDemand late = WebApp("late", 5, 0.011);
  EXPECT_TRUE(Explain(PlanWithout(late)).impossible);
  late.slo->statistic = SloStatistic::kMean;
  const Rejection why = Explain(PlanWithout(late));
  EXPECT_TRUE(why.impossible);
  EXPECT_THAT(why.reason, HasSubstr("alone mean of late would be 12.0 ms"));
  EXPECT_EQ(why.remedy, "an SLO of 12.0 ms for late");
}

}  // namespace
}  // namespace mete
