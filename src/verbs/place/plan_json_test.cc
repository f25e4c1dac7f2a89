#include "place/plan_json.h"

#include <gmock/gmock.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

PlacementPlan FullPlan() {
  PlacementPlan plan{
      .problem = {.apps = {{.name = "a",
                            .application = "web",
                            .instances = 2,
                            .rate = 1.5,
                            .price = 3,
                            .slo = LatencySlo{.statistic = SloStatistic::kP75,
                                              .time = SloTime::kSojourn,
                                              .limit = Seconds(0.5)},
                            .memory = Mebibytes(10),
                            .pin = "edge",
                            .apart = {"b"},
                            .most_together = 1,
                            .priority = 2},
                           {.name = "b", .application = "web", .rate = 1}},
                  .servers = {{.name = "edge",
                               .count = 2,
                               .memory = Gibibytes(1),
                               .cores = 4,
                               .costs = "c.yaml",
                               .power = ServerPower{Watts{5}, Watts{2}},
                               .names = {"x", "y"}}}},
      .objective = PlacementObjective::kEnergy,
      .method = PlacementMethod::kExact,
      .seed = 7,
      .made_at = std::chrono::system_clock::from_time_t(1'700'000'000),
      .mete_version = "1",
      .costs = {"cost table c.yaml"}};
  plan.servers = {{.name = "x",
                   .type = "edge",
                   .apps = {{.app = "a",
                             .instances = 2,
                             .latency = Seconds(0.25),
                             .latency_high = Seconds(0.3),
                             .saturated = true}}}};
  plan.rejected = {{.app = "b",
                    .constraint = "memory",
                    .nearest = "x",
                    .reason = "full",
                    .remedy = "more"}};
  plan.worth = {.revenue = 3,
                .placed = 1,
                .servers = 1,
                .power = Watts{7.5},
                .moves = 1,
                .tightest = 0.6,
                .objective = 7.5,
                .bound = 7,
                .gap = 0.1,
                .cut_short = true};
  plan.verification = {.checks = 9, .violations = {"x"}};
  return plan;
}

std::string Complaint(const Json& json) {
  auto plan = PlanFromJson(json);
  return plan.ok() ? "" : plan.error().message();
}

TEST(PlanJson, SurvivesItsFile) {
  const Json json = PlanToJson(FullPlan());
  auto again = PlanFromJson(json);
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(DumpJson(PlanToJson(*again)), DumpJson(json));
}

TEST(PlanJson, RejectsOtherFilesAndOtherVersions) {
  EXPECT_THAT(Complaint(Json{{"kind", "other"}}), HasSubstr("not a plan"));
  EXPECT_NE(Complaint(Json::array()), "");
  Json json = PlanToJson(FullPlan());
  json["version"] = 2;
  EXPECT_THAT(Complaint(json), HasSubstr("version 2 is unknown"));
}

TEST(PlanJson, RejectsUnknownAndMissingKeys) {
  Json json = PlanToJson(FullPlan());
  json["problem"]["apps"][0]["rat"] = 1;
  EXPECT_THAT(Complaint(json),
              HasSubstr("unknown key 'rat'; did you mean 'rate'?"));
  Json missing = PlanToJson(FullPlan());
  missing["worth"].erase("gap");
  EXPECT_THAT(Complaint(missing), HasSubstr("gap"));
}

TEST(PlanJson, RejectsImpossibleNumbers) {
  Json json = PlanToJson(FullPlan());
  json["servers"][0]["apps"][0]["instances"] = -1;
  EXPECT_THAT(Complaint(json), HasSubstr("impossible instances"));
  Json pin = PlanToJson(FullPlan());
  pin["problem"]["apps"][0]["pin"] = "nowhere";
  EXPECT_THAT(Complaint(pin), HasSubstr("no server or type is called"));
}

// A short file must not make mete start, or name, millions of things.
TEST(PlanJson, RejectsMoreThanItsProblemHas) {
  Json more = PlanToJson(FullPlan());
  more["servers"][0]["apps"][0]["instances"] = 3;
  EXPECT_THAT(Complaint(more), HasSubstr("more instances of a than"));
  Json twice = PlanToJson(FullPlan());
  twice["servers"][0]["apps"].push_back(twice["servers"][0]["apps"][0]);
  EXPECT_THAT(Complaint(twice), HasSubstr("more instances of a than"));
  Json app = PlanToJson(FullPlan());
  app["problem"]["apps"][0]["instances"] = 10'001;
  EXPECT_THAT(Complaint(app), HasSubstr("impossible instances"));
}

TEST(PlanJson, RejectsMillionsOfServers) {
  Json json = PlanToJson(FullPlan());
  Json type = json["problem"]["servers"][0];
  type.erase("servers");
  type["count"] = 1'000'000;
  json["problem"]["servers"] = Json::array();
  for (int i = 0; i < 1000; ++i) {
    type["name"] = "t" + std::to_string(i);
    json["problem"]["servers"].push_back(type);
  }
  EXPECT_THAT(Complaint(json), HasSubstr("1000000000 servers are too many"));
}

// They become numbers of CPUs, and sums.
TEST(PlanJson, RejectsNumbersThatNoProblemHas) {
  for (const char* key : {"rate", "price"}) {
    Json json = PlanToJson(FullPlan());
    json["problem"]["apps"][0][key] = 1e13;
    EXPECT_THAT(Complaint(json), HasSubstr(std::string("impossible ") + key));
  }
  Json json = PlanToJson(FullPlan());
  json["problem"]["servers"][0]["cores"] = 1e6;
  EXPECT_THAT(Complaint(json), HasSubstr("impossible cores"));
}

// The network becomes an argument of a program.
TEST(PlanJson, RejectsAFlagInPlaceOfANetwork) {
  for (const char* key : {"network", "application"}) {
    Json json = PlanToJson(FullPlan());
    json["problem"]["apps"][0][key] = "--insecure";
    EXPECT_THAT(Complaint(json), HasSubstr("'--insecure' is not a network"));
  }
}

TEST(PlanJson, RejectsServersAndAppsThatItsProblemDoesNotHave) {
  Json app = PlanToJson(FullPlan());
  app["servers"][0]["apps"][0]["app"] = "other";
  EXPECT_THAT(Complaint(app), HasSubstr("its problem has no such app"));
  Json server = PlanToJson(FullPlan());
  server["servers"][0]["name"] = "elsewhere";
  EXPECT_THAT(Complaint(server), HasSubstr("it uses elsewhere of type"));
  Json twice = PlanToJson(FullPlan());
  twice["servers"].push_back(twice["servers"][0]);
  EXPECT_THAT(Complaint(twice), HasSubstr("it lists x twice"));
}

}  // namespace
}  // namespace mete
