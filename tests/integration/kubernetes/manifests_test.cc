// The manifests in packaging/kubernetes on a real API server: a server-side dry
// run accepts every object, the account of mete watch may do what it needs and
// nothing else, and everything can be removed again.
#include <gtest/gtest.h>

#include "adapters/kubernetes/discovery.h"
#include "adapters/kubernetes/kubernetes_cluster.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"
#include "tests/integration/kubernetes/control_plane.h"
#include "tests/integration/until.h"

namespace mete {
namespace {

// One document of a manifest. Only what its URL needs is parsed here; the
// server parses the rest.
struct Manifest {
  std::string yaml;
  ObjectRef object;
};

std::string ValueAfter(const std::string& yaml, const std::string& key) {
  size_t begin = ("\n" + yaml).find("\n" + key + ": ");
  if (begin == std::string::npos) return "";
  begin += key.size() + 2;
  return yaml.substr(begin, yaml.find('\n', begin) - begin);
}

Manifest ToManifest(const std::string& yaml) {
  const std::string metadata = yaml.substr(yaml.find("metadata:"));
  return {.yaml = yaml,
          .object = {.api_version = ValueAfter(yaml, "apiVersion"),
                     .kind = ValueAfter(yaml, "kind"),
                     .space = ValueAfter(metadata, "  namespace"),
                     .name = ValueAfter(metadata, "  name")}};
}

std::vector<Manifest> ReadManifests() {
  std::vector<Manifest> found;
  for (const char* name :
       {"mete-agent.yaml", "mete-watch.yaml", "prometheus/prometheus.yaml"}) {
    auto text = ReadFile(std::string(METE_PACKAGING) + "/" + name);
    EXPECT_TRUE(text.ok()) << text.error().message();
    std::string rest = "\n" + *text;
    while (!rest.empty()) {
      const size_t end = rest.find("\n---\n");
      found.push_back(ToManifest(rest.substr(1, end)));
      rest = end == std::string::npos ? "" : rest.substr(end + 4);
    }
  }
  return found;
}

class ManifestsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ControlPlane::Unavailable().empty()) {
      GTEST_SKIP() << ControlPlane::Unavailable();
    }
    plane_.emplace();
    admin_.emplace(plane_->Admin(), clock_);
    discovery_.emplace(*admin_, clock_);
    manifests_ = ReadManifests();
  }

  static ApiAnswer Ask(ApiClient& client, const ApiRequest& request) {
    auto answer = client.Send(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer.ok() ? *answer : ApiAnswer();
  }
  // As kubectl apply --server-side does.
  ApiAnswer Apply(const Manifest& manifest, const std::string& more = "") {
    auto path = discovery_->Path(manifest.object, {});
    EXPECT_TRUE(path.ok()) << path.error().message();
    return Ask(*admin_, {.method = "PATCH",
                         .target = *path + "?fieldManager=test" + more,
                         .content_type = "application/apply-patch+yaml",
                         .body = manifest.yaml});
  }
  void ApplyAll() {
    for (const Manifest& manifest : manifests_) {
      ApiAnswer answer = Apply(manifest);
      EXPECT_TRUE(answer.ok()) << answer.body;
    }
  }
  Json Create(const std::string& target, const Json& body) {
    ApiAnswer answer = Ask(*admin_, {.method = "POST",
                                     .target = target,
                                     .content_type = "application/json",
                                     .body = body.dump()});
    EXPECT_TRUE(answer.ok()) << target << " " << answer.body;
    auto json = ParseJson(answer.body);
    return json.ok() ? *json : Json::object();
  }
  // A token of the account, as its pods get one.
  ClusterAccess AsWatch() {
    Json made =
        Create("/api/v1/namespaces/mete/serviceaccounts/mete-watch/token",
               {{"apiVersion", "authentication.k8s.io/v1"},
                {"kind", "TokenRequest"},
                {"spec", {{"audiences", {"https://kubernetes.default.svc"}}}}});
    return plane_->AsToken(made["status"]["token"]);
  }
  // What mete watch annotates: a node, and a Deployment, a Job and a pod.
  void MakeObjects() {
    const Json pod = {
        {"schedulerName", "nobody"},
        {"restartPolicy", "Never"},
        {"containers", {{{"name", "main"}, {"image", "x.example/none:1"}}}}};
    const Json named = {{"metadata", {{"name", "one"}}}};
    Create("/api/v1/nodes", named);
    Json made = named;
    made["spec"] = pod;
    Create("/api/v1/namespaces/default/pods", made);
    made["spec"] = {{"template", {{"spec", pod}}}};
    Create("/apis/batch/v1/namespaces/default/jobs", made);
    Json always = pod;
    always["restartPolicy"] = "Always";
    made["spec"] = {
        {"selector", {{"matchLabels", {{"a", "b"}}}}},
        {"template",
         {{"metadata", {{"labels", {{"a", "b"}}}}}, {"spec", always}}}};
    Create("/apis/apps/v1/namespaces/default/deployments", made);
    made["spec"]["serviceName"] = "x";
    Create("/apis/apps/v1/namespaces/default/statefulsets", made);
  }

  SystemClock clock_;
  std::optional<ControlPlane> plane_;
  std::optional<ApiClient> admin_;
  std::optional<Discovery> discovery_;
  std::vector<Manifest> manifests_;
};

TEST_F(ManifestsTest, ADryRunAcceptsEveryObject) {
  ASSERT_GE(manifests_.size(), 13u);
  for (const Manifest& manifest : manifests_) {
    ApiAnswer answer = Apply(manifest, "&dryRun=All");
    EXPECT_TRUE(answer.ok())
        << ObjectText(manifest.object) << ": " << answer.body;
    // Objects in a namespace need it to exist, in a dry run as well.
    if (manifest.object.kind == "Namespace") {
      EXPECT_TRUE(Apply(manifest).ok());
    }
  }
}

TEST_F(ManifestsTest, TheAccountOfWatchMayReadAndAnnotate) {
  ApplyAll();
  MakeObjects();
  KubernetesCluster watch(AsWatch(), clock_);
  // Rights become known a moment after they are given.
  ASSERT_TRUE(Until([&] { return watch.ListNodes({}, {}).ok(); }));
  auto pods = watch.ListPods({}, {});
  ASSERT_TRUE(pods.ok()) << pods.error().message();
  const std::vector<ObjectRef> objects = {
      {.api_version = "v1", .kind = "Node", .name = "one"},
      {.api_version = "v1", .kind = "Pod", .space = "default", .name = "one"},
      {.api_version = "batch/v1",
       .kind = "Job",
       .space = "default",
       .name = "one"},
      {.api_version = "apps/v1",
       .kind = "Deployment",
       .space = "default",
       .name = "one"},
      {.api_version = "apps/v1",
       .kind = "StatefulSet",
       .space = "default",
       .name = "one"},
      {.api_version = "apps/v1",
       .kind = "DaemonSet",
       .space = "mete",
       .name = "mete-agent"}};
  for (const ObjectRef& object : objects) {
    auto patched =
        watch.Patch({.object = object, .set = {{"mete.dev/a", "1"}}}, {});
    ASSERT_TRUE(patched.ok()) << patched.error().message();
    EXPECT_EQ(watch.Get(object, {})->annotations.at("mete.dev/a"), "1")
        << ObjectText(object);
  }
  auto removed =
      watch.Patch({.object = objects[1], .remove = {"mete.dev/a"}}, {});
  ASSERT_TRUE(removed.ok()) << removed.error().message();
  EXPECT_TRUE(watch.Get(objects[1], {})->annotations.empty());
  auto lease = watch.AcquireLease(
      {.space = "mete", .name = "mete-watch", .holder = "a"}, {});
  ASSERT_TRUE(lease.ok()) << lease.error().message();
  EXPECT_TRUE(lease->held);
  EXPECT_TRUE(
      watch.ReleaseLease({.space = "mete", .name = "mete-watch", .holder = "a"})
          .ok());
}

TEST_F(ManifestsTest, TheAccountOfWatchMayDoNothingElse) {
  ApplyAll();
  MakeObjects();
  const ClusterAccess access = AsWatch();
  KubernetesCluster watch(access, clock_);
  ASSERT_TRUE(Until([&] { return watch.ListNodes({}, {}).ok(); }));
  ApiClient client(access, clock_);
  struct Attempt {
    const char* method;
    const char* target;
    const char* body = "{}";
  };
  const std::vector<Attempt> attempts = {
      {"PATCH", "/api/v1/namespaces/default/pods/one",
       R"({"spec":{"containers":[{"name":"main","image":"evil:1"}]}})"},
      {"PATCH", "/api/v1/nodes/one", R"({"spec":{"unschedulable":true}})"},
      {"PATCH", "/apis/apps/v1/namespaces/default/deployments/one",
       R"({"spec":{"replicas":9}})"},
      {"PATCH", "/apis/apps/v1/namespaces/mete/daemonsets/mete-agent",
       R"({"spec":{"minReadySeconds":9}})"},
      {"PATCH", "/apis/batch/v1/namespaces/default/jobs/one",
       R"({"spec":{"parallelism":9}})"},
      {"PATCH", "/api/v1/namespaces/default", "{}"},
      {"GET", "/api/v1/secrets"},
      {"GET", "/api/v1/namespaces/kube-system/secrets"},
      {"GET", "/api/v1/configmaps"},
      {"GET", "/api/v1/namespaces/default/pods/one/log"},
      {"GET", "/api/v1/nodes/one/proxy/stats/summary"},
      {"POST", "/api/v1/namespaces/default/pods"},
      {"POST", "/api/v1/namespaces/default/pods/one/exec"},
      {"POST", "/api/v1/namespaces/default/pods/one/eviction"},
      {"POST", "/apis/batch/v1/namespaces/default/jobs"},
      {"POST", "/apis/apps/v1/namespaces/default/deployments"},
      {"POST", "/api/v1/namespaces/mete/serviceaccounts/mete-watch/token"},
      {"POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"},
      {"PATCH", "/apis/rbac.authorization.k8s.io/v1/clusterroles/mete-watch"},
      {"DELETE", "/api/v1/nodes/one"},
      {"DELETE", "/api/v1/namespaces/default/pods/one"},
      {"DELETE", "/apis/batch/v1/namespaces/default/jobs/one"},
      {"POST", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases"},
      {"PATCH",
       "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/one"},
      {"PUT", "/api/v1/nodes/one"},
  };
  for (const Attempt& attempt : attempts) {
    const std::string method = attempt.method;
    ApiAnswer answer =
        Ask(client,
            {.method = method,
             .target = attempt.target,
             .content_type = method == "PATCH" ? "application/merge-patch+json"
                                               : "application/json",
             .body = method == "GET" ? "" : attempt.body});
    EXPECT_EQ(answer.status, 403)
        << method << " " << attempt.target << ": " << answer.body;
  }
}

// The subresource accepts annotations and ignores what runs.
TEST_F(ManifestsTest, AStatusPatchCannotReplaceAnImage) {
  ApplyAll();
  MakeObjects();
  const ClusterAccess access = AsWatch();
  ASSERT_TRUE(Until([&] {
    return KubernetesCluster(access, clock_).ListNodes({}, {}).ok();
  }));
  ApiClient client(access, clock_);
  const std::string pod = "/api/v1/namespaces/default/pods/one";
  Ask(client,
      {.method = "PATCH",
       .target = pod + "/status",
       .content_type = "application/strategic-merge-patch+json",
       .body = R"({"metadata":{"annotations":{"x":"1"}},)"
               R"("spec":{"containers":[{"name":"main","image":"evil:1"}]}})"});
  auto json = ParseJson(Ask(*admin_, {.target = pod}).body);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ((*json)["metadata"]["annotations"]["x"], "1");
  EXPECT_EQ((*json)["spec"]["containers"][0]["image"], "x.example/none:1");
}

// What `kubectl delete -k` sends.
TEST_F(ManifestsTest, DeletingEveryObjectLeavesNothing) {
  if (!plane_->StartControllers()) GTEST_SKIP() << "no controller manager";
  ApplyAll();
  for (auto it = manifests_.rbegin(); it != manifests_.rend(); ++it) {
    ApiAnswer answer =
        Ask(*admin_, {.method = "DELETE",
                      .target = *discovery_->Path(it->object, {}),
                      .content_type = "application/json",
                      .body = R"({"propagationPolicy":"Background"})"});
    EXPECT_TRUE(answer.ok()) << answer.body;
  }
  for (const Manifest& manifest : manifests_) {
    const std::string path = *discovery_->Path(manifest.object, {});
    EXPECT_TRUE(Until([&] {
      return Ask(*admin_, {.target = path}).status == 404;
    })) << path;
  }
}

}  // namespace
}  // namespace mete
