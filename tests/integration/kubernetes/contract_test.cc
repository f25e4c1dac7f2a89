// Runs the contract tests of the port Cluster on a real API server.
#include "adapters/kubernetes/kubernetes_cluster.h"
#include "support/json.h"
#include "tests/contracts/cluster_contract.h"
#include "tests/integration/kubernetes/control_plane.h"

namespace mete {
namespace {

// One server for all tests of this program; each has its own namespace.
std::unique_ptr<ControlPlane>& Plane() {
  static std::unique_ptr<ControlPlane> plane;
  return plane;
}

class PlaneLifetime : public testing::Environment {
 public:
  void SetUp() override {
    if (!ControlPlane::Unavailable().empty()) {
      GTEST_SKIP() << ControlPlane::Unavailable();
    }
    Plane() = std::make_unique<ControlPlane>();
  }
  void TearDown() override { Plane().reset(); }
};

const testing::Environment* const kLifetime =
    testing::AddGlobalTestEnvironment(new PlaneLifetime);

class ApiServerMaker {
 public:
  ApiServerMaker() {
    static int count = 0;
    space_ = "contract-" + std::to_string(++count);
    Create("/api/v1/namespaces", {{"metadata", {{"name", space_}}}});
  }

  Cluster& cluster() { return cluster_; }
  std::string space() { return space_; }
  ObjectMeta AddNode(const std::string& name) {
    return ToMeta("Node", "v1",
                  Create("/api/v1/nodes", {{"metadata", {{"name", name}}}}));
  }
  ObjectMeta AddPod(const std::string& space, const std::string& name,
                    const LabelMap& labels,
                    const std::vector<OwnerReference>& owners) {
    Json metadata = {{"name", name}, {"labels", labels}};
    for (const OwnerReference& owner : owners) {
      metadata["ownerReferences"].push_back({{"apiVersion", owner.api_version},
                                             {"kind", owner.kind},
                                             {"name", owner.name},
                                             {"uid", owner.uid},
                                             {"controller", owner.controller}});
    }
    return ToMeta("Pod", "v1",
                  Create("/api/v1/namespaces/" + space + "/pods",
                         {{"metadata", metadata}, {"spec", PodSpec()}}),
                  owners);
  }
  ObjectMeta AddJob(const std::string& space, const std::string& name) {
    Json pod = PodSpec();
    pod["restartPolicy"] = "Never";
    return ToMeta("Job", "batch/v1",
                  Create("/apis/batch/v1/namespaces/" + space + "/jobs",
                         {{"metadata", {{"name", name}}},
                          {"spec", {{"template", {{"spec", pod}}}}}}));
  }
  void DeletePod(const std::string& space, const std::string& name) {
    Send("DELETE", "/api/v1/namespaces/" + space + "/pods/" + name,
         {{"gracePeriodSeconds", 0}});
  }

 private:
  static Json PodSpec() {
    return {
        {"schedulerName", "nobody"},
        {"containers", {{{"name", "main"}, {"image", "x.example/none:1"}}}}};
  }
  std::string Send(const std::string& method, const std::string& target,
                   const Json& body) {
    auto answer = admin_.Send({.method = method,
                               .target = target,
                               .content_type = "application/json",
                               .body = body.dump()});
    EXPECT_TRUE(answer.ok() && answer->ok())
        << (answer.ok() ? answer->body : answer.error().message());
    return answer.ok() ? answer->body : "";
  }
  Json Create(const std::string& target, const Json& body) {
    auto json = ParseJson(Send("POST", target, body));
    return json.ok() ? *json : Json::object();
  }
  static ObjectMeta ToMeta(const std::string& kind, const std::string& version,
                           const Json& object,
                           const std::vector<OwnerReference>& owners = {}) {
    const Json& meta = object.at("metadata");
    return {.ref = {.api_version = version,
                    .kind = kind,
                    .space = meta.value("namespace", ""),
                    .name = meta.at("name").get<std::string>(),
                    .uid = meta.at("uid").get<std::string>()},
            .owners = owners};
  }

  SystemClock clock_;
  ApiClient admin_{Plane()->Admin(), clock_};
  KubernetesCluster cluster_{Plane()->Admin(), clock_};
  std::string space_;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Kubernetes, ClusterContract, ApiServerMaker);

}  // namespace
}  // namespace mete
