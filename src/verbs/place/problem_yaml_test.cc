#include "place/problem_yaml.h"

#include <gmock/gmock.h>

#include "place/scenario.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string AppsError(const std::string& text) {
  auto apps = ParseApps(text, "apps.yaml");
  return apps.ok() ? "" : apps.error().message();
}

TEST(ProblemYaml, ReadsEveryKeyOfAnApp) {
  auto apps = ParseApps(R"(apps:
  - name: cam
    application: iclf-mnet
    instances: 3
    rate: 2.5/s
    price: 10
    slo: sojourn p95=500ms
    memory: 512Mi
    pin: strong
    apart_from: [other]
    most_together: 2
    priority: 1
)",
                        "apps.yaml");
  ASSERT_TRUE(apps.ok()) << apps.error().message();
  const AppDemand& app = apps->front();
  EXPECT_EQ(app.name, "cam");
  EXPECT_EQ(app.application, "iclf-mnet");
  EXPECT_EQ(app.instances, 3);
  EXPECT_DOUBLE_EQ(app.rate, 2.5);
  EXPECT_EQ(app.slo->time, SloTime::kSojourn);
  EXPECT_DOUBLE_EQ(app.slo->limit.count(), 0.5);
  EXPECT_EQ(app.memory, Mebibytes(512));
  EXPECT_EQ(app.pin, "strong");
  EXPECT_THAT(app.apart, ElementsAre("other"));
  EXPECT_EQ(app.most_together, 2);
  EXPECT_EQ(app.priority, 1);
}

TEST(ProblemYaml, SurvivesItsFiles) {
  auto problem = MakeScenario({.kind = ScenarioKind::kS2, .servers = 4});
  ASSERT_TRUE(problem.ok());
  problem->apps[0].pin = "a \"quoted\" name";
  problem->apps[0].apart = {"r0002", "r0003"};
  problem->servers[0].power = ServerPower{Watts{50}, Watts{6.5}};
  auto apps = ParseApps(AppsYaml(problem->apps), "a");
  auto servers = ParseServers(ServersYaml(problem->servers), "s");
  ASSERT_TRUE(apps.ok()) << apps.error().message();
  ASSERT_TRUE(servers.ok()) << servers.error().message();
  EXPECT_EQ(AppsYaml(*apps), AppsYaml(problem->apps));
  EXPECT_EQ(ServersYaml(*servers), ServersYaml(problem->servers));
}

TEST(ProblemYaml, ExplainsBadAppsWithTheirLine) {
  EXPECT_THAT(AppsError("apps:\n  - name: a\n    memory: -5Mi\n"),
              HasSubstr("apps.yaml:3: memory: "));
  EXPECT_THAT(AppsError("apps:\n  - name: a\n    rat: 5\n"),
              HasSubstr("did you mean 'rate'"));
  EXPECT_THAT(AppsError("apps:\n  - name: a\n"), HasSubstr("requires a rate"));
  EXPECT_THAT(AppsError("apps:\n  - rate: 1\n"), HasSubstr("requires a name"));
  EXPECT_THAT(AppsError("apps:\n  - {name: a, rate: 1}\n"
                        "  - {name: a, rate: 1}\n"),
              HasSubstr("'a' is listed twice"));
  EXPECT_THAT(AppsError("apps: []\n"), HasSubstr("no apps"));
  EXPECT_THAT(AppsError("apps:\n  - {name: a, rate: 1, slo: p50=1s}\n"),
              HasSubstr("'p50' is not mean, p75, p95 or p99"));
  EXPECT_THAT(AppsError("apps:\n  - {name: a, rate: 0}\n"),
              HasSubstr("not a positive number of requests"));
}

TEST(ProblemYaml, ServersNeedMemoryAndOneSourceOfCosts) {
  auto error = [](const std::string& text) {
    auto servers = ParseServers(text, "s");
    return servers.ok() ? "" : servers.error().message();
  };
  EXPECT_THAT(error("servers:\n  - {name: a, costs: c}\n"),
              HasSubstr("a requires memory"));
  EXPECT_THAT(error("servers:\n  - {name: a, memory: 1Gi}\n"),
              HasSubstr("requires either costs"));
  EXPECT_THAT(error("servers: []\n"), HasSubstr("no servers"));
  EXPECT_THAT(error("servers:\n  - {name: a, memory: 1Gi, costs: c, "
                    "servers: [x, y], count: 3}\n"),
              HasSubstr("2 servers and a count of 3"));
}

TEST(ProblemYaml, RejectsPinsAndNamesThatDoNotExist) {
  PlacementProblem problem{
      .apps = {{.name = "a", .rate = 1}},
      .servers = {{.name = "weak", .count = 2, .memory = Gibibytes(1)}}};
  EXPECT_TRUE(CheckProblem(problem).ok());
  problem.apps[0].pin = "weak-2";
  EXPECT_TRUE(CheckProblem(problem).ok());
  problem.apps[0].pin = "weak-3";
  EXPECT_THAT(CheckProblem(problem).error().message(),
              HasSubstr("no server or type is called 'weak-3'"));
  problem.apps[0].pin.reset();
  problem.apps[0].apart = {"b"};
  EXPECT_THAT(CheckProblem(problem).error().message(),
              HasSubstr("no app is called 'b'"));
  problem.apps[0].apart = {"a"};
  EXPECT_THAT(CheckProblem(problem).error().message(),
              HasSubstr("write most_together: 1"));
}

// Names are made of them, and processes.
TEST(ProblemYaml, LimitsServersAndInstancesOfAllTogether) {
  PlacementProblem problem{
      .apps = {{.name = "a", .instances = 10'000, .rate = 1}},
      .servers = {{.name = "weak", .count = 60'000},
                  {.name = "strong", .count = 40'000}}};
  EXPECT_TRUE(CheckProblem(problem).ok());
  problem.servers[1].count = 40'001;
  EXPECT_EQ(CheckProblem(problem).error().message(),
            "100001 servers are too many; at most 100000");
  problem.servers.pop_back();
  for (int i = 0; i < 99; ++i) {
    problem.apps.push_back(
        {.name = "a" + std::to_string(i), .instances = 10'000, .rate = 1});
  }
  EXPECT_TRUE(CheckProblem(problem).ok());
  problem.apps.push_back({.name = "b", .instances = 1, .rate = 1});
  EXPECT_EQ(CheckProblem(problem).error().message(),
            "1000001 instances are too many; at most 1000000");
}

TEST(ProblemYaml, NamesAreUnique) {
  auto error = [](PlacementProblem problem) {
    Status checked = CheckProblem(problem);
    return checked.ok() ? "" : checked.error().message();
  };
  const AppDemand app{.name = "a", .rate = 1};
  const ServerType weak{.name = "weak", .count = 2};
  EXPECT_EQ(error({.apps = {app, app}, .servers = {weak}}),
            "two apps are called 'a'");
  EXPECT_EQ(error({.apps = {app}, .servers = {weak, weak}}),
            "two server types are called 'weak'");
  const ServerType same{.name = "one", .count = 1, .names = {"weak-2"}};
  EXPECT_EQ(error({.apps = {app}, .servers = {weak, same}}),
            "two servers are called 'weak-2'");
  const ServerType named{.name = "weak-2", .count = 1, .names = {"x"}};
  EXPECT_EQ(error({.apps = {app}, .servers = {weak, named}}),
            "'weak-2' is a server of weak and a type of servers");
  // A device is a type of its own.
  const ServerType device{.name = "here", .count = 1, .names = {"here"}};
  EXPECT_EQ(error({.apps = {app}, .servers = {weak, device}}), "");
}

}  // namespace
}  // namespace mete
