#include "adapters/kubernetes/kubeconfig.h"

#include <gtest/gtest.h>

#include <string>

namespace mete {
namespace {

constexpr const char* kTwoClusters = R"(
apiVersion: v1
kind: Config
preferences: {colors: true}
current-context: lab
clusters:
- name: lab
  cluster:
    server: https://lab.example:6443
    certificate-authority-data: Q0E=
    tls-server-name: kubernetes
    extensions: [{name: x, extension: {a: 1}}]
- name: edge
  cluster: {server: "https://10.0.0.1", certificate-authority: pki/ca.pem}
users:
- name: ann
  user:
    client-certificate-data: Q0VSVA==
    client-key: ann.key
- name: robot
  user: {tokenFile: /run/token}
- name: cloud
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: bin/login
      args: [get, token]
      env: [{name: PROFILE, value: lab}]
      provideClusterInfo: true
      installHint: install it
contexts:
- name: lab
  context: {cluster: lab, user: ann, namespace: ml}
- name: edge
  context: {cluster: edge, user: cloud}
)";

Kubeconfig Read(const std::string& text) {
  auto config = ParseKubeconfig(text, "/home/ann/.kube/config");
  EXPECT_TRUE(config.ok()) << config.error().message();
  return config.ok() ? *config : Kubeconfig();
}

TEST(Kubeconfig, ReadsClustersUsersAndContexts) {
  Kubeconfig config = Read(kTwoClusters);
  EXPECT_EQ(config.current_context, "lab");
  EXPECT_EQ(config.clusters.at("lab").server, "https://lab.example:6443");
  EXPECT_EQ(config.clusters.at("lab").ca.text, "CA");
  EXPECT_EQ(config.clusters.at("lab").server_name, "kubernetes");
  EXPECT_FALSE(config.clusters.at("lab").skip_verification);
  EXPECT_EQ(config.users.at("ann").certificate.text, "CERT");
  EXPECT_EQ(config.contexts.at("lab").space, "ml");
}

TEST(Kubeconfig, FilesAreRelativeToTheirFolder) {
  Kubeconfig config = Read(kTwoClusters);
  EXPECT_EQ(config.clusters.at("edge").ca.file, "/home/ann/.kube/pki/ca.pem");
  EXPECT_EQ(config.users.at("ann").key.file, "/home/ann/.kube/ann.key");
  EXPECT_EQ(config.users.at("robot").token_file, "/run/token");
}

TEST(Kubeconfig, ReadsAnExecPlugin) {
  Kubeconfig config = Read(kTwoClusters);
  const auto& exec = config.users.at("cloud").exec;
  ASSERT_TRUE(exec.has_value());
  EXPECT_EQ(exec->command, "/home/ann/.kube/bin/login");
  EXPECT_EQ(exec->arguments, (std::vector<std::string>{"get", "token"}));
  EXPECT_EQ(exec->environment.at("PROFILE"), "lab");
  EXPECT_TRUE(exec->provide_cluster_info);
  EXPECT_EQ(exec->install_hint, "install it");
}

TEST(Kubeconfig, TheFirstFileWithANameWins) {
  Kubeconfig first = Read("users: [{name: a, user: {token: one}}]");
  Kubeconfig next = Read(
      "current-context: c\n"
      "users: [{name: a, user: {token: two}}, {name: b, user: {token: b}}]");
  MergeKubeconfig(first, next);
  EXPECT_EQ(first.current_context, "c");
  EXPECT_EQ(first.users.at("a").token, "one");
  EXPECT_EQ(first.users.at("b").token, "b");
}

TEST(Kubeconfig, AnEmptyFileHasNothing) {
  EXPECT_TRUE(Read("").contexts.empty());
  EXPECT_TRUE(Read("clusters:\nusers: null\n").clusters.empty());
}

TEST(Kubeconfig, NamesTheLineOfAnError) {
  auto config = ParseKubeconfig(
      "clusters:\n- name: a\n  cluster: {certificate-authority-data: '*'}\n",
      "/k");
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(config.error().message(),
            "/k:3: 'certificate-authority-data' is not base64");
}

TEST(Kubeconfig, RejectsWhatIsNotAMap) {
  EXPECT_FALSE(ParseKubeconfig("[1]", "/k").ok());
  EXPECT_FALSE(ParseKubeconfig("clusters: 3", "/k").ok());
  EXPECT_FALSE(ParseKubeconfig("users: [{user: {token: x}}]", "/k").ok());
}

}  // namespace
}  // namespace mete
