// mete watch on a real API server, with a real Prometheus and mete-agent:
// annotates the node of this machine, writes nothing while nothing changes, and
// survives the loss of the API server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "adapters/kubernetes/kubernetes_cluster.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/metric_server.h"
#include "tests/integration/running_agent.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

constexpr const char* kProfile = "mete.dev/profile";

// Memory in use, which changes little in the test. The tolerance is far beyond
// what other programs on the machine do.
constexpr const char* kConfig =
    "period: 1s\nwindow: 8s\nstep: 1s\nrange: 3s\ntolerance: 10000%\n"
    "metrics:\n"
    "- {name: memory, of: node, kind: gauge, unit: bytes, sources: [{query: "
    "'max by (exported_node, node) (mete_device_memory_bytes) - max by "
    "(exported_node, node) (last_over_time(mete_device_memory_available_bytes"
    "[$range]))', labels: {node: exported_node|node}}]}\n";

class WatchOnKubernetes : public testing::Test {
 protected:
  void SetUp() override {
    if (!ControlPlane::Unavailable().empty()) {
      GTEST_SKIP() << ControlPlane::Unavailable();
    }
    if (MetricServer::Program(MetricServerKind::kPrometheus).empty()) {
      GTEST_SKIP() << "prometheus is not installed";
    }
    if (geteuid() != 0) GTEST_SKIP() << "mete-agent --user root requires root";
    plane_.emplace();
    agent_.emplace(folder_.path());
    server_.emplace(
        MetricServerKind::kPrometheus, folder_.path(),
        std::vector<std::string>{agent_->url().substr(strlen("http://"))});
    char name[256] = {};
    ASSERT_EQ(gethostname(name, sizeof name - 1), 0);
    node_ = name;
    access_ = plane_->Admin();
    cluster_.emplace(access_, clock_);
    ApiClient client(access_, clock_);
    Json body = {{"metadata", {{"name", node_}}}};
    auto made = client.Send({.method = "POST",
                             .target = "/api/v1/nodes",
                             .content_type = "application/json",
                             .body = body.dump()});
    ASSERT_TRUE(made.ok() && made->ok());
    ASSERT_TRUE(
        WriteFileAtomically(folder_.path() / "watch.yaml", kConfig).ok());
    setenv("METE_PROMETHEUS", server_->url().c_str(), 1);
    setenv("KUBECONFIG", plane_->WriteKubeconfig("admin-token").c_str(), 1);
    setenv("METE_STATE", folder_.path().c_str(), 1);
  }

  std::vector<std::string> Command() const {
    return {METE_PROGRAM, "watch",    "--sink",
            "kubernetes", "--config", (folder_.path() / "watch.yaml").string()};
  }
  std::filesystem::path log() const { return folder_.path() / "watch.log"; }
  std::string Said() const {
    auto text = ReadFile(log());
    return text.ok() ? *text : "";
  }
  bool HasSaid(const std::string& text, size_t from = 0) const {
    return Said().find(text, from) != std::string::npos;
  }
  ObjectMeta Node() {
    auto meta =
        cluster_->Get({.api_version = "v1", .kind = "Node", .name = node_}, {});
    EXPECT_TRUE(meta.ok()) << meta.error().message();
    return meta.ok() ? *meta : ObjectMeta();
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  SystemClock clock_;
  std::optional<ControlPlane> plane_;
  std::optional<RunningAgent> agent_;
  std::optional<MetricServer> server_;
  std::string node_;
  ClusterAccess access_;
  std::optional<KubernetesCluster> cluster_;
};

TEST_F(WatchOnKubernetes, AnnotatesTheNodeOnceAndSurvivesTheApiServer) {
  Daemon mete(Command(), log());
  ASSERT_TRUE(Until([&] { return Node().annotations.contains(kProfile); }))
      << Said();
  const ObjectMeta first = Node();
  auto profile = ParseJson(first.annotations.at(kProfile));
  ASSERT_TRUE(profile.ok());
  EXPECT_GT(profile->at("metrics").at("memory").at("max").get<double>(), 1e6);

  // Several rounds later nothing was written again.
  const size_t before = Said().size();
  ASSERT_TRUE(Until([&] { return HasSaid("0 changed", before); })) << Said();
  EXPECT_EQ(Node().resource_version, first.resource_version) << Said();

  plane_->KillApiServer();
  plane_->StartApiServer();
  const size_t back = Said().size();
  ASSERT_TRUE(Until([&] { return HasSaid(" changed, ", back); })) << Said();
  EXPECT_EQ(Node().annotations.at(kProfile), first.annotations.at(kProfile));

  int status = mete.End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(WatchOnKubernetes, ASecondReplicaTakesOverFromAKilledLeader) {
  std::vector<std::string> command = Command();
  command.insert(command.end(), {"--lease", "default/mete-watch"});
  Daemon first(command, folder_.path() / "first.log");
  ASSERT_TRUE(Until([&] { return Node().annotations.contains(kProfile); }));
  Daemon second(command, log());
  ASSERT_TRUE(Until([&] { return HasSaid("leads; waiting"); })) << Said();
  EXPECT_FALSE(HasSaid("this replica leads")) << Said();
  first.End(SIGKILL);
  auto removed = cluster_->Patch(
      {.object = {.api_version = "v1", .kind = "Node", .name = node_},
       .remove = {kProfile}},
      {});
  ASSERT_TRUE(removed.ok()) << removed.error().message();
  EXPECT_TRUE(Until([&] { return HasSaid("this replica leads"); })) << Said();
  EXPECT_TRUE(Until([&] { return Node().annotations.contains(kProfile); }))
      << Said();
}

}  // namespace
}  // namespace mete
