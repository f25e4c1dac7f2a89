// The launcher `kubernetes` on a real control plane. No kubelet runs: the tests
// write the status of pods as one would.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <thread>

#include "adapters/kubernetes/kubernetes_launcher.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

constexpr const char* kNode = "node-a";

class JobTest : public testing::Test {
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
    admin_ = std::make_unique<ApiClient>(plane_->Admin(), clock_);
    MakeNode(kNode, "4");
    MakeNode("node-b", "4");
    auto opened = KubernetesLauncher::Open(Settings(), clock_);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    launcher_ = *std::move(opened);
  }
  void TearDown() override {
    if (launcher_ == nullptr) return;
    EXPECT_TRUE(Until([&] { return Jobs().empty(); })) << "a Job is left";
  }

  KubernetesLauncherSettings Settings() {
    static uint64_t seed = static_cast<uint64_t>(getpid());
    return {.access = plane_->Admin(),
            .patience = {.unschedulable = std::chrono::seconds(2),
                         .start = std::chrono::seconds(30)},
            .seed = ++seed};
  }
  ApiAnswer Send(const std::string& method, const std::string& target,
                 const Json& body = Json::object(),
                 const std::string& type = "application/json") {
    auto answer = admin_->Send({.method = method,
                                .target = target,
                                .content_type = type,
                                .body = method == "GET" ? "" : body.dump()});
    return answer.ok() ? *answer : ApiAnswer();
  }
  Json Get(const std::string& target) {
    auto json = ParseJson(Send("GET", target).body);
    return json.ok() ? *json : Json::object();
  }
  void MakeNode(const std::string& name, const std::string& cpus) {
    Json amounts = {{"cpu", cpus}, {"memory", "8Gi"}, {"pods", "50"}};
    Send("POST", "/api/v1/nodes",
         {{"metadata", {{"name", name}}},
          {"status",
           {{"capacity", amounts},
            {"allocatable", amounts},
            {"nodeInfo",
             {{"machineID", "machine-of-" + name},
              {"systemUUID", ""},
              {"bootID", ""},
              {"kernelVersion", ""},
              {"osImage", ""},
              {"containerRuntimeVersion", ""},
              {"kubeletVersion", ""},
              {"kubeProxyVersion", ""},
              {"operatingSystem", "linux"},
              {"architecture", "amd64"}}},
            {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
  }
  std::vector<std::string> Jobs() {
    std::vector<std::string> names;
    Json list =
        Get("/apis/batch/v1/namespaces/default/jobs?labelSelector="
            "app.kubernetes.io/managed-by%3Dmete");
    for (const Json& job : list.value("items", Json::array())) {
      names.push_back(job["metadata"]["name"]);
    }
    return names;
  }
  // The pod of the only Job, once it has a node.
  Json BoundPod() {
    Json found;
    EXPECT_TRUE(Until([&] {
      const std::vector<std::string> jobs = Jobs();
      if (jobs.empty()) return false;
      Json list =
          Get("/api/v1/namespaces/default/pods?labelSelector=job-name%3D" +
              jobs.front());
      for (const Json& pod : list.value("items", Json::array())) {
        if (pod["spec"].contains("nodeName")) found = pod;
      }
      return !found.is_null();
    })) << "no pod has a node";
    return found;
  }
  void SetStatus(const Json& pod, const Json& status) {
    const std::string name = pod["metadata"]["name"];
    ApiAnswer answer =
        Send("PATCH", "/api/v1/namespaces/default/pods/" + name + "/status",
             {{"status", status}}, "application/strategic-merge-patch+json");
    EXPECT_TRUE(answer.ok()) << answer.body;
  }
  static Json ContainerState(const char* kind, const Json& state) {
    return Json::array({{{"name", "app"},
                         {"image", "x"},
                         {"imageID", "x"},
                         {"ready", false},
                         {"restartCount", 0},
                         {"state", {{kind, state}}}}});
  }
  void SetRunning(const Json& pod) {
    SetStatus(
        pod,
        {{"phase", "Running"},
         {"containerStatuses",
          ContainerState("running", {{"startedAt", "2026-01-01T00:00:00Z"}})}});
  }
  void SetTerminated(const Json& pod, int code, const char* reason) {
    SetStatus(pod, {{"phase", code == 0 ? "Succeeded" : "Failed"},
                    {"containerStatuses",
                     ContainerState("terminated", {{"exitCode", code},
                                                   {"reason", reason}})}});
  }
  // What the kubelet of a node does after a deletion.
  void Confirm(const Json& pod) {
    const std::string name = pod["metadata"]["name"];
    Send("DELETE", "/api/v1/namespaces/default/pods/" + name,
         {{"gracePeriodSeconds", 0}});
  }

  static LaunchRequest Request() {
    return {.command = {"work", "$HOME"},
            .container = ContainerSettings{.image = "example.com/app:1"},
            .node = kNode,
            .run_id = "run-1"};
  }
  // Starts while another thread acts on the pod as its kubelet.
  Result<std::unique_ptr<RunningApplication>> StartWith(
      const LaunchRequest& request, const std::function<void(Json)>& kubelet) {
    std::jthread actor([&] { kubelet(BoundPod()); });
    return launcher_->Start(request);
  }

  // Writes answers of the server for the unit tests (tests/fixtures).
  void Record(const std::string& folder) {
    auto write = [&](const char* name, const char* target) {
      EXPECT_TRUE(
          WriteFileAtomically(folder + "/" + name, Send("GET", target).body)
              .ok());
    };
    write("pods.json",
          ("/api/v1/namespaces/default/pods?labelSelector=job-name%3D" +
           Jobs().at(0))
              .c_str());
    write("nodes.json", "/api/v1/nodes?limit=2");
    write("batch_v1.json", "/apis/batch/v1");
  }

  static std::unique_ptr<ControlPlane> plane_;
  SystemClock clock_;
  std::unique_ptr<ApiClient> admin_;
  std::unique_ptr<KubernetesLauncher> launcher_;
};

std::unique_ptr<ControlPlane> JobTest::plane_;

TEST_F(JobTest, ReportsTheExitCodeAndTheNode) {
  Json pod;
  auto started = StartWith(Request(), [&](const Json& bound) {
    pod = bound;
    SetRunning(pod);
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  RunningApplication& job = **started;
  EXPECT_FALSE(job.Wait(std::chrono::milliseconds(50)));
  EXPECT_EQ(job.Place()->device_name, kNode);
  EXPECT_EQ(job.Place()->device_id, "machine-of-node-a");
  SetTerminated(pod, 3, "Error");
  ASSERT_TRUE(job.Wait(std::chrono::seconds(20)));
  job.Kill();
  EXPECT_EQ(job.Outcome().exit_code, 3);
  EXPECT_EQ(job.Outcome().oom_kills, 0u);
}

TEST_F(JobTest, TheJobSaysWhatWasAskedFor) {
  LaunchRequest request = Request();
  request.limits = {.memory = Mebibytes(64), .cpus = Millicores{1500}};
  request.environment = {{"A", "$(B)"}};
  Json pod;
  auto started = StartWith(request, [&](const Json& bound) {
    pod = bound;
    SetRunning(pod);
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  const Json& container = pod["spec"]["containers"][0];
  EXPECT_EQ(pod["spec"]["nodeName"], kNode);
  EXPECT_EQ(container["args"], (Json{"work", "$$HOME"}));
  EXPECT_EQ(container["env"][0]["value"], "$$(B)");
  EXPECT_EQ(container["resources"]["limits"]["cpu"], "1500m");
  EXPECT_EQ(container["resources"]["requests"]["memory"], "67108864");
  EXPECT_EQ(pod["metadata"]["labels"]["mete.dev/run"], "run-1");
  EXPECT_EQ(pod["spec"]["automountServiceAccountToken"], false);
  SetTerminated(pod, 0, "Completed");
  EXPECT_TRUE((*started)->Wait(std::chrono::seconds(20)));
}

TEST_F(JobTest, AnOutOfMemoryKillIsProved) {
  LaunchRequest request = Request();
  request.limits = {.memory = Mebibytes(64), .cpus = Millicores{1500}};
  auto started = StartWith(request, [&](const Json& pod) {
    SetRunning(pod);
    SetTerminated(pod, 137, "OOMKilled");
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  ASSERT_TRUE((*started)->Wait(std::chrono::seconds(20)));
  EXPECT_EQ((*started)->Outcome().oom_kills, 1u);
  EXPECT_EQ((*started)->Outcome().signal, SIGKILL);
  if (getenv("METE_TEST_RECORD") != nullptr) Record(getenv("METE_TEST_RECORD"));
}

TEST_F(JobTest, AnEvictionIsProved) {
  auto started = StartWith(Request(), [&](const Json& pod) {
    SetRunning(pod);
    SetStatus(pod, {{"phase", "Failed"},
                    {"reason", "Evicted"},
                    {"message", "The node was low on resource: memory."}});
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  ASSERT_TRUE((*started)->Wait(std::chrono::seconds(20)));
  auto proved = (*started)->Outcome().proved;
  ASSERT_TRUE(proved.has_value());
  EXPECT_EQ(proved->kind, OutcomeKind::kCrashed);
  EXPECT_EQ(proved->detail,
            "node node-a: Evicted: The node was low on resource: memory.");
}

TEST_F(JobTest, AMissingImageIsNotFound) {
  auto started = StartWith(Request(), [&](const Json& pod) {
    SetStatus(
        pod,
        {{"phase", "Pending"},
         {"containerStatuses",
          ContainerState("waiting", {{"reason", "ImagePullBackOff"},
                                     {"message", "Back-off pulling image"}})}});
    std::thread([this, pod] {
      Until([&] { return Jobs().empty(); });
      Confirm(pod);
    }).join();
  });
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(started.error().message().find("Back-off pulling image"),
            std::string::npos);
}

TEST_F(JobTest, WhatNoNodeFitsIsRejectedWithTheSchedulersWords) {
  LaunchRequest request = Request();
  request.node = "";
  request.container->gpus = GpuChoice{.count = 4};
  auto started = launcher_->Start(request);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(started.error().message().find("Insufficient nvidia.com/gpu"),
            std::string::npos)
      << started.error().message();
}

TEST_F(JobTest, StopEndsAStartThatWaits) {
  std::stop_source stop;
  LaunchRequest request = Request();
  request.stop = stop.get_token();
  auto started = StartWith(request, [&](const Json& pod) {
    stop.request_stop();
    Until([&] { return Jobs().empty(); });
    Confirm(pod);
  });
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kInterrupted);
}

TEST_F(JobTest, TerminateDeletesThePodAndKeepsItsLastStatus) {
  Json pod;
  auto started = StartWith(Request(), [&](const Json& bound) {
    pod = bound;
    SetRunning(pod);
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  (*started)->Terminate();
  const std::string target = "/api/v1/namespaces/default/pods/" +
                             pod["metadata"]["name"].get<std::string>();
  EXPECT_TRUE(Until(
      [&] { return Get(target)["metadata"].contains("deletionTimestamp"); }));
  EXPECT_FALSE((*started)->Wait(std::chrono::milliseconds(50)));
  SetTerminated(pod, 143, "Error");
  Confirm(pod);
  ASSERT_TRUE((*started)->Wait(std::chrono::seconds(20)));
  EXPECT_EQ((*started)->Outcome().signal, SIGTERM);
}

TEST_F(JobTest, ListsTheNodesThatAcceptPods) {
  MakeNode("node-c", "1");
  Send("PATCH", "/api/v1/nodes/node-c", {{"spec", {{"unschedulable", true}}}},
       "application/merge-patch+json");
  auto nodes = launcher_->Nodes({});
  ASSERT_TRUE(nodes.ok()) << nodes.error().message();
  EXPECT_EQ(*nodes, (std::vector<std::string>{kNode, "node-b"}));
}

TEST_F(JobTest, TheHeartbeatIsApplied) {
  Json pod;
  auto started = StartWith(Request(), [&](const Json& bound) {
    pod = bound;
    SetRunning(pod);
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  JobApi api(*admin_, "default");
  const std::string job = Jobs().at(0);
  Status beaten = api.Beat(job, "2030-01-01T00:00:00Z", {});
  EXPECT_TRUE(beaten.ok()) << beaten.error().message();
  EXPECT_EQ(api.Owned({})->at(0).heartbeat, "2030-01-01T00:00:00Z");
  SetTerminated(pod, 0, "Completed");
  EXPECT_TRUE((*started)->Wait(std::chrono::seconds(20)));
}

TEST_F(JobTest, ASilentOwnersJobIsRemoved) {
  Json pod;
  auto started = StartWith(Request(), [&](const Json& bound) {
    pod = bound;
    SetRunning(pod);
  });
  ASSERT_TRUE(started.ok()) << started.error().message();
  // Of a living process, so it stays.
  ASSERT_TRUE(KubernetesLauncher::Open(Settings(), clock_).ok());
  EXPECT_EQ(Jobs().size(), 1u);
  JobApi api(*admin_, "default");
  ASSERT_TRUE(api.Beat(Jobs().at(0), "2020-01-01T00:00:00Z", {}).ok());
  ASSERT_TRUE(KubernetesLauncher::Open(Settings(), clock_).ok());
  EXPECT_TRUE(Until([&] { return Jobs().empty(); }));
  Confirm(pod);
}

}  // namespace
}  // namespace mete
