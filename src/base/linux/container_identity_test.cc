#include "linux/container_identity.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

// 64 digits with a recognizable beginning.
const std::string kRecognisableId =
    "5a2b9c04d1e7f6388f00aa11bb22cc33dd44ee5566778899aabbccddeeff0011";

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

TEST(ContainerIdentityTest, RecognizesDockerContainersInBothNamings) {
  EXPECT_EQ(RuntimeOf("/docker/" + kRecognisableId), "docker");
  EXPECT_EQ(IdOf("/docker/" + kRecognisableId), kRecognisableId);
  EXPECT_EQ(RuntimeOf("/system.slice/docker-" + kRecognisableId + ".scope"),
            "docker");
  EXPECT_EQ(IdOf("/system.slice/docker-" + kRecognisableId + ".scope"),
            kRecognisableId);
}

TEST(ContainerIdentityTest, RecognizesKubernetesContainersWithTheirPods) {
  const std::string plain =
      "/kubepods/burstable/pod" + kTestPodUid + "/" + kRecognisableId;
  EXPECT_EQ(RuntimeOf(plain), "containerd");
  EXPECT_EQ(PodOf(plain), kTestPodUid);
  const std::string pod =
      "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
      kTestPodUidInSlice + ".slice";
  EXPECT_EQ(RuntimeOf(pod + "/cri-containerd-" + kRecognisableId + ".scope"),
            "containerd");
  EXPECT_EQ(PodOf(pod + "/cri-containerd-" + kRecognisableId + ".scope"),
            kTestPodUid);
  EXPECT_EQ(RuntimeOf(pod + "/crio-" + kRecognisableId + ".scope"), "crio");
  EXPECT_EQ(PodOf(pod + "/crio-" + kRecognisableId + ".scope"), kTestPodUid);
}

TEST(ContainerIdentityTest, RecognizesGuaranteedPodsOneLevelHigher) {
  EXPECT_EQ(PodOf("/kubepods/pod" + kTestPodUid + "/" + kRecognisableId),
            kTestPodUid);
  EXPECT_EQ(PodOf("/kubepods.slice/kubepods-pod" + kTestPodUidInSlice +
                  ".slice/crio-" + kRecognisableId + ".scope"),
            kTestPodUid);
}

TEST(ContainerIdentityTest, RecognizesStaticPodsWhoseUidIsAHash) {
  const std::string hash = "0123456789abcdef0123456789abcdef";
  EXPECT_EQ(PodOf("/kubepods/besteffort/pod" + hash + "/" + kRecognisableId),
            hash);
}

TEST(ContainerIdentityTest, OmitsPodsAndTheirMonitors) {
  EXPECT_EQ(RuntimeOf("/kubepods/burstable/pod" + kTestPodUid), "none");
  EXPECT_EQ(
      RuntimeOf("/kubepods.slice/crio-conmon-" + kRecognisableId + ".scope"),
      "none");
  EXPECT_EQ(
      RuntimeOf("/machine.slice/libpod-conmon-" + kRecognisableId + ".scope"),
      "none");
}

TEST(ContainerIdentityTest, RecognizesPodmanContainers) {
  for (const std::string& group :
       {"/machine.slice/libpod-" + kRecognisableId + ".scope",
        "/libpod_parent/libpod-" + kRecognisableId,
        "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" +
            kRecognisableId + ".scope"}) {
    EXPECT_EQ(RuntimeOf(group), "podman") << group;
    EXPECT_EQ(IdOf(group), kRecognisableId) << group;
  }
}

TEST(ContainerIdentityTest, RecognizesServicesButNotTheirSlices) {
  EXPECT_EQ(RuntimeOf("/system.slice/ssh.service"), "systemd");
  EXPECT_EQ(IdOf("/system.slice/ssh.service"), "ssh.service");
  EXPECT_EQ(RuntimeOf("/system.slice"), "none");
  EXPECT_EQ(RuntimeOf("/user.slice/user-1000.slice/session-1.scope"), "none");
  EXPECT_EQ(RuntimeOf("/system.slice/system-getty.slice/a.service"), "none");
  EXPECT_EQ(RuntimeOf("/elsewhere/system.slice/ssh.service"), "none");
  EXPECT_EQ(RuntimeOf("/system.slice/.service"), "none");
}

TEST(ContainerIdentityTest, RecognizesTheCgroupsThatMeteCreates) {
  EXPECT_EQ(RuntimeOf("/process_api/mete-app-12-3456-4026531836-1"), "mete");
  EXPECT_EQ(IdOf("/process_api/mete-app-12-3456-4026531836-1"),
            "mete-app-12-3456-4026531836-1");
  EXPECT_EQ(RuntimeOf("/mete-app-12-3456-4026531836-1/" + kRecognisableId),
            "mete");
}

TEST(ContainerIdentityTest, AssignsInnerCgroupsToTheOutermostContainer) {
  const std::string group = "/docker/" + kRecognisableId;
  const std::string other(64, 'c');
  auto found = IdentifyContainer(group + "/docker/" + other + "/init");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, kRecognisableId);
  EXPECT_EQ(found->group, group);
}

TEST(ContainerIdentityTest, RecognizesAContainerFromInsideAnother) {
  EXPECT_EQ(RuntimeOf("/../docker-" + kRecognisableId + ".scope"), "docker");
}

TEST(ContainerIdentityTest, CallsAnUnknownEngineOther) {
  EXPECT_EQ(RuntimeOf("/lxc/" + kRecognisableId), "other");
  EXPECT_EQ(RuntimeOf("/default/" + kRecognisableId), "containerd");
}

TEST(ContainerIdentityTest, RejectsIdsThatAreTooShortOrNotHexadecimal) {
  EXPECT_EQ(RuntimeOf("/docker/" + kRecognisableId.substr(1)), "none");
  EXPECT_EQ(RuntimeOf("/docker/" + std::string(64, 'g')), "none");
  EXPECT_EQ(RuntimeOf("/docker-.scope"), "none");
  EXPECT_EQ(RuntimeOf("/"), "none");
  EXPECT_EQ(RuntimeOf(""), "none");
}

TEST(ContainerIdentityTest, ShortensOnlyTheIdsOfEngines) {
  EXPECT_EQ(IdentifyContainer("/docker/" + kRecognisableId)->ShortName(),
            "5a2b9c04d1e7");
  EXPECT_EQ(IdentifyContainer("/system.slice/unattended-upgrades.service")
                ->ShortName(),
            "unattended-upgrades.service");
}

}  // namespace
}  // namespace mete
