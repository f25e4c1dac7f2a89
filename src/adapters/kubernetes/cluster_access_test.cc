#include "adapters/kubernetes/cluster_access.h"

#include <gtest/gtest.h>

#include <map>

#include "support/file.h"

namespace mete {
namespace {

class ClusterAccessTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const auto file = folder_.path() / name;
    EXPECT_TRUE(WriteFileAtomically(file, text).ok());
    return file.string();
  }
  AccessRequest Request() {
    return {.environment =
                [this](const std::string& name) -> std::optional<std::string> {
              auto found = variables_.find(name);
              if (found == variables_.end()) return std::nullopt;
              return found->second;
            },
            .service_account = folder_.path()};
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  std::map<std::string, std::string> variables_;
};

constexpr const char* kContexts =
    "current-context: a\n"
    "contexts:\n"
    "- {name: a, context: {cluster: a, user: u, namespace: ml}}\n"
    "- {name: open, context: {cluster: open}}\n"
    "clusters:\n"
    "- {name: a, cluster: {server: 'https://a.example:6443/k8s'}}\n"
    "- {name: open, cluster: {server: 'https://o', "
    "insecure-skip-tls-verify: true}}\n";

TEST_F(ClusterAccessTest, JoinsTheFilesOfTheList) {
  variables_["KUBECONFIG"] =
      Write("one", kContexts) +
      ":/missing:" + Write("two", "users: [{name: u, user: {token: t}}]");
  auto access = FindClusterAccess(Request());
  ASSERT_TRUE(access.ok()) << access.error().message();
  EXPECT_EQ(access->server.endpoint.host, "a.example");
  EXPECT_EQ(access->server.path, "/k8s");
  EXPECT_EQ(access->user.token, "t");
  EXPECT_EQ(access->space, "ml");
}

TEST_F(ClusterAccessTest, AnInsecureClusterMustBeAllowed) {
  AccessRequest request = Request();
  request.kubeconfig = Write("one", kContexts);
  request.context = "open";
  auto refused = FindClusterAccess(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kPermissionDenied);
  request.allow_insecure = true;
  EXPECT_TRUE(FindClusterAccess(request).ok());
}

TEST_F(ClusterAccessTest, SuggestsTheNearestContext) {
  AccessRequest request = Request();
  request.kubeconfig = Write("one", kContexts);
  request.context = "opem";
  EXPECT_NE(FindClusterAccess(request).error().message().find("'open'"),
            std::string::npos);
}

TEST_F(ClusterAccessTest, UsesTheServiceAccountOfAPod) {
  variables_ = {{"KUBERNETES_SERVICE_HOST", "fd00::1"},
                {"KUBERNETES_SERVICE_PORT", "443"}};
  Write("token", "t");
  Write("namespace", "watch");
  auto access = FindClusterAccess(Request());
  ASSERT_TRUE(access.ok()) << access.error().message();
  EXPECT_EQ(access->server.endpoint.host, "fd00::1");
  EXPECT_EQ(access->space, "watch");
  EXPECT_EQ(access->user.token_file, folder_.path() / "token");
}

TEST_F(ClusterAccessTest, WithoutAnyThereIsNoCluster) {
  auto access = FindClusterAccess(Request());
  ASSERT_FALSE(access.ok());
  EXPECT_EQ(access.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
