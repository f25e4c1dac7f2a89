#include "linux/container_names.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"
#include "support/json.h"

namespace mete {
namespace {

class ContainerNamesTest : public EmptyMachine {
 protected:
  ContainerName FindName(const ContainerIdentity& container) {
    ContainerNames names(root);
    names.Refresh();
    return names.Of(container);
  }
  ContainerIdentity in_pod{.runtime = ContainerRuntime::kContainerd,
                           .id = kTestContainerId,
                           .pod = kTestPodUid};
  ContainerIdentity in_docker{.runtime = ContainerRuntime::kDocker,
                              .id = kTestContainerId};
  std::string config =
      "/var/lib/docker/containers/" + kTestContainerId + "/config.v2.json";
};

TEST_F(ContainerNamesTest, NamesAPodByItsLogFolder) {
  Put("/var/log/pods/kube-system_coredns-5d78c_" + kTestPodUid +
          "/coredns/0.log",
      "");
  Put("/var/log/pods/other_pod_0000/c/0.log", "");
  ContainerName name = FindName(in_pod);
  EXPECT_EQ(name.pod_name, "coredns-5d78c");
  EXPECT_EQ(name.pod_namespace, "kube-system");
  EXPECT_EQ(name.name, "");
}

TEST_F(ContainerNamesTest, NamesAContainerInAPodByTheLinkToItsLog) {
  Put("/var/log/containers/web-0_shop_side-car-" + kTestContainerId + ".log",
      "");
  ContainerName name = FindName(in_pod);
  EXPECT_EQ(name.name, "side-car");
  EXPECT_EQ(name.pod_name, "web-0");
  EXPECT_EQ(name.pod_namespace, "shop");
}

TEST_F(ContainerNamesTest, ReadsDockersNameOfAContainer) {
  Put(config, R"({"ID": "aaa", "Name": "/angry_hopper", "State": {}})");
  EXPECT_EQ(FindName(in_docker).name, "angry_hopper");
}

TEST_F(ContainerNamesTest, IsEmptyWithoutTheFiles) {
  EXPECT_EQ(FindName(in_docker).name, "");
  EXPECT_EQ(FindName(in_pod).pod_name, "");
}

TEST_F(ContainerNamesTest, IgnoresFilesWithUnexpectedNames) {
  for (const char* text : {"", "[]", "{", R"({"Name": 1})", "{}"}) {
    Put(config, text);
    EXPECT_EQ(FindName(in_docker).name, "") << text;
  }
  Put("/var/log/pods/no-underscores/x", "");
  Put("/var/log/pods/__/x", "");
  Put("/var/log/containers/a_b_c.log", "");
  Put("/var/log/containers/a_b_.log", "");
  EXPECT_EQ(FindName(in_pod).pod_name, "");
}

TEST_F(ContainerNamesTest, IgnoresLogFoldersWithAnEmptyPart) {
  Put("/var/log/pods/_web_" + kTestPodUid + "/c/0.log", "");
  EXPECT_EQ(FindName(in_pod).pod_name, "");
}

TEST_F(ContainerNamesTest, IgnoresLogFoldersWithMoreThanThreeParts) {
  Put("/var/log/pods/a_web_" + kTestPodUid + "_x/c/0.log", "");
  EXPECT_EQ(FindName(in_pod).pod_name, "");
}

TEST_F(ContainerNamesTest, IgnoresLinksThatAreNoLogs) {
  Put("/var/log/containers/web-0_shop_car-" + kTestContainerId + ".txt", "");
  Put("/var/log/containers/web-0_shop_" + kTestContainerId + ".log", "");
  EXPECT_EQ(FindName(in_pod).pod_name, "");
}

TEST_F(ContainerNamesTest, ForgetsAPodWhoseFolderIsGone) {
  Put("/var/log/pods/a_web_" + kTestPodUid + "/c/0.log", "");
  ContainerNames names(root);
  names.Refresh();
  EXPECT_EQ(names.Of(in_pod).pod_name, "web");
  std::filesystem::remove_all(root.Locate("/var/log/pods"));
  names.Refresh();
  EXPECT_EQ(names.Of(in_pod).pod_name, "");
}

TEST_F(ContainerNamesTest, ReadsDockersFileOfUpToAMebibyte) {
  auto name_in = [&](size_t size) {
    std::string text = R"({"Name": "/x", "more": ")";
    text += std::string(size - text.size() - 2, 'y') + "\"}";
    Put(config, text);
    return FindName(in_docker).name;
  };
  EXPECT_EQ(name_in(1 << 20), "x");
  EXPECT_EQ(name_in((1 << 20) + 1), "");
}

TEST_F(ContainerNamesTest, ReadsNamesOfUpTo253Bytes) {
  auto name_of = [&](size_t size) {
    Put(config, R"({"Name": "/)" + std::string(size, 'x') + "\"}");
    return FindName(in_docker).name.size();
  };
  EXPECT_EQ(name_of(253), 253u);
  EXPECT_EQ(name_of(254), 0u);
}

TEST_F(ContainerNamesTest, OfAnotherEngineAreNotInDockersFiles) {
  Put(config, R"({"Name": "/angry_hopper"})");
  in_docker.runtime = ContainerRuntime::kPodman;
  EXPECT_EQ(FindName(in_docker).name, "");
}

}  // namespace
}  // namespace mete
