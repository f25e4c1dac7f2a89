// The port Cluster on a real API server: lists in pages, watches across crashes
// and compactions, patches, rights, and leases.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <mutex>
#include <thread>

#include "adapters/kubernetes/kubernetes_cluster.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

using Kind = WatchedKind;

// One control plane, or a given cluster, for all tests of this program.
class ClusterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (getenv("METE_TEST_KUBECONFIG") == nullptr &&
        ControlPlane::Unavailable().empty()) {
      plane_ = std::make_unique<ControlPlane>();
    }
  }
  static void TearDownTestSuite() { plane_.reset(); }

  void SetUp() override {
    if (const char* file = getenv("METE_TEST_KUBECONFIG")) {
      auto access = FindClusterAccess(
          {.environment = [](const std::string&) { return std::nullopt; },
           .kubeconfig = file});
      ASSERT_TRUE(access.ok()) << access.error().message();
      admin_access_ = *access;
    } else if (plane_ == nullptr) {
      GTEST_SKIP() << ControlPlane::Unavailable();
    } else {
      admin_access_ = plane_->Admin();
    }
    admin_ = std::make_unique<ApiClient>(admin_access_, clock_);
    cluster_ = std::make_unique<KubernetesCluster>(admin_access_, clock_);
    MakeSpace();
  }
  void TearDown() override {
    if (admin_ == nullptr) return;
    for (const std::string& target : made_) Send("DELETE", target);
    Send("DELETE", "/api/v1/namespaces/" + space_);
  }

  void MakeSpace() {
    static int count = 0;
    space_ =
        "mete-test-" + std::to_string(getpid()) + "-" + std::to_string(++count);
    Create("/api/v1/namespaces", {{"metadata", {{"name", space_}}}});
  }

  ApiAnswer Send(const std::string& method, const std::string& target,
                 const Json& body = Json::object(),
                 const std::string& type = "application/json") {
    auto answer = admin_->Send({.method = method,
                                .target = target,
                                .content_type = type,
                                .body = method == "GET" ? "" : body.dump()});
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? *answer : ApiAnswer();
  }
  Json Create(const std::string& target, const Json& body) {
    ApiAnswer answer = Send("POST", target, body);
    EXPECT_TRUE(answer.ok()) << target << " " << answer.body;
    auto json = ParseJson(answer.body);
    return json.ok() ? *json : Json();
  }
  // Removed again at the end, unlike what is in the namespace.
  void CreateForAll(const std::string& target, const Json& body) {
    Create(target, body);
    made_.insert(made_.begin(),
                 target + "/" + body["metadata"]["name"].get<std::string>());
  }
  std::string Pods() const { return "/api/v1/namespaces/" + space_ + "/pods"; }
  Json MakePod(const std::string& name, const std::string& app = "a") {
    return Create(
        Pods(),
        {{"metadata", {{"name", name}, {"labels", {{"app", app}}}}},
         {"spec",
          {{"schedulerName", "nobody"},
           {"containers",
            {{{"name", "main"},
              {"image", "example.com/none:1"},
              {"resources",
               {{"requests", {{"cpu", "250m"}, {"memory", "64Mi"}}}}}}}}}}});
  }
  void DeletePod(const std::string& name) {
    Send("DELETE", Pods() + "/" + name, {{"gracePeriodSeconds", 0}});
  }
  ClusterScope Here(const std::string& labels = "") const {
    return {.spaces = {space_}, .label_selector = labels};
  }

  static std::unique_ptr<ControlPlane> plane_;
  SystemClock clock_;
  ClusterAccess admin_access_;
  std::unique_ptr<ApiClient> admin_;
  std::unique_ptr<KubernetesCluster> cluster_;
  std::string space_;
  std::vector<std::string> made_;
};

std::unique_ptr<ControlPlane> ClusterTest::plane_;

// A watch on a thread, and what it knows.
class Mirror {
 public:
  Mirror(Cluster& cluster, ClusterScope scope) {
    thread_ = std::jthread([this, &cluster, scope](std::stop_token stop) {
      Status ended = cluster.Watch(
          Kind::kPods, scope,
          {.event = [this](const ClusterEvent& event) { Take(event); },
           .trouble =
               [this](const Error&) {
                 std::lock_guard lock(mutex_);
                 ++troubles_;
               }},
          stop);
      std::lock_guard lock(mutex_);
      ended_ = ended;
    });
  }
  ~Mirror() { static_cast<void>(Stop().ok()); }

  std::vector<std::string> names() {
    std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, pod] : pods_) names.push_back(name);
    return names;
  }
  PodObject pod(const std::string& name) {
    std::lock_guard lock(mutex_);
    return pods_[name];
  }
  int lists() {
    std::lock_guard lock(mutex_);
    return lists_;
  }
  int troubles() {
    std::lock_guard lock(mutex_);
    return troubles_;
  }
  Status Stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    return ended_;
  }

 private:
  void Take(const ClusterEvent& event) {
    std::lock_guard lock(mutex_);
    if (event.change == ClusterChange::kRelisted) {
      pods_.clear();
      ++lists_;
    }
    for (const PodObject& pod : event.objects.pods) {
      if (event.change == ClusterChange::kDeleted) {
        pods_.erase(pod.meta.ref.name);
      } else {
        pods_[pod.meta.ref.name] = pod;
      }
    }
  }

  std::mutex mutex_;
  std::map<std::string, PodObject> pods_;
  int lists_ = 0;
  int troubles_ = 0;
  Status ended_;
  std::jthread thread_;
};

using Names = std::vector<std::string>;

TEST_F(ClusterTest, ListsPodsOfMoreThanOnePage) {
  for (int i = 0; i < 510; ++i) {
    MakePod("p" + std::to_string(1000 + i), i % 2 == 0 ? "even" : "odd");
  }
  auto all = cluster_->ListPods(Here(), {});
  ASSERT_TRUE(all.ok()) << all.error().message();
  ASSERT_EQ(all->size(), 510u);
  EXPECT_EQ(all->front().meta.ref.name, "p1000");
  EXPECT_EQ(all->back().meta.ref.name, "p1509");
  EXPECT_EQ(all->front().containers.at(0).requests.cpus, Millicores{250});
  EXPECT_EQ(all->front().containers.at(0).requests.memory, Mebibytes(64));
  EXPECT_EQ(all->front().phase, PodPhase::kPending);
  EXPECT_EQ(cluster_->ListPods(Here("app=odd"), {})->size(), 255u);
}

TEST_F(ClusterTest, AnInvalidSelectorIsInvalidInput) {
  auto listed = cluster_->ListPods(Here("a in ("), {});
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().code(), ErrorCode::kInvalidInput)
      << listed.error().message();
}

TEST_F(ClusterTest, ListsNodesWithTheirCapacity) {
  const std::string name = space_ + "-node";
  CreateForAll("/api/v1/nodes",
               {{"metadata", {{"name", name}, {"labels", {{"test", name}}}}},
                {"status",
                 {{"capacity",
                   {{"cpu", "8"}, {"memory", "32Gi"}, {"nvidia.com/gpu", "2"}}},
                  {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
  auto nodes = cluster_->ListNodes({.label_selector = "test=" + name}, {});
  ASSERT_TRUE(nodes.ok()) << nodes.error().message();
  ASSERT_EQ(nodes->size(), 1u);
  EXPECT_EQ(nodes->at(0).capacity.cpus, Millicores{8000});
  EXPECT_EQ(nodes->at(0).capacity.memory, Gibibytes(32));
  EXPECT_EQ(CountGpus(nodes->at(0).capacity), 2);
  EXPECT_TRUE(nodes->at(0).ready);
}

TEST_F(ClusterTest, WatchesPodsComeChangeAndGo) {
  MakePod("first");
  Mirror mirror(*cluster_, Here());
  EXPECT_TRUE(Until([&] { return mirror.names() == Names{"first"}; }));
  MakePod("second");
  EXPECT_TRUE(Until([&] {
    return mirror.names() == Names{"first", "second"};
  }));
  Send("PATCH", Pods() + "/second",
       {{"metadata", {{"annotations", {{"x", "1"}}}}}},
       "application/merge-patch+json");
  EXPECT_TRUE(
      Until([&] { return mirror.pod("second").meta.annotations["x"] == "1"; }));
  DeletePod("first");
  EXPECT_TRUE(Until([&] { return mirror.names() == Names{"second"}; }));
  EXPECT_EQ(mirror.lists(), 1);
  EXPECT_TRUE(mirror.Stop().ok());
}

TEST_F(ClusterTest, WatchesSeveralNamespacesAsOne) {
  const std::string other = space_ + "-b";
  CreateForAll("/api/v1/namespaces", {{"metadata", {{"name", other}}}});
  MakePod("first");
  Mirror mirror(*cluster_, {.spaces = {space_, other}});
  EXPECT_TRUE(Until([&] { return mirror.names() == Names{"first"}; }));
  const std::string mine = space_;
  space_ = other;
  MakePod("second");
  space_ = mine;
  EXPECT_TRUE(Until([&] {
    return mirror.names() == Names{"first", "second"};
  }));
}

TEST_F(ClusterTest, AWatchSurvivesAKilledServer) {
  if (plane_ == nullptr) GTEST_SKIP() << "not on a given cluster";
  MakePod("before");
  Mirror mirror(*cluster_, Here());
  ASSERT_TRUE(Until([&] { return mirror.names() == Names{"before"}; }));
  plane_->KillApiServer();
  EXPECT_TRUE(Until([&] { return mirror.troubles() > 0; }));
  plane_->StartApiServer();
  MakePod("after");
  EXPECT_TRUE(Until([&] {
    return mirror.names() == Names{"after", "before"};
  }));
  EXPECT_TRUE(mirror.Stop().ok());
}

TEST_F(ClusterTest, AWatchListsAgainAfterACompaction) {
  if (plane_ == nullptr) GTEST_SKIP() << "not on a given cluster";
  MakePod("kept", "a");
  MakePod("removed", "a");
  Mirror mirror(*cluster_, Here("app=a"));
  ASSERT_TRUE(Until([&] {
    return mirror.names() == Names{"kept", "removed"};
  }));
  const int lists = mirror.lists();
  // Other pods move the version on, of which this watch sees nothing.
  for (int i = 0; i < 5; ++i) MakePod("other-" + std::to_string(i), "b");
  plane_->KillApiServer();
  plane_->Compact();
  plane_->StartApiServer();
  DeletePod("removed");
  EXPECT_TRUE(Until([&] { return mirror.names() == Names{"kept"}; }));
  EXPECT_GT(mirror.lists(), lists);
}

TEST_F(ClusterTest, PatchesAnnotationsAndOnlyThose) {
  MakePod("pod");
  ObjectRef pod{
      .api_version = "v1", .kind = "Pod", .space = space_, .name = "pod"};
  auto first = cluster_->Patch(
      {.object = pod, .set = {{"mete.dev/a", "1"}, {"mete.dev/b", "2"}}}, {});
  ASSERT_TRUE(first.ok()) << first.error().message();
  auto second = cluster_->Patch({.object = pod,
                                 .set = {{"mete.dev/a", "3"}},
                                 .remove = {"mete.dev/b", "mete.dev/none"}},
                                {});
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_EQ(second->annotations, (LabelMap{{"mete.dev/a", "3"}}));
  EXPECT_EQ(second->labels.at("app"), "a");
}

TEST_F(ClusterTest, ADryRunStoresNothing) {
  MakePod("pod");
  ObjectRef pod{
      .api_version = "v1", .kind = "Pod", .space = space_, .name = "pod"};
  auto patched = cluster_->Patch(
      {.object = pod, .set = {{"mete.dev/a", "1"}}, .dry_run = true}, {});
  ASSERT_TRUE(patched.ok()) << patched.error().message();
  EXPECT_TRUE(cluster_->Get(pod, {})->annotations.empty());
}

TEST_F(ClusterTest, DoesNotTouchAnotherObjectOfTheSameName) {
  Json first = MakePod("pod");
  DeletePod("pod");
  MakePod("pod");
  ObjectRef pod{.api_version = "v1",
                .kind = "Pod",
                .space = space_,
                .name = "pod",
                .uid = first["metadata"]["uid"].get<std::string>()};
  auto patched =
      cluster_->Patch({.object = pod, .set = {{"mete.dev/a", "1"}}}, {});
  ASSERT_FALSE(patched.ok());
  EXPECT_EQ(patched.error().code(), ErrorCode::kNotFound)
      << patched.error().message();
}

TEST_F(ClusterTest, ConcurrentPatchesAllSucceed) {
  MakePod("pod");
  ObjectRef pod{
      .api_version = "v1", .kind = "Pod", .space = space_, .name = "pod"};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        auto patched = cluster_->Patch(
            {.object = pod, .set = {{"mete.dev/k" + std::to_string(i), "1"}}},
            {});
        EXPECT_TRUE(patched.ok()) << patched.error().message();
      });
    }
  }
  EXPECT_EQ(cluster_->Get(pod, {})->annotations.size(), 8u);
}

TEST_F(ClusterTest, FollowsOwnersToACustomResource) {
  // The plural is not the kind with an "s".
  CreateForAll(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      {{"metadata", {{"name", "mpijobz.test.mete.dev"}}},
       {"spec",
        {{"group", "test.mete.dev"},
         {"scope", "Namespaced"},
         {"names",
          {{"plural", "mpijobz"}, {"singular", "mpijob"}, {"kind", "MPIJob"}}},
         {"versions",
          {{{"name", "v1"},
            {"served", true},
            {"storage", true},
            {"schema",
             {{"openAPIV3Schema",
               {{"type", "object"},
                {"x-kubernetes-preserve-unknown-fields", true}}}}}}}}}}});
  const std::string target =
      "/apis/test.mete.dev/v1/namespaces/" + space_ + "/mpijobz";
  ASSERT_TRUE(Until([&] { return Send("GET", target).ok(); }));
  Json owner = Create(target, {{"apiVersion", "test.mete.dev/v1"},
                               {"kind", "MPIJob"},
                               {"metadata", {{"name", "train"}}}});
  MakePod("worker");
  Send("PATCH", Pods() + "/worker",
       {{"metadata",
         {{"ownerReferences",
           {{{"apiVersion", "test.mete.dev/v1"},
             {"kind", "MPIJob"},
             {"name", "train"},
             {"controller", true},
             {"uid", owner["metadata"]["uid"]}}}}}}},
       "application/merge-patch+json");
  auto pod = cluster_->Get(
      {.api_version = "v1", .kind = "Pod", .space = space_, .name = "worker"},
      {});
  ASSERT_TRUE(pod.ok()) << pod.error().message();
  auto owners = cluster_->Owners(*pod, {});
  ASSERT_TRUE(owners.ok()) << owners.error().message();
  ASSERT_EQ(owners->size(), 1u);
  EXPECT_EQ(ObjectText(owners->at(0).ref), "MPIJob " + space_ + "/train");
  auto patched = cluster_->Patch(
      {.object = owners->at(0).ref, .set = {{"mete.dev/a", "1"}}}, {});
  EXPECT_TRUE(patched.ok()) << patched.error().message();
}

TEST_F(ClusterTest, AnUnknownKindIsNotFound) {
  auto got = cluster_->Get({.api_version = "none.example/v1",
                            .kind = "None",
                            .space = space_,
                            .name = "x"},
                           {});
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code(), ErrorCode::kNotFound) << got.error().message();
}

TEST_F(ClusterTest, WithoutRightsPermissionIsDenied) {
  if (plane_ == nullptr) GTEST_SKIP() << "not on a given cluster";
  KubernetesCluster guest(plane_->AsToken("guest-token"), clock_);
  auto listed = guest.ListPods(Here(), {});
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_NE(listed.error().message().find("forbidden"), std::string::npos);
  Status watched = guest.Watch(Kind::kPods, Here(), {}, {});
  EXPECT_EQ(watched.error().code(), ErrorCode::kPermissionDenied);
  KubernetesCluster stranger(plane_->AsToken("no-such-token"), clock_);
  EXPECT_EQ(stranger.ListPods(Here(), {}).error().code(),
            ErrorCode::kPermissionDenied);
}

TEST_F(ClusterTest, ACertificateProvesTheUser) {
  if (plane_ == nullptr) GTEST_SKIP() << "not on a given cluster";
  CreateForAll("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
               {{"metadata", {{"name", "ann"}}},
                {"roleRef",
                 {{"apiGroup", "rbac.authorization.k8s.io"},
                  {"kind", "ClusterRole"},
                  {"name", "cluster-admin"}}},
                {"subjects",
                 {{{"apiGroup", "rbac.authorization.k8s.io"},
                   {"kind", "User"},
                   {"name", "DNS:ann"}}}}});
  KubernetesCluster ann(plane_->AsAnn(), clock_);
  Error last(ErrorCode::kUnavailable, "not asked");
  EXPECT_TRUE(Until([&] {
    auto listed = ann.ListPods(Here(), {});
    if (!listed.ok()) last = listed.error();
    return listed.ok();
  })) << last.message();
}

TEST_F(ClusterTest, OneReplicaHoldsALease) {
  KubernetesCluster other(admin_access_, clock_);
  LeaseRequest first{.space = space_,
                     .name = "leader",
                     .holder = "first",
                     .duration = std::chrono::seconds(1)};
  LeaseRequest second = first;
  second.holder = "second";
  EXPECT_TRUE(cluster_->AcquireLease(first, {})->held);
  auto refused = other.AcquireLease(second, {});
  EXPECT_FALSE(refused->held);
  EXPECT_EQ(refused->holder, "first");
  EXPECT_TRUE(cluster_->AcquireLease(first, {})->held);  // renews
  ASSERT_TRUE(cluster_->ReleaseLease(first).ok());
  EXPECT_TRUE(other.AcquireLease(second, {})->held);
  // Its holder disappears without a word.
  EXPECT_TRUE(Until([&] { return cluster_->AcquireLease(first, {})->held; }));
}

}  // namespace
}  // namespace mete
