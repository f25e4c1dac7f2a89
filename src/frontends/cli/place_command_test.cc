#include "cli/place_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/test_command.h"
#include "place/cost_table.h"
#include "support/file.h"
#include "support/json.h"
#include "support/scratch_folder.h"
#include "tests/fakes/fake_cluster.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kCosts[] = R"(pressures: [cpu]
applications:
  web:
    pressure_per_rate: [0.1]
    service:
      p95: {alone: 10ms, slowdown: [{slope: [1]}]}
)";
constexpr char kServers[] = R"(servers:
  - {name: edge, count: 2, memory: 2Gi, costs: costs.yaml}
)";
// Each instance adds 0.5; alone on a server it takes 15 ms.
constexpr char kApps[] = R"(apps:
  - {name: a, application: web, rate: 5, price: 3, memory: 1Gi, slo: p95=16ms}
  - {name: b, application: web, rate: 5, price: 2, memory: 1Gi, slo: p95=16ms}
  - {name: c, application: web, rate: 5, price: 1, memory: 1Gi, slo: p95=16ms}
)";

// Files of a problem and the real command.
struct PlaceStage {
  SystemClock clock;
  FakeCluster cluster{clock};
  ScratchFolder scratch = ScratchFolder::Create().value();

  PlaceStage() {
    Write("costs.yaml", kCosts);
    Write("servers.yaml", kServers);
    Write("apps.yaml", kApps);
  }
  std::string Write(const std::string& name, const std::string& text) {
    auto file = scratch.path() / name;
    EXPECT_TRUE(WriteFileAtomically(file, text).ok());
    return file;
  }
  std::string At(const std::string& name) const {
    return scratch.path() / name;
  }
  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "place");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddPlaceCommand(root, verbs, [&]() -> Result<PlaceCommandDependencies> {
        return PlaceCommandDependencies{
            .placing = {.costs = ReadCosts, .clock = clock},
            .cluster = [&]() -> Result<Cluster*> { return &cluster; }};
      });
    });
  }
  CommandRun PlaceAll(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"--apps", At("apps.yaml"),
                                          "--servers", At("servers.yaml")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
  static Result<std::shared_ptr<const CostModel>> ReadCosts(
      const ServerType& type) {
    ASSIGN_OR_RETURN(CostTable table, ReadCostTable(type.costs));
    return std::shared_ptr<const CostModel>(
        std::make_shared<TableCosts>(std::move(table), "costs.yaml"));
  }
};

TEST(PlaceCommand, PlacesWhatEarnsMostAndExplainsTheRest) {
  PlaceStage stage;
  CommandRun end = stage.PlaceAll();
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("placed 2 of 3 apps on 2 of 2 servers, "
                                  "revenue 5.00"));
  EXPECT_THAT(end.out, HasSubstr("proven optimal"));
  EXPECT_THAT(end.out, HasSubstr("none violated"));
  EXPECT_THAT(end.out, HasSubstr("c: none of its 1 instance fits"));
  EXPECT_THAT(end.out, HasSubstr("its SLO is 16.0 ms"));
}

TEST(PlaceCommand, WritesAPlanThatWhatIfComparesWith) {
  PlaceStage stage;
  CommandRun first = stage.PlaceAll({"--plan", stage.At("plan.json")});
  EXPECT_EQ(first.code, 0) << first.err;
  const std::string more = stage.Write(
      "more.yaml",
      "servers:\n  - {name: edge, count: 3, memory: 2Gi, costs: costs.yaml}\n");
  CommandRun end = stage.PlaceAll({"--what-if", more});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("what if"));
  EXPECT_THAT(end.out, HasSubstr("6.00"));
  CommandRun same = stage.PlaceAll({"--what-if", stage.At("plan.json")});
  EXPECT_THAT(same.out, HasSubstr("every app runs on the same servers"));
}

// Both applications fit only if they change places.
TEST(PlaceCommand, MovesInstancesOnlyIfThatPays) {
  PlaceStage stage;
  auto apps = [](const std::string& a, const std::string& b) {
    return "apps:\n  - {name: a, application: web, rate: 5, price: 3, memory: "
           "2Gi, pin: " +
           a +
           "}\n  - {name: b, application: web, rate: 5, price: 2, memory: "
           "2Gi, pin: " +
           b + "}\n";
  };
  const std::string plan = stage.At("plan.json");
  stage.Write("apps.yaml", apps("edge-1", "edge-2"));
  ASSERT_EQ(stage.PlaceAll({"--plan", plan}).code, 0);
  stage.Write("apps.yaml", apps("edge-2", "edge-1"));
  CommandRun cheap =
      stage.PlaceAll({"--previous", plan, "--migration-cost", "0.5"});
  EXPECT_THAT(cheap.out, HasSubstr("placed 2 of 2 apps"));
  EXPECT_THAT(cheap.out, HasSubstr("2 moves"));
  EXPECT_THAT(cheap.out, HasSubstr("objective revenue: 4.00"));
  CommandRun dear =
      stage.PlaceAll({"--previous", plan, "--migration-cost", "2.5"});
  EXPECT_THAT(dear.out, HasSubstr("placed 1 of 2 apps"));
  EXPECT_THAT(dear.out, HasSubstr("1 move\n"));
  EXPECT_THAT(dear.out, HasSubstr("b: it fits beside the others"));
  EXPECT_EQ(stage.PlaceAll({"--migration-cost", "1"}).code, 2);
}

TEST(PlaceCommand, ExitsWithThreeIfNothingCanBePlaced) {
  PlaceStage stage;
  stage.Write("apps.yaml",
              "apps:\n  - {name: web, rate: 5, memory: 1Gi, slo: p95=5ms}\n");
  CommandRun end = stage.PlaceAll();
  EXPECT_EQ(end.code, 3);
  EXPECT_THAT(end.err, HasSubstr("web fits on no server: alone p95 of web "
                                 "would be 15.0 ms, its SLO is 5.00 ms"));
}

TEST(PlaceCommand, ExitsWithThreeIfAllAreRequiredAndOneIsRejected) {
  PlaceStage stage;
  EXPECT_EQ(stage.PlaceAll({"--require-all"}).code, 3);
}

TEST(PlaceCommand, PlacesOnTheNodesOfTheCluster) {
  PlaceStage stage;
  auto add = [&](const std::string& name, bool ready) {
    NodeObject node{.meta = {.ref = {.name = name}}, .ready = ready};
    node.allocatable = {.cpus = Millicores{4000}, .memory = Gibibytes(2)};
    stage.cluster.AddNode(std::move(node));
  };
  add("node-b", true);
  add("node-a", true);
  add("node-c", false);
  CommandRun end = stage.Run({"--apps", stage.At("apps.yaml"), "--cluster",
                              "--costs", stage.At("costs.yaml"), "-o", "csv"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("node-a,nodes-1,"));
  EXPECT_THAT(end.out, HasSubstr("node-b,nodes-1,"));
  EXPECT_THAT(end.out, testing::Not(HasSubstr("node-c")));
  stage.cluster.Break(Unavailable("no API server"));
  EXPECT_EQ(stage
                .Run({"--apps", stage.At("apps.yaml"), "--cluster", "--costs",
                      stage.At("costs.yaml")})
                .code,
            1);
}

TEST(PlaceCommand, RefusesBadInputInOneLine) {
  PlaceStage stage;
  stage.Write("apps.yaml", "apps:\n  - {name: wob, rate: 5}\n");
  CommandRun unknown = stage.PlaceAll();
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("wob: costs.yaml has no application "
                                     "'wob'; did you mean 'web'?"));
  stage.Write("servers.yaml", "servers: []\n");
  CommandRun empty = stage.PlaceAll();
  EXPECT_EQ(empty.code, 2);
  EXPECT_THAT(empty.err, HasSubstr("no servers"));
  EXPECT_EQ(stage.Run({}).code, 2);
  EXPECT_EQ(stage.Run({"--apps", stage.At("apps.yaml")}).code, 2);
}

TEST(PlaceCommand, RefusesAppsAndServersOfTheSameName) {
  PlaceStage stage;
  stage.Write("apps.yaml",
              "apps:\n  - {name: a, application: web, rate: 5}\n"
              "  - {name: a, application: web, rate: 5}\n");
  CommandRun apps = stage.PlaceAll();
  EXPECT_EQ(apps.code, 2);
  EXPECT_THAT(apps.err, HasSubstr("'a' is listed twice"));
  stage.Write("apps.yaml", kApps);
  stage.Write("servers.yaml",
              "servers:\n  - {name: x, memory: 2Gi, costs: costs.yaml, "
              "servers: [s, s]}\n");
  CommandRun servers = stage.PlaceAll();
  EXPECT_EQ(servers.code, 2);
  EXPECT_THAT(servers.err, HasSubstr("two servers are called 's'"));
}

TEST(PlaceCommand, RefusesNegativeMemoryWithItsLine) {
  PlaceStage stage;
  stage.Write("apps.yaml", "apps:\n  - {name: web, rate: 5, memory: -5Mi}\n");
  CommandRun end = stage.PlaceAll();
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, HasSubstr("apps.yaml:2: memory: "));
}

TEST(PlaceCommand, RefusesAPlanThatWasEditedByHand) {
  PlaceStage stage;
  const std::string file = stage.At("plan.json");
  ASSERT_EQ(stage.PlaceAll({"--plan", file}).code, 0);
  const Json plan = ParseJson(ReadFile(file).value()).value();
  auto apply = [&](const std::string& text) {
    stage.Write("plan.json", text);
    return stage.Run({"apply", file, "--dry-run"});
  };
  EXPECT_EQ(apply(DumpJson(plan)).code, 0);

  Json unknown = plan;
  unknown["servers"][0]["apps"][0]["app"] = "wob";
  CommandRun end = apply(DumpJson(unknown));
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, HasSubstr("it places wob on edge-1"));

  EXPECT_EQ(apply("{").code, 2);

  Json many = plan;
  many["servers"][0]["apps"][0]["instances"] = 3;
  end = apply(DumpJson(many));
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, HasSubstr("it places more instances of a"));

  // Both applications on a server that is full with one.
  Json crowded = plan;
  crowded["servers"][0]["apps"].push_back(plan["servers"][1]["apps"][0]);
  crowded["servers"].erase(1);
  end = apply(DumpJson(crowded));
  EXPECT_EQ(end.code, 3);
  EXPECT_THAT(end.err, HasSubstr("the plan breaks a constraint: edge-1"));
}

TEST(PlaceCommand, AppliesAPlanWhoseCostsAreElsewhereWithAWarning) {
  PlaceStage stage;
  const std::string file = stage.At("plan.json");
  ASSERT_EQ(stage.PlaceAll({"--plan", file}).code, 0);
  std::filesystem::remove(stage.At("costs.yaml"));
  CommandRun end = stage.Run({"apply", file, "--dry-run"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("was not verified again"));
}

TEST(PlaceCommand, RefusesToVerifyForNoTimeBeforeItStartsAnything) {
  PlaceStage stage;
  const std::string file = stage.At("plan.json");
  ASSERT_EQ(stage.PlaceAll({"--plan", file}).code, 0);
  CommandRun end = stage.Run({"verify", file, "--duration", "0s"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, HasSubstr("--duration"));
}

TEST(PlaceCommand, CountsOneMoreAppThatFitsNowhere) {
  PlaceStage stage;
  std::string apps = "apps:\n";
  for (int i = 0; i < 6; ++i) {
    apps += fmt::format(
        "  - {{name: a{}, application: web, rate: 5, slo: p95=5ms}}\n", i);
  }
  stage.Write("apps.yaml", apps);
  EXPECT_THAT(stage.PlaceAll().err, HasSubstr("1 more fits on no server"));
}

TEST(PlaceCommand, GivesTheSamePlanForTheSameSeed) {
  PlaceStage stage;
  const std::string out = stage.At("s1");
  CommandRun made = stage.Run(
      {"scenario", "s1", "--servers", "2", "--memory", "2Gi", "--out", out});
  ASSERT_EQ(made.code, 0) << made.err;
  auto place = [&] {
    CommandRun end =
        stage.Run({"--apps", out + "/apps.yaml", "--servers",
                   out + "/servers.yaml", "--method", "fast", "-o", "csv"});
    EXPECT_EQ(end.code, 0) << end.err;
    return end.out;
  };
  EXPECT_EQ(place(), place());
}

TEST(PlaceCommand, PrintsAPage) {
  PlaceStage stage;
  CommandRun end = stage.PlaceAll({"-o", "html"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("<!doctype html>"));
}

}  // namespace
}  // namespace mete
