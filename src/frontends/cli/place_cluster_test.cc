// mete place with --launcher kubernetes, on a cluster in memory.
#include <gmock/gmock.h>

#include "cli/place_command.h"
#include "cli/test_command.h"
#include "hosting/cluster_hosting.h"
#include "place/cost_table.h"
#include "support/file.h"
#include "support/json.h"
#include "support/scratch_folder.h"
#include "tests/fakes/fake_cluster.h"
#include "tests/fakes/fake_cluster_services.h"
#include "tests/fakes/fake_collecting.h"
#include "tests/fakes/fake_predictor.h"
#include "tests/fakes/fixed_nodes.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PlaceClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFileAtomically(network_, "relu").ok());
    // What predictions know, and the nodes of the cluster.
    nodes_.snapshot.nodes = {{.name = "board", .facts = {.cores = 4}},
                             {.name = "node-a", .facts = {.cores = 4}}};
    for (const char* name : {"node-a", "node-b"}) {
      NodeObject node{.meta = {.ref = {.name = name}}, .ready = true};
      node.allocatable = {.cpus = Millicores{4000}, .memory = Gibibytes(4)};
      cluster_.AddNode(std::move(node));
    }
    Write("costs.yaml",
          "pressures: [cpu]\napplications:\n  web:\n    pressure: [0.1]\n"
          "    service:\n      p95: {alone: 10ms, slowdown: [{slope: [1]}]}\n");
    Write("apps.yaml",
          "apps:\n"
          "  - {name: a, application: web, network: lenet5, instances: 3, "
          "rate: 5, memory: 1Gi, most_together: 2}\n"
          "  - {name: b, application: web, network: 'image:/nets/b.onnx', "
          "rate: 5, memory: 1Gi, pin: node-b}\n");
  }

  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / name, text).ok());
  }
  std::string At(const std::string& name) { return folder_.path() / name; }

  Result<ServiceHost*> OpenHost(const std::string& launcher) {
    if (launcher != "kubernetes")
      return Unsupported("a test has clusters only");
    host_.emplace(ClusterHostingDependencies{
        .services = services_, .clock = still_, .draw_id = [this] {
          return fmt::format("{:08}", ++drawn_);
        }});
    return &*host_;
  }
  PlaceCommandDependencies Dependencies() {
    PlaceCommandDependencies needs{
        .placing = {
            .costs = [this](const ServerType& type)
                -> Result<std::shared_ptr<const CostModel>> {
              ASSIGN_OR_RETURN(CostTable table, ReadCostTable(type.costs));
              return std::shared_ptr<const CostModel>(
                  std::make_shared<TableCosts>(std::move(table), "costs.yaml"));
            },
            .clock = clock_}};
    needs.cluster = [this]() -> Result<Cluster*> { return &cluster_; };
    needs.predicting = [this]() -> Result<PredictCommandDependencies> {
      return PredictCommandDependencies{
          .reader = platform_.files,
          .predictors = []() -> Result<PredictorSet> {
            PredictorSet set;
            set.full = std::make_shared<FakePredictor>();
            set.counts = set.full;
            return set;
          },
          .nodes = [this]() -> Result<NodeSource*> { return &nodes_; },
          .machine = {.register_this_device = [this]() -> Result<Device> {
                        return here_;
                      },
                      .collecting = [this]() -> Result<CollectDependencies> {
                        return platform_.Get();
                      }}};
    };
    needs.host = [this](const std::string& launcher) {
      return OpenHost(launcher);
    };
    needs.manifest = [](const ClusterServiceOrder& order) {
      return "manifest of " + order.name + " on " + order.node + "\n";
    };
    needs.zoo_network =
        [this](const std::string& name) -> Result<NetworkToServe> {
      if (name != "lenet5") return InvalidInput("unknown application");
      return NetworkToServe{.name = name, .path = network_};
    };
    return needs;
  }
  CommandRun Place(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "place");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddPlaceCommand(root, verbs, [&]() -> Result<PlaceCommandDependencies> {
        return Dependencies();
      });
    });
  }
  CommandRun PlaceInCluster(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(),
                     {"--launcher", "kubernetes", "--image", "mete:1"});
    return Place(arguments);
  }
  void MakePlan() {
    CommandRun end = Place({"--apps", At("apps.yaml"), "--cluster", "--costs",
                            At("costs.yaml"), "--plan", At("plan.json")});
    ASSERT_EQ(end.code, 0) << end.err << end.out;
  }
  std::string List() {
    return Place({"list", "--launcher", "kubernetes", "-o", "csv"}).out;
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
  std::string network_ = folder_.path() / "relu.onnx";
  SystemClock clock_;
  FakeClock still_;
  FakeCluster cluster_{clock_};
  FakeClusterServices services_;
  FakeCollecting platform_;
  FixedNodes nodes_;
  Device here_{.id = "fake-device",
               .name = "fake",
               .facts = platform_.host.facts,
               .micro = MicroMeasurements()};
  std::optional<ClusterHosting> host_;
  int drawn_ = 0;
};

TEST_F(PlaceClusterTest, StartsAZooNetworkOnTheBestNodeOfTheCluster) {
  CommandRun end = PlaceInCluster({"lenet5"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("node-a: "));
  EXPECT_THAT(end.out, HasSubstr("serving lenet5 at "
                                 "http://mete-lenet5-00000001.fake.svc:8000/v2/"
                                 "models/lenet5/infer"));
  const auto order = services_.Order("mete-lenet5-00000001");
  ASSERT_TRUE(order);
  EXPECT_EQ(order->node, "node-a");
  EXPECT_EQ(order->image, "mete:1");
  EXPECT_EQ(order->arguments[1], "lenet5");

  EXPECT_THAT(List(), HasSubstr("mete-lenet5-00000001,lenet5,node-a,kubernetes,"
                                "running,http://"));
  EXPECT_EQ(Place({"stop", "lenet5", "--launcher", "kubernetes"}).code, 0);
  EXPECT_THAT(List(), Not(HasSubstr("lenet5")));
}

TEST_F(PlaceClusterTest, RunsOnANodeOfTheUsersChoiceWithoutAPrediction) {
  CommandRun end = PlaceInCluster({"lenet5", "--node", "node-b"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("node-b: no prediction\n"));
  EXPECT_EQ(services_.Order("mete-lenet5-00000001")->node, "node-b");
  CommandRun none = PlaceInCluster({"lenet5", "--node", "node-x"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("services cannot be started on 'node-x'"));
}

TEST_F(PlaceClusterTest, SaysThatNoNodeHasAPrediction) {
  nodes_.snapshot.nodes.pop_back();
  CommandRun end = PlaceInCluster({"lenet5"});
  EXPECT_EQ(end.code, 3);
  EXPECT_THAT(end.err, HasSubstr("choose a node with --node: node-a, node-b"));
  EXPECT_EQ(drawn_, 0);
}

TEST_F(PlaceClusterTest, RefusesFilesThatTheImageDoesNotHave) {
  CommandRun end = PlaceInCluster({network_});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, HasSubstr("build it into the image and add --in-image"));
  CommandRun inside = PlaceInCluster({network_, "--in-image", "/nets/r.onnx"});
  EXPECT_EQ(inside.code, 0) << inside.err;
  EXPECT_EQ(services_.Order("mete-relu-00000001")->arguments[1],
            "/nets/r.onnx");
  EXPECT_EQ(Place({"lenet5", "--launcher", "kubernetes"}).code, 2);
  EXPECT_EQ(Place({network_, "--in-image", "/n.onnx"}).code, 2);
}

TEST_F(PlaceClusterTest, AppliesAPlanListsItAndStopsIt) {
  MakePlan();
  CommandRun end = PlaceInCluster({"apply", At("plan.json"), "-o", "json"});
  ASSERT_EQ(end.code, 0) << end.err;
  const Json applied = ParseJson(end.out).value().at("services");
  ASSERT_EQ(applied.size(), 3u) << end.out;
  int instances = 0;
  for (const Json& one : applied) {
    const auto order = services_.Order(one.at("id").get<std::string>());
    ASSERT_TRUE(order);
    EXPECT_EQ(order->node, one.at("device"));
    EXPECT_EQ(order->limits.memory, Gibibytes(1));
    instances += order->instances;
    if (one.at("app") == "b") {
      EXPECT_EQ(order->node, "node-b");
      EXPECT_EQ(order->arguments[1], "/nets/b.onnx");
    }
  }
  EXPECT_EQ(instances, 4);
  // Again changes what runs, it adds nothing.
  EXPECT_EQ(PlaceInCluster({"apply", At("plan.json")}).code, 0);
  EXPECT_EQ(services_.List({}, {})->size(), 3u);
  EXPECT_EQ(Place({"stop", "--all", "--launcher", "kubernetes"}).code, 0);
  EXPECT_EQ(services_.List({}, {})->size(), 0u);
}

TEST_F(PlaceClusterTest, StopsTheOthersIfOneCannotBeStopped) {
  MakePlan();
  ASSERT_EQ(PlaceInCluster({"apply", At("plan.json")}).code, 0);
  const std::string first = services_.List({}, {})->front().name;
  services_.AddForeign(first);
  CommandRun end = Place({"stop", "--all", "--launcher", "kubernetes"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err, HasSubstr("(" + first + "): "));
  ASSERT_EQ(services_.List({}, {})->size(), 1u);
  EXPECT_EQ(services_.List({}, {})->front().name, first);
}

TEST_F(PlaceClusterTest, PrintsTheSameManifestsEveryTime) {
  MakePlan();
  auto print = [&] {
    return PlaceInCluster({"apply", At("plan.json"), "--dry-run"}).out;
  };
  const std::string manifests = print();
  EXPECT_THAT(manifests, HasSubstr("manifest of mete-b-"));
  EXPECT_THAT(manifests, HasSubstr("on node-b\n"));
  EXPECT_EQ(print(), manifests);
  EXPECT_EQ(services_.List({}, {})->size(), 0u);
}

TEST_F(PlaceClusterTest, StopsWhatItStartedIfOneServiceFails) {
  MakePlan();
  // The id of b, which is not the first to be started.
  PlaceInCluster({"apply", At("plan.json")});
  const auto running = services_.List({{"mete.dev/app", "b"}}, {});
  ASSERT_EQ(running->size(), 1u);
  const std::string id = running->front().name;
  Place({"stop", "--all", "--launcher", "kubernetes"});
  services_.Break(id, NotFound("ImagePullBackOff: no such image"));
  CommandRun end = PlaceInCluster({"apply", At("plan.json")});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err, HasSubstr("no such image"));
  EXPECT_EQ(services_.List({}, {})->size(), 0u);
}

TEST_F(PlaceClusterTest, RequiresCostsForNodes) {
  CommandRun end = Place({"--apps", At("apps.yaml"), "--cluster"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.err, HasSubstr("--cluster requires --costs"));
}

}  // namespace
}  // namespace mete
