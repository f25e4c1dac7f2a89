// Services of a cluster on a real control plane. No kubelet runs: the tests
// write the status of pods as one would.
#include <gtest/gtest.h>

#include "adapters/kubernetes/kubernetes_services.h"
#include "tests/contracts/cluster_services_contract.h"
#include "tests/integration/kubernetes/api_caller.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

// One control plane for all tests of this program.
std::unique_ptr<ControlPlane>& ServicesPlane() {
  static std::unique_ptr<ControlPlane> plane;
  return plane;
}

class ServicesPlaneLifetime : public testing::Environment {
 public:
  void SetUp() override {
    if (!ControlPlane::Unavailable().empty()) {
      GTEST_SKIP() << ControlPlane::Unavailable();
    }
    ServicesPlane() = std::make_unique<ControlPlane>();
    if (!ServicesPlane()->StartControllers()) {
      GTEST_SKIP() << "no controller manager; run ./dev cluster";
    }
    ApiCaller(ServicesPlane()->Admin()).MakeNode("node-a", "4");
  }
  void TearDown() override { ServicesPlane().reset(); }
};

const testing::Environment* const kServicesLifetime =
    testing::AddGlobalTestEnvironment(new ServicesPlaneLifetime);

// Services in a namespace of the test's own, and the kubelet of their pods.
class ServicesOnPlane {
 public:
  ServicesOnPlane() {
    static int count = 0;
    space_ = "services-" + std::to_string(++count);
    caller_.Create("/api/v1/namespaces", {{"metadata", {{"name", space_}}}});
    ClusterAccess access = ServicesPlane()->Admin();
    access.space = space_;
    services_.emplace(access, clock_);
  }

  ClusterServices& services() { return *services_; }
  SystemClock& clock() { return clock_; }
  ApiCaller& caller() { return caller_; }
  std::string Path(const std::string& group, const std::string& plural) const {
    return group + "/namespaces/" + space_ + "/" + plural;
  }
  Json Pods() {
    return caller_.Get(Path("/api/v1", "pods")).value("items", Json::array());
  }
  // The first pod, once the scheduler has given it a node.
  Json BoundPod() {
    Json pods;
    EXPECT_TRUE(Until([&] {
      pods = Pods();
      return !pods.empty() && pods[0]["spec"].contains("nodeName");
    })) << "no pod has a node";
    return pods[0];
  }

  void AddForeign(const std::string& name) {
    caller_.Create(
        Path("/apis/apps/v1", "deployments"),
        {{"metadata", {{"name", name}}},
         {"spec",
          {{"selector", {{"matchLabels", {{"app", name}}}}},
           {"template",
            {{"metadata", {{"labels", {{"app", name}}}}},
             {"spec",
              {{"containers",
                {{{"name", "main"}, {"image", "x.example/none:1"}}}}}}}}}}});
  }
  void MakeReady(const std::string& name) {
    const size_t expected =
        static_cast<size_t>(services().Get(name, {}).value().instances);
    ASSERT_TRUE(Until([&] { return Pods().size() >= expected; }));
    for (const Json& pod : Pods()) {
      caller_.SetPodStatus(
          pod, {{"phase", "Running"},
                {"podIP", "10.1.2.3"},
                {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}});
    }
    ASSERT_TRUE(Until([&] {
      auto status = services().Get(name, {});
      return status.ok() && status->Available();
    })) << name
        << " does not become available";
  }

 private:
  SystemClock clock_;
  ApiCaller caller_{ServicesPlane()->Admin()};
  std::string space_;
  std::optional<KubernetesServices> services_;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Kubernetes, ClusterServicesContract,
                               ServicesOnPlane);

class ServicesTest : public testing::Test {
 protected:
  static ClusterServiceOrder Order() {
    return {.name = "web",
            .image = "example.com/app:1",
            .arguments = {"service", "lenet5", "--listen", "0.0.0.0:8000"},
            .ready_path = "/v2/health/ready",
            .limits = {.memory = Mebibytes(64)}};
  }
  Result<ClusterServiceStatus> Start(const ClusterServiceOrder& order) {
    RETURN_IF_ERROR(plane_.services().Apply(order, {}));
    return AwaitService(plane_.services(), plane_.clock(), order.name,
                        {.start = std::chrono::seconds(40),
                         .unschedulable = std::chrono::seconds(2)},
                        {});
  }
  // The same while another thread acts on its pod as the kubelet.
  Result<ClusterServiceStatus> StartWith(
      const ClusterServiceOrder& order,
      const std::function<void(Json)>& kubelet) {
    std::jthread actor([&] { kubelet(plane_.BoundPod()); });
    return Start(order);
  }

  ServicesOnPlane plane_;
};

TEST_F(ServicesTest, TheServerKeepsWhatWasOrdered) {
  ClusterServiceOrder order = Order();
  order.node = "node-a";
  ASSERT_TRUE(plane_.services().Apply(order, {}).ok());
  const Json pod = plane_.BoundPod();
  const Json& container = pod["spec"]["containers"][0];
  EXPECT_EQ(pod["spec"]["nodeName"], "node-a");
  EXPECT_EQ(pod["spec"]["automountServiceAccountToken"], false);
  EXPECT_EQ(container["args"][1], "lenet5");
  EXPECT_EQ(container["resources"]["requests"]["memory"], "67108864");
  EXPECT_EQ(container["readinessProbe"]["httpGet"]["path"], "/v2/health/ready");
  const Json service =
      plane_.caller().Get(plane_.Path("/api/v1", "services") + "/web");
  EXPECT_EQ(service["spec"]["ports"][0]["targetPort"], 8000);
  EXPECT_EQ(service["metadata"]["labels"]["app.kubernetes.io/managed-by"],
            "mete");
}

TEST_F(ServicesTest, AMissingImageIsNotFound) {
  auto started = StartWith(Order(), [&](const Json& pod) {
    plane_.caller().SetPodStatus(
        pod, {{"phase", "Pending"},
              {"containerStatuses",
               ApiCaller::ContainerState(
                   "waiting", {{"reason", "ImagePullBackOff"},
                               {"message", "Back-off pulling image"}})}});
  });
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(started.error().message().find("Back-off pulling image"),
            std::string::npos)
      << started.error().message();
}

TEST_F(ServicesTest, WhatNoNodeFitsIsRejectedWithTheSchedulersWords) {
  ClusterServiceOrder order = Order();
  order.limits.memory = Gibibytes(100);
  auto started = Start(order);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(started.error().message().find("Insufficient memory"),
            std::string::npos)
      << started.error().message();
}

TEST_F(ServicesTest, AnInvalidNameIsRejectedAndLeavesNothing) {
  ClusterServiceOrder order = Order();
  order.name = "Not A Name";
  Status applied = plane_.services().Apply(order, {});
  ASSERT_FALSE(applied.ok());
  EXPECT_EQ(applied.error().code(), ErrorCode::kInvalidInput)
      << applied.error().message();
  EXPECT_TRUE(plane_.services().List({}, {})->empty());
}

TEST_F(ServicesTest, RemovingAServiceRemovesItsPodsAndItsAddress) {
  ASSERT_TRUE(plane_.services().Apply(Order(), {}).ok());
  const Json pod = plane_.BoundPod();
  ASSERT_TRUE(plane_.services().Remove("web", {}).ok());
  EXPECT_TRUE(Until([&] {
    return plane_.caller().Get(ApiCaller::PathOf(pod))["metadata"].contains(
        "deletionTimestamp");
  }));
  EXPECT_EQ(plane_.caller()
                .Send("GET", plane_.Path("/api/v1", "services") + "/web")
                .status,
            404);
  plane_.caller().Confirm(pod);
}

TEST_F(ServicesTest, AChangeOfSomebodyElseIsSetBack) {
  ASSERT_TRUE(plane_.services().Apply(Order(), {}).ok());
  const std::string path = plane_.Path("/apis/apps/v1", "deployments") + "/web";
  plane_.caller().Send("PATCH", path + "?fieldManager=somebody",
                       {{"spec", {{"replicas", 0}}}},
                       "application/merge-patch+json");
  ASSERT_EQ(plane_.services().Get("web", {})->instances, 0);
  Status applied = plane_.services().Apply(Order(), {});
  ASSERT_TRUE(applied.ok()) << applied.error().message();
  EXPECT_EQ(plane_.services().Get("web", {})->instances, 1);
}

}  // namespace
}  // namespace mete
