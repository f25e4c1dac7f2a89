#include "linux/container_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "linux/test_machines.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using ContainerGroupsTest = EmptyMachine;

std::string MakeId(char digit) { return std::string(64, digit); }

class ContainerSearchTest : public EmptyMachine {
 protected:
  void BeUnified() {
    Put("/proc/self/mountinfo",
        "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    Put("/sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
  }
  // Simulates cgroup v1: memory and cpu in separate trees.
  void BeOld() {
    Put("/proc/self/mountinfo",
        "31 20 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "32 20 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    Put("/sys/fs/cgroup/cpu/tasks", "");
    Put("/sys/fs/cgroup/memory/tasks", "");
  }
  void Group(const std::string& folder_name) {
    Put("/sys/fs/cgroup/" + folder_name + "/cgroup.procs", "");
  }
  // "runtime short-name", sorted.
  std::vector<std::string> Found() {
    std::vector<std::string> found;
    for (const ContainerIdentity& one : FindContainers(CgroupTrees(root))) {
      found.push_back(ToString(one.runtime) + (" " + one.ShortName()));
    }
    std::ranges::sort(found);
    return found;
  }
};

TEST_F(ContainerSearchTest, FindsDockerContainersUnderCgroupV1) {
  BeOld();
  Group("memory/docker/" + MakeId('a'));
  Group("memory/docker/" + MakeId('b'));
  EXPECT_THAT(Found(),
              ElementsAre("docker aaaaaaaaaaaa", "docker bbbbbbbbbbbb"));
}

TEST_F(ContainerSearchTest, FindsKubernetesContainersUnderCgroupV1) {
  BeOld();
  Group("memory/kubepods/burstable/pod" + kTestPodUid + "/" + MakeId('a'));
  auto found = FindContainers(CgroupTrees(root));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pod, kTestPodUid);
  EXPECT_EQ(found[0].group,
            "/kubepods/burstable/pod" + kTestPodUid + "/" + MakeId('a'));
}

TEST_F(ContainerSearchTest, FindsEveryKindUnderCgroupV2) {
  BeUnified();
  const std::string pod =
      "kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" +
      kTestPodUidInSlice + ".slice/";
  Group("system.slice/docker-" + MakeId('a') + ".scope");
  Group(pod + "cri-containerd-" + MakeId('b') + ".scope");
  Group(pod + "crio-" + MakeId('c') + ".scope");
  Group("machine.slice/libpod-" + MakeId('d') + ".scope/container");
  Group("machine.slice/libpod-conmon-" + MakeId('d') + ".scope");
  Group("system.slice/ssh.service");
  Group("user.slice/user-1000.slice/session-1.scope");
  Group("mete-app-1-2-3-4");
  EXPECT_THAT(Found(),
              ElementsAre("containerd bbbbbbbbbbbb", "crio cccccccccccc",
                          "docker aaaaaaaaaaaa", "mete mete-app-1-2-3-4",
                          "podman dddddddddddd", "systemd ssh.service"));
}

TEST_F(ContainerSearchTest, DoesNotSearchInsideAContainer) {
  BeUnified();
  Group("docker/" + MakeId('a') + "/docker/" + MakeId('b'));
  Group("docker/" + MakeId('a') + "/init");
  EXPECT_THAT(Found(), ElementsAre("docker aaaaaaaaaaaa"));
}

TEST_F(ContainerSearchTest, FindsItselfWhereItSeesOnlyItself) {
  const std::string group = "/docker/" + MakeId('a');
  Put("/proc/self/mountinfo", "32 20 0:28 " + group +
                                  " /sys/fs/cgroup/memory rw - cgroup cgroup "
                                  "rw,memory\n");
  Put("/sys/fs/cgroup/memory/memory.stat", "");
  EXPECT_THAT(Found(), ElementsAre("docker aaaaaaaaaaaa"));
  EXPECT_EQ(CgroupTrees(root).Main()->Below(group), ".");
}

TEST_F(ContainerSearchTest, FindsNothingWithoutCgroups) {
  EXPECT_THAT(Found(), IsEmpty());
}

TEST_F(ContainerSearchTest, FindsDeepContainersButTerminates) {
  BeUnified();
  std::string deep = "g";
  while (deep.size() < 200) deep += "/g";
  Group(deep + "/docker/" + MakeId('a'));
  while (deep.size() < 1100) deep += "/g";
  Group(deep + "/docker/" + MakeId('b'));
  EXPECT_THAT(Found(), ElementsAre("docker aaaaaaaaaaaa"));
}

TEST_F(ContainerSearchTest, UsesAProcessToLocateItsCgroupInAnotherTree) {
  BeOld();
  Put("/sys/fs/cgroup/memory/api/mete-app-1/cgroup.procs", "77\n78\n");
  Put("/proc/77/cgroup", "4:memory:/api/mete-app-1\n1:cpu:/mete-app-1\n");
  CgroupTrees trees(root);
  auto elsewhere = FindElsewhere(root, trees, FindContainers(trees).at(0));
  ASSERT_EQ(elsewhere.size(), 1u);
  EXPECT_EQ(elsewhere[0].part, CgroupPart::kCpu);
  EXPECT_EQ(elsewhere[0].folder, "mete-app-1");
}

TEST_F(ContainerSearchTest, DoesNotMistakeTheWholeMachineForAContainer) {
  BeOld();
  Put("/sys/fs/cgroup/memory/system.slice/a.service/cgroup.procs", "77\n");
  Put("/proc/77/cgroup", "4:memory:/system.slice/a.service\n1:cpu:/\n");
  CgroupTrees trees(root);
  EXPECT_THAT(FindElsewhere(root, trees, FindContainers(trees).at(0)),
              IsEmpty());
}

TEST_F(ContainerGroupsTest, FindsTheContainerOfAProcess) {
  Put("/proc/7/cgroup",
      "0::/system.slice/docker-" + kTestContainerId + ".scope/init\n");
  auto found = ContainerOfProcess(root, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, kTestContainerId);
  EXPECT_EQ(found->group,
            "/system.slice/docker-" + kTestContainerId + ".scope");
}

TEST_F(ContainerGroupsTest, PrefersAContainerToTheServiceThatStartedIt) {
  Put("/proc/7/cgroup",
      "9:name=systemd:/system.slice/containerd.service\n"
      "4:memory:/docker/" +
          kTestContainerId + "\n0::/\n");
  auto found = ContainerOfProcess(root, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->runtime, ContainerRuntime::kDocker);
}

TEST_F(ContainerGroupsTest, FindsTheServiceOfAProcessOutsideContainers) {
  Put("/proc/7/cgroup", "4:memory:/\n1:name=systemd:/system.slice/a.service\n");
  auto found = ContainerOfProcess(root, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ShortName(), "a.service");
}

TEST_F(ContainerGroupsTest, FindsNoContainerForAProcessThatHasEnded) {
  EXPECT_FALSE(ContainerOfProcess(root, 7));
  Put("/proc/8/cgroup", "0::/user.slice/user-1000.slice/session-1.scope\n");
  EXPECT_FALSE(ContainerOfProcess(root, 8));
}

TEST_F(ContainerSearchTest, ListsFoldersWhosePathsHaveUpTo1024Bytes) {
  BeUnified();
  std::string even;  // 1024 bytes with the slash in front of it
  while (even.size() < 1022) even += "g/";
  even += "g";
  Group(even + "/docker-" + MakeId('a') + ".scope");
  Group("g" + even + "/docker-" + MakeId('b') + ".scope");  // 1025
  EXPECT_THAT(Found(), ElementsAre("docker aaaaaaaaaaaa"));
}

TEST_F(ContainerSearchTest, ACgroupWithoutProcessesCannotBeLocatedElsewhere) {
  BeOld();
  Group("memory/api/mete-app-1");
  CgroupTrees trees(root);
  EXPECT_THAT(FindElsewhere(root, trees, FindContainers(trees).at(0)),
              IsEmpty());
}

TEST_F(ContainerSearchTest, IsNotElsewhereWhereItHasItsUsualName) {
  BeOld();
  Put("/sys/fs/cgroup/memory/mete-app-1/cgroup.procs", "77\n");
  Group("cpu/mete-app-1");
  Put("/proc/77/cgroup", "4:memory:/mete-app-1\n1:cpu:/x/mete-app-1\n");
  CgroupTrees trees(root);
  EXPECT_THAT(FindElsewhere(root, trees, FindContainers(trees).at(0)),
              IsEmpty());
}

}  // namespace
}  // namespace mete
