#include "linux/container_identity.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

// 64 digits with a recognizable beginning.
const std::string kRecognisableId =
    "5a2b9c04d1e7f6388f00aa11bb22cc33dd44ee5566778899aabbccddeeff0011";

std::string FindRuntime(const std::string& group) {
  auto found = IdentifyContainer(group);
  return found ? ToString(found->runtime) : "none";
}
std::string FindId(const std::string& group) {
  auto found = IdentifyContainer(group);
  return found ? found->id : "none";
}
std::string FindPod(const std::string& group) {
  auto found = IdentifyContainer(group);
  return found ? found->pod : "none";
}

TEST(ContainerIdentityTest, RecognizesDockerContainersInBothNamings) {
  EXPECT_EQ(FindRuntime("/docker/" + kRecognisableId), "docker");
  EXPECT_EQ(FindId("/docker/" + kRecognisableId), kRecognisableId);
  EXPECT_EQ(FindRuntime("/system.slice/docker-" + kRecognisableId + ".scope"),
            "docker");
  EXPECT_EQ(FindId("/system.slice/docker-" + kRecognisableId + ".scope"),
            kRecognisableId);
}

TEST(ContainerIdentityTest, RecognizesKubernetesContainersWithTheirPods) {
  const std::string plain =
      "/kubepods/burstable/pod" + kTestPodUid + "/" + kRecognisableId;
  EXPECT_EQ(FindRuntime(plain), "containerd");
  EXPECT_EQ(FindPod(plain), kTestPodUid);
  const std::string pod =
      "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
      kTestPodUidInSlice + ".slice";
  EXPECT_EQ(FindRuntime(pod + "/cri-containerd-" + kRecognisableId + ".scope"),
            "containerd");
  EXPECT_EQ(FindPod(pod + "/cri-containerd-" + kRecognisableId + ".scope"),
            kTestPodUid);
  EXPECT_EQ(FindRuntime(pod + "/crio-" + kRecognisableId + ".scope"), "crio");
  EXPECT_EQ(FindPod(pod + "/crio-" + kRecognisableId + ".scope"), kTestPodUid);
}

TEST(ContainerIdentityTest, RecognizesGuaranteedPodsOneLevelHigher) {
  EXPECT_EQ(FindPod("/kubepods/pod" + kTestPodUid + "/" + kRecognisableId),
            kTestPodUid);
  EXPECT_EQ(FindPod("/kubepods.slice/kubepods-pod" + kTestPodUidInSlice +
                    ".slice/crio-" + kRecognisableId + ".scope"),
            kTestPodUid);
}

TEST(ContainerIdentityTest, RecognizesStaticPodsWhoseUidIsAHash) {
  const std::string hash = "0123456789abcdef0123456789abcdef";
  EXPECT_EQ(FindPod("/kubepods/besteffort/pod" + hash + "/" + kRecognisableId),
            hash);
}

TEST(ContainerIdentityTest, OmitsPodsAndTheirMonitors) {
  EXPECT_EQ(FindRuntime("/kubepods/burstable/pod" + kTestPodUid), "none");
  EXPECT_EQ(
      FindRuntime("/kubepods.slice/crio-conmon-" + kRecognisableId + ".scope"),
      "none");
  EXPECT_EQ(
      FindRuntime("/machine.slice/libpod-conmon-" + kRecognisableId + ".scope"),
      "none");
}

TEST(ContainerIdentityTest, RecognizesPodmanContainers) {
  for (const std::string& group :
       {"/machine.slice/libpod-" + kRecognisableId + ".scope",
        "/libpod_parent/libpod-" + kRecognisableId,
        "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" +
            kRecognisableId + ".scope"}) {
    EXPECT_EQ(FindRuntime(group), "podman") << group;
    EXPECT_EQ(FindId(group), kRecognisableId) << group;
  }
}

TEST(ContainerIdentityTest, RecognizesServicesButNotTheirSlices) {
  EXPECT_EQ(FindRuntime("/system.slice/ssh.service"), "systemd");
  EXPECT_EQ(FindId("/system.slice/ssh.service"), "ssh.service");
  EXPECT_EQ(FindRuntime("/system.slice"), "none");
  EXPECT_EQ(FindRuntime("/user.slice/user-1000.slice/session-1.scope"), "none");
  EXPECT_EQ(FindRuntime("/system.slice/system-getty.slice/a.service"), "none");
  EXPECT_EQ(FindRuntime("/elsewhere/system.slice/ssh.service"), "none");
  EXPECT_EQ(FindRuntime("/system.slice/.service"), "none");
}

TEST(ContainerIdentityTest, RecognizesTheCgroupsThatMeteCreates) {
  EXPECT_EQ(FindRuntime("/process_api/mete-app-12-3456-4026531836-1"), "mete");
  EXPECT_EQ(FindId("/process_api/mete-app-12-3456-4026531836-1"),
            "mete-app-12-3456-4026531836-1");
  EXPECT_EQ(FindRuntime("/mete-app-12-3456-4026531836-1/" + kRecognisableId),
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
  EXPECT_EQ(FindRuntime("/../docker-" + kRecognisableId + ".scope"), "docker");
}

TEST(ContainerIdentityTest, CallsAnUnknownEngineOther) {
  EXPECT_EQ(FindRuntime("/lxc/" + kRecognisableId), "other");
  EXPECT_EQ(FindRuntime("/default/" + kRecognisableId), "containerd");
}

TEST(ContainerIdentityTest, RejectsIdsThatAreTooShortOrNotHexadecimal) {
  EXPECT_EQ(FindRuntime("/docker/" + kRecognisableId.substr(1)), "none");
  EXPECT_EQ(FindRuntime("/docker/" + std::string(64, 'g')), "none");
  EXPECT_EQ(FindRuntime("/docker-.scope"), "none");
  EXPECT_EQ(FindRuntime("/"), "none");
  EXPECT_EQ(FindRuntime(""), "none");
}

TEST(ContainerIdentityTest, ShortensOnlyTheIdsOfEngines) {
  EXPECT_EQ(IdentifyContainer("/docker/" + kRecognisableId)->ShortName(),
            "5a2b9c04d1e7");
  EXPECT_EQ(IdentifyContainer("/system.slice/unattended-upgrades.service")
                ->ShortName(),
            "unattended-upgrades.service");
}

// Slices repeat the names of those above them: "kubepods-pod….slice".
TEST(ContainerIdentityTest, OtherSlicesBelowKubepodsAreNoPods) {
  EXPECT_EQ(FindPod("/kubepods.slice/pod" + kTestPodUidInSlice +
                    ".slice/crio-" + kRecognisableId + ".scope"),
            "");
  EXPECT_EQ(FindPod("/kubepods/podlike/" + kRecognisableId), "");
}

TEST(ContainerIdentityTest, RecognizesContainerdByEachOfItsFolders) {
  for (const char* parent : {"k8s.io", "default", "moby"}) {
    EXPECT_EQ(FindRuntime(std::string("/") + parent + "/" + kRecognisableId),
              "containerd")
        << parent;
  }
  EXPECT_EQ(FindRuntime("/system.slice/nerdctl-" + kRecognisableId + ".scope"),
            "containerd");
  EXPECT_EQ(FindRuntime("/x/libpod-payload-" + kRecognisableId), "podman");
}

TEST(ContainerIdentityTest, AUidHas32To36HexadecimalDigitsAndDashes) {
  auto pod = [](const std::string& uid) {
    return FindPod("/kubepods/pod" + uid + "/" + kRecognisableId);
  };
  EXPECT_EQ(pod(std::string(31, 'a')), "");
  EXPECT_EQ(pod(std::string(32, 'a')), std::string(32, 'a'));
  EXPECT_EQ(pod(std::string(36, '-')), std::string(36, '-'));
  EXPECT_EQ(pod(std::string(37, 'a')), "");
  EXPECT_EQ(pod(std::string(32, 'g')), "");
}

TEST(ContainerIdentityTest, OnlyFoldersBelowKubepodsArePods) {
  EXPECT_EQ(FindPod("/pod" + kTestPodUid + "/docker-" + kRecognisableId), "");
  EXPECT_EQ(FindPod("/kubepods/xyz" + kTestPodUid + "/" + kRecognisableId), "");
}

}  // namespace
}  // namespace mete
