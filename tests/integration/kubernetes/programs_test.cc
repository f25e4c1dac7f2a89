// The program mete on a real API server whose nodes run pods as processes: a
// collection and a session on every node, a trial of nodes, and what is left
// after mete was killed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "adapters/sqlite/sqlite_run_store.h"
#include "support/file.h"
#include "tests/integration/daemon.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/kubernetes/process_kubelet.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
// Inside GoogleTest's classes, Run is a member function.
using StoredRun = Run;

class ProgramsOnKubernetes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!ControlPlane::Unavailable().empty()) return;
    plane_ = std::make_unique<ControlPlane>();
    if (!plane_->StartControllers()) plane_.reset();
  }
  static void TearDownTestSuite() { plane_.reset(); }

  void SetUp() override {
    if (plane_ == nullptr) {
      GTEST_SKIP() << (ControlPlane::Unavailable().empty()
                           ? "no controller manager; run ./dev cluster"
                           : ControlPlane::Unavailable());
    }
    api_ = std::make_unique<ApiCaller>(plane_->Admin());
    setenv("KUBECONFIG", plane_->WriteKubeconfig("admin-token").c_str(), 1);
    setenv("METE_STATE", (folder_.path() / "state").c_str(), 1);
  }
  void TearDown() override {
    nodes_.clear();
    if (api_ == nullptr) return;
    for (const char* name : {"edge-1", "edge-2"}) {
      api_->Send("DELETE", std::string("/api/v1/nodes/") + name);
    }
  }

  void StartNodes() {
    for (const char* name : {"edge-1", "edge-2"}) {
      nodes_.push_back(std::make_unique<ProcessKubelet>(
          plane_->Admin(), name,
          std::map<std::string, ProcessKubelet::Image>{
              {"mete:test", {.command = {METE_PROGRAM}}},
              {"shell:test", {.command = {"/bin/sh", "-c"}}}}));
    }
  }
  std::vector<std::string> Command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {METE_PROGRAM, "--store", "sqlite:" + store_.string()});
    return arguments;
  }
  // Returns the exit code. The output is in Said().
  int Mete(const std::vector<std::string>& arguments) {
    Descriptor log(
        open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    auto started = Spawn({.arguments = Command(arguments),
                          .output = log.number(),
                          .errors = log.number()});
    CHECK(started.ok());
    int status = 0;
    CHECK(waitpid(*started, &status, 0) == *started);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string Said() const {
    auto text = ReadFile(log_);
    return text.ok() ? *text : "";
  }
  std::vector<StoredRun> Runs(const std::string& device) const {
    auto store = SqliteRunStore::Open(store_);
    EXPECT_TRUE(store.ok());
    auto runs = (*store)->ListRuns({.device = device});
    return runs.ok() ? *runs : std::vector<StoredRun>();
  }
  std::vector<std::string> Jobs() {
    std::vector<std::string> names;
    Json list = api_->Get(
        "/apis/batch/v1/namespaces/default/jobs?labelSelector="
        "app.kubernetes.io/managed-by%3Dmete");
    for (const Json& job : list.value("items", Json::array())) {
      names.push_back(job["metadata"]["name"]);
    }
    return names;
  }
  size_t Running() const {
    size_t count = 0;
    for (const auto& node : nodes_) count += node->running();
    return count;
  }
  // Pods of the test before may still be running.
  bool HasStarted() { return !Jobs().empty() && Running() > 0; }
  std::vector<std::string> Trial(const std::string& script) const {
    return {"trial",
            "--launcher",
            "kubernetes",
            "--image",
            "shell:test",
            "--vary",
            "device=edge-1,edge-2",
            "--log-value",
            "([0-9.]+) steps/s",
            "--budget",
            "20s",
            "--",
            script};
  }

  static std::unique_ptr<ControlPlane> plane_;
  ScratchFolder folder_ = *ScratchFolder::Create();
  const std::filesystem::path store_ = folder_.path() / "runs.db";
  const std::filesystem::path log_ = folder_.path() / "mete.log";
  std::unique_ptr<ApiCaller> api_;
  std::vector<std::unique_ptr<ProcessKubelet>> nodes_;
};

std::unique_ptr<ControlPlane> ProgramsOnKubernetes::plane_;

TEST_F(ProgramsOnKubernetes, CollectsANetworkOnEveryNode) {
  StartNodes();
  const std::vector<std::string> collect = {
      "collect",   "--launcher", "kubernetes", "--nodes", "all", "--image",
      "mete:test", "--networks", "zoo:lenet5", "--load",  "0",   "--seconds",
      "100ms",     "--parallel", "2",          "-o",      "csv"};
  ASSERT_EQ(Mete(collect), 0) << Said();
  EXPECT_EQ(Said(),
            "node,planned,found,measured,failed\n"
            "edge-1,1,0,1,0\nedge-2,1,0,1,0\n");
  for (const char* node : {"edge-1", "edge-2"}) {
    ASSERT_THAT(Runs(node), SizeIs(1)) << node;
    EXPECT_EQ(Runs(node)[0].device_id, std::string("machine-of-") + node);
    EXPECT_GT(Runs(node)[0].network()->latency->mean.count(), 0);
  }
  EXPECT_THAT(Jobs(), IsEmpty());
  ASSERT_EQ(Mete(collect), 0) << Said();
  EXPECT_EQ(Said(),
            "node,planned,found,measured,failed\n"
            "edge-1,1,1,0,0\nedge-2,1,1,0,0\n");
}

TEST_F(ProgramsOnKubernetes, ASessionRunsOnEveryNode) {
  StartNodes();
  const std::filesystem::path file = folder_.path() / "session.yaml";
  ASSERT_TRUE(WriteFileAtomically(file,
                                  "applications:\n"
                                  "- {name: hello, image: 'shell:test', "
                                  "launcher: kubernetes, nodes: all, "
                                  "args: ['echo hello']}\n")
                  .ok());
  const std::filesystem::path out = folder_.path() / "out";
  ASSERT_EQ(Mete({"session", "run", file, "--out", out}), 0) << Said();
  EXPECT_THAT(Said(), HasSubstr("hello@edge-1"));
  EXPECT_THAT(Runs("edge-2"), SizeIs(1));
  auto output = ReadFile(out / "hello-edge-2/app.log");
  ASSERT_TRUE(output.ok()) << output.error().message();
  EXPECT_THAT(*output, HasSubstr("hello"));
  EXPECT_THAT(Jobs(), IsEmpty());
}

TEST_F(ProgramsOnKubernetes, ATrialReadsTheSpeedOfNodesFromTheirLogs) {
  StartNodes();
  const int code =
      Mete(Trial("i=0; while [ $i -lt 1000 ]; do echo 7.5 steps/s; i=$((i+1)); "
                 "sleep 0.05; done"));
  // They are equally fast, so chance decides whether one of them wins.
  EXPECT_TRUE(code == 0 || code == 4) << Said();
  EXPECT_THAT(Said(), HasSubstr("device=edge-1"));
  EXPECT_THAT(Said(), HasSubstr("7.5"));
  EXPECT_THAT(Runs("edge-1"), Not(IsEmpty()));
  EXPECT_THAT(Jobs(), IsEmpty());
}

TEST_F(ProgramsOnKubernetes, TheNextMeteRemovesTheJobsOfAKilledTrial) {
  StartNodes();
  Daemon trial(Command(Trial("while :; do echo 1 steps/s; sleep 0.1; done")),
               log_);
  ASSERT_TRUE(Until([&] { return HasStarted(); })) << Said();
  trial.End(SIGKILL);
  const std::vector<std::string> left = Jobs();
  ASSERT_THAT(left, SizeIs(1));
  ASSERT_EQ(Mete({"measure", "--image", "shell:test", "--launcher",
                  "kubernetes", "--", "echo done"}),
            0)
      << Said();
  EXPECT_THAT(Jobs(), IsEmpty());
  EXPECT_TRUE(Until([&] { return Running() == 0; }));
}

TEST_F(ProgramsOnKubernetes, AnInterruptedCollectionEndsItsJobs) {
  StartNodes();
  Daemon collect(
      Command({"collect", "--launcher", "kubernetes", "--nodes", "edge-1",
               "--image", "mete:test", "--networks", "zoo"}),
      log_);
  ASSERT_TRUE(Until([&] { return HasStarted(); })) << Said();
  const int status = collect.End(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << Said();
  EXPECT_THAT(Jobs(), IsEmpty());
  EXPECT_TRUE(Until([&] { return Running() == 0; }));
}

}  // namespace
}  // namespace mete
