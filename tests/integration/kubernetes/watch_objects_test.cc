// mete watch on a real API server with metrics that the test makes up: pods
// with their owners, nodes that come and go, and a compacted history.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "net/http_server.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"
#include "tests/integration/kubernetes/api_caller.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/metric_server.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

constexpr const char* kNodeProfile = "mete.dev/profile";

constexpr const char* kObjectsConfig =
    "period: 1s\nwindow: 8s\nstep: 1s\nrange: 3s\n"
    "metrics:\n"
    "- {name: memory, of: node, kind: gauge, unit: bytes, sources: "
    "[{query: test_node_memory, labels: {node: node}}]}\n"
    "- {name: memory, of: pod, kind: gauge, unit: bytes, sources: "
    "[{query: test_pod_memory, labels: {namespace: namespace, pod: pod}}]}\n";

class WatchObjects : public testing::Test {
 protected:
  void SetUp() override {
    if (!ControlPlane::Unavailable().empty()) {
      GTEST_SKIP() << ControlPlane::Unavailable();
    }
    if (MetricServer::Program(MetricServerKind::kPrometheus).empty()) {
      GTEST_SKIP() << "prometheus is not installed";
    }
    plane_.emplace();
    api_.emplace(plane_->Admin());
    exporter_ = *HttpServer::Start(
        {.listen = {.host = "127.0.0.1"}},
        HttpHandler([this](const HttpRequest&) {
          return HttpReply{{.status = 200,
                            .fields = {{"content-type", "text/plain"}},
                            .body = Page()}};
        }));
    server_.emplace(MetricServerKind::kPrometheus, folder_.path(),
                    std::vector{Here(exporter_->endpoint().port)});
    ASSERT_TRUE(
        WriteFileAtomically(folder_.path() / "watch.yaml", kObjectsConfig)
            .ok());
    setenv("METE_PROMETHEUS", server_->url().c_str(), 1);
    setenv("KUBECONFIG", plane_->WriteKubeconfig("admin-token").c_str(), 1);
    setenv("METE_STATE", folder_.path().c_str(), 1);
  }

  // A series "NAME{LABELS}" that the exporter reports from now on.
  void Report(const std::string& series, double value) {
    std::lock_guard lock(mutex_);
    series_[series] = value;
  }
  std::string Page() {
    std::lock_guard lock(mutex_);
    std::string page;
    for (const auto& [series, value] : series_) {
      page += series + " " + std::to_string(value) + "\n";
    }
    return page;
  }
  void AddNode(const std::string& name) {
    api_->MakeNode(name, "4");
    Report("test_node_memory{node=\"" + name + "\"}", 1e9);
  }
  // A running pod of this owner.
  void AddPod(const std::string& name, const Json& owner, double memory) {
    Json reference = {{"apiVersion", owner["apiVersion"]},
                      {"kind", owner["kind"]},
                      {"name", owner["metadata"]["name"]},
                      {"uid", owner["metadata"]["uid"]},
                      {"controller", true}};
    const Json app = {{"name", "app"}, {"image", "x.example/none:1"}};
    Json pod = api_->Create(
        "/api/v1/namespaces/default/pods",
        {{"metadata",
          {{"name", name}, {"ownerReferences", Json::array({reference})}}},
         {"spec", {{"nodeName", "n0"}, {"containers", Json::array({app})}}}});
    api_->SetRunning(pod);
    Report("test_pod_memory{namespace=\"default\",pod=\"" + name + "\"}",
           memory);
  }
  std::string Annotation(const std::string& target, const std::string& key) {
    Json meta = api_->Get(target).value("metadata", Json::object());
    return meta.value("annotations", Json::object()).value(key, "");
  }
  bool HasProfile(const std::string& node) {
    return !Annotation("/api/v1/nodes/" + node, kNodeProfile).empty();
  }
  std::filesystem::path log() const { return folder_.path() / "watch.log"; }
  std::string Said() const {
    auto text = ReadFile(log());
    return text.ok() ? *text : "";
  }
  std::vector<std::string> Command() const {
    return {METE_PROGRAM, "watch",    "--sink",
            "kubernetes", "--config", (folder_.path() / "watch.yaml").string()};
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::optional<ControlPlane> plane_;
  std::optional<ApiCaller> api_;
  std::mutex mutex_;
  std::map<std::string, double> series_;
  std::unique_ptr<HttpServer> exporter_;
  std::optional<MetricServer> server_;
};

TEST_F(WatchObjects, OwnersKeepWhatTheirPodsNeeded) {
  api_->Create(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      {{"metadata", {{"name", "mpijobs.kubeflow.org"}}},
       {"spec",
        {{"group", "kubeflow.org"},
         {"scope", "Namespaced"},
         {"names",
          {{"plural", "mpijobs"}, {"singular", "mpijob"}, {"kind", "MPIJob"}}},
         {"versions",
          {{{"name", "v1"},
            {"served", true},
            {"storage", true},
            {"subresources", {{"status", Json::object()}}},
            {"schema",
             {{"openAPIV3Schema",
               {{"type", "object"},
                {"x-kubernetes-preserve-unknown-fields", true}}}}}}}}}}});
  const std::string jobs = "/apis/kubeflow.org/v1/namespaces/default/mpijobs";
  ASSERT_TRUE(Until([&] { return api_->Send("GET", jobs).ok(); }));
  Json mpi = api_->Create(jobs, {{"apiVersion", "kubeflow.org/v1"},
                                 {"kind", "MPIJob"},
                                 {"metadata", {{"name", "train"}}}});
  const Json app = {{"name", "app"}, {"image", "x.example/none:1"}};
  Json job = api_->Create("/apis/batch/v1/namespaces/default/jobs",
                          {{"apiVersion", "batch/v1"},
                           {"kind", "Job"},
                           {"metadata", {{"name", "batch"}}},
                           {"spec",
                            {{"template",
                              {{"spec",
                                {{"restartPolicy", "Never"},
                                 {"containers", Json::array({app})}}}}}}}});
  job["apiVersion"] = "batch/v1";
  job["kind"] = "Job";
  AddNode("n0");
  AddPod("worker-0", mpi, 250e6);
  AddPod("batch-0", job, 125e6);
  Daemon mete(Command(), log());
  const std::string key = "ai.centaurus.io/worker-0";
  EXPECT_TRUE(Until([&] { return !Annotation(jobs + "/train", key).empty(); }))
      << Said();
  EXPECT_THAT(Annotation(jobs + "/train", key),
              testing::AllOf(testing::HasSubstr("'cpu_mem_mb': 250"),
                             testing::HasSubstr("'node': 'n0'")));
  EXPECT_TRUE(Until([&] {
    return !Annotation("/apis/batch/v1/namespaces/default/jobs/batch",
                       "ai.centaurus.io/batch-0")
                .empty();
  })) << Said();
  EXPECT_FALSE(
      Annotation("/api/v1/namespaces/default/pods/worker-0", kNodeProfile)
          .empty());
  // The value outlives the pod, and later pods stand beside it.
  api_->Confirm(api_->Get("/api/v1/namespaces/default/pods/worker-0"));
  AddPod("worker-1", mpi, 500e6);
  EXPECT_TRUE(Until([&] {
    return !Annotation(jobs + "/train", "ai.centaurus.io/worker-1").empty();
  })) << Said();
  EXPECT_THAT(Annotation(jobs + "/train", key),
              testing::HasSubstr("'cpu_mem_mb': 250"));
}

TEST_F(WatchObjects, FollowsNodesThatComeAndGoAcrossACompaction) {
  constexpr int kNodes = 20;
  for (int i = 0; i < kNodes; ++i) AddNode("n" + std::to_string(i));
  Daemon mete(Command(), log());
  for (int i = 0; i < kNodes; ++i) {
    ASSERT_TRUE(Until([&] { return HasProfile("n" + std::to_string(i)); }))
        << Said();
  }
  for (int i = 0; i < kNodes / 2; ++i) {
    api_->Send("DELETE", "/api/v1/nodes/n" + std::to_string(i));
  }
  // The same name, but another object.
  for (int i = 0; i < 3; ++i) AddNode("n" + std::to_string(i));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Until([&] { return HasProfile("n" + std::to_string(i)); }))
        << Said();
  }
  // What happened while the server was away is not in its history any more.
  plane_->KillApiServer();
  plane_->Compact();
  plane_->StartApiServer();
  AddNode("late");
  EXPECT_TRUE(Until([&] { return HasProfile("late"); })) << Said();
  EXPECT_FALSE(HasProfile("n9"));
  const int status = mete.End(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << Said();
}

}  // namespace
}  // namespace mete
