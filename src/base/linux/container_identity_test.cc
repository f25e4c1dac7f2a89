#include "linux/container_identity.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

// 64 digits that begin recognisably.
const std::string kId =
    "5a2b9c04d1e7f6388f00aa11bb22cc33dd44ee5566778899aabbccddeeff0011";
const std::string kUid = "1f0c7a52-9d3e-4b6a-8c21-0e5f4d3b2a19";
const std::string kUidInSlice = "1f0c7a52_9d3e_4b6a_8c21_0e5f4d3b2a19";

std::string RuntimeOf(const std::string& group) {
  auto found = IdentifyContainer(group);
  return found ? NameOf(found->runtime) : "none";
}
std::string IdOf(const std::string& group) {
  auto found = IdentifyContainer(group);
  return found ? found->id : "none";
}
std::string PodOf(const std::string& group) {
  auto found = IdentifyContainer(group);
  return found ? found->pod : "none";
}

TEST(ContainerIdentityTest, KnowsContainersOfDockerInBothNamings) {
  EXPECT_EQ(RuntimeOf("/docker/" + kId), "docker");
  EXPECT_EQ(IdOf("/docker/" + kId), kId);
  EXPECT_EQ(RuntimeOf("/system.slice/docker-" + kId + ".scope"), "docker");
  EXPECT_EQ(IdOf("/system.slice/docker-" + kId + ".scope"), kId);
}

TEST(ContainerIdentityTest, KnowsContainersOfKubernetesWithTheirPods) {
  const std::string plain = "/kubepods/burstable/pod" + kUid + "/" + kId;
  EXPECT_EQ(RuntimeOf(plain), "containerd");
  EXPECT_EQ(PodOf(plain), kUid);
  const std::string pod =
      "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
      kUidInSlice + ".slice";
  EXPECT_EQ(RuntimeOf(pod + "/cri-containerd-" + kId + ".scope"), "containerd");
  EXPECT_EQ(PodOf(pod + "/cri-containerd-" + kId + ".scope"), kUid);
  EXPECT_EQ(RuntimeOf(pod + "/crio-" + kId + ".scope"), "crio");
  EXPECT_EQ(PodOf(pod + "/crio-" + kId + ".scope"), kUid);
}

TEST(ContainerIdentityTest, KnowsGuaranteedPodsWhichLieOneLevelHigher) {
  EXPECT_EQ(PodOf("/kubepods/pod" + kUid + "/" + kId), kUid);
  EXPECT_EQ(PodOf("/kubepods.slice/kubepods-pod" + kUidInSlice +
                  ".slice/crio-" + kId + ".scope"),
            kUid);
}

TEST(ContainerIdentityTest, KnowsStaticPodsWhoseUidIsAHash) {
  const std::string hash = "0123456789abcdef0123456789abcdef";
  EXPECT_EQ(PodOf("/kubepods/besteffort/pod" + hash + "/" + kId), hash);
}

TEST(ContainerIdentityTest, LeavesOutPodsAndTheirMonitors) {
  EXPECT_EQ(RuntimeOf("/kubepods/burstable/pod" + kUid), "none");
  EXPECT_EQ(RuntimeOf("/kubepods.slice/crio-conmon-" + kId + ".scope"), "none");
  EXPECT_EQ(RuntimeOf("/machine.slice/libpod-conmon-" + kId + ".scope"),
            "none");
}

TEST(ContainerIdentityTest, KnowsContainersOfPodman) {
  for (const std::string& group :
       {"/machine.slice/libpod-" + kId + ".scope",
        "/libpod_parent/libpod-" + kId,
        "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" +
            kId + ".scope"}) {
    EXPECT_EQ(RuntimeOf(group), "podman") << group;
    EXPECT_EQ(IdOf(group), kId) << group;
  }
}

TEST(ContainerIdentityTest, KnowsServicesButNotTheSlicesAboveThem) {
  EXPECT_EQ(RuntimeOf("/system.slice/ssh.service"), "systemd");
  EXPECT_EQ(IdOf("/system.slice/ssh.service"), "ssh.service");
  EXPECT_EQ(RuntimeOf("/system.slice"), "none");
  EXPECT_EQ(RuntimeOf("/user.slice/user-1000.slice/session-1.scope"), "none");
  EXPECT_EQ(RuntimeOf("/system.slice/system-getty.slice/a.service"), "none");
  EXPECT_EQ(RuntimeOf("/elsewhere/system.slice/ssh.service"), "none");
  EXPECT_EQ(RuntimeOf("/system.slice/.service"), "none");
}

TEST(ContainerIdentityTest, KnowsTheGroupsThatMeteMakes) {
  EXPECT_EQ(RuntimeOf("/process_api/mete-app-12-3456-4026531836-1"), "mete");
  EXPECT_EQ(IdOf("/process_api/mete-app-12-3456-4026531836-1"),
            "mete-app-12-3456-4026531836-1");
  EXPECT_EQ(RuntimeOf("/mete-app-12-3456-4026531836-1/" + kId), "mete");
}

TEST(ContainerIdentityTest, GivesInnerGroupsToTheOutermostContainer) {
  const std::string group = "/docker/" + kId;
  const std::string other(64, 'c');
  auto found = IdentifyContainer(group + "/docker/" + other + "/init");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, kId);
  EXPECT_EQ(found->group, group);
}

TEST(ContainerIdentityTest, SeesAContainerFromInsideOfAnother) {
  EXPECT_EQ(RuntimeOf("/../docker-" + kId + ".scope"), "docker");
}

TEST(ContainerIdentityTest, CallsAnUnknownEngineOther) {
  EXPECT_EQ(RuntimeOf("/lxc/" + kId), "other");
  EXPECT_EQ(RuntimeOf("/default/" + kId), "containerd");
}

TEST(ContainerIdentityTest, RefusesIdsThatAreTooShortOrNoDigits) {
  EXPECT_EQ(RuntimeOf("/docker/" + kId.substr(1)), "none");
  EXPECT_EQ(RuntimeOf("/docker/" + std::string(64, 'g')), "none");
  EXPECT_EQ(RuntimeOf("/docker-.scope"), "none");
  EXPECT_EQ(RuntimeOf("/"), "none");
  EXPECT_EQ(RuntimeOf(""), "none");
}

TEST(ContainerIdentityTest, ShortensTheIdsOfEnginesAlone) {
  EXPECT_EQ(IdentifyContainer("/docker/" + kId)->ShortName(), "5a2b9c04d1e7");
  EXPECT_EQ(IdentifyContainer("/system.slice/unattended-upgrades.service")
                ->ShortName(),
            "unattended-upgrades.service");
}

}  // namespace
}  // namespace mete
