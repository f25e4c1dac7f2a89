#include "linux/container_groups.h"

#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using ContainerGroupsTest = EmptyMachine;

const std::string kId(64, 'a');

TEST_F(ContainerGroupsTest, TellsTheContainerOfAProcess) {
  Put("/proc/7/cgroup", "0::/system.slice/docker-" + kId + ".scope/init\n");
  auto found = ContainerOfProcess(root, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, kId);
  EXPECT_EQ(found->group, "/system.slice/docker-" + kId + ".scope");
}

TEST_F(ContainerGroupsTest, PrefersAContainerToTheServiceThatStartedIt) {
  Put("/proc/7/cgroup",
      "9:name=systemd:/system.slice/containerd.service\n"
      "4:memory:/docker/" +
          kId + "\n0::/\n");
  auto found = ContainerOfProcess(root, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->runtime, ContainerRuntime::kDocker);
}

TEST_F(ContainerGroupsTest, TellsTheServiceOfAProcessInNoContainer) {
  Put("/proc/7/cgroup", "4:memory:/\n1:name=systemd:/system.slice/a.service\n");
  auto found = ContainerOfProcess(root, 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ShortName(), "a.service");
}

TEST_F(ContainerGroupsTest, KnowsNoContainerOfAProcessThatHasEnded) {
  EXPECT_FALSE(ContainerOfProcess(root, 7));
  Put("/proc/8/cgroup", "0::/user.slice/user-1000.slice/session-1.scope\n");
  EXPECT_FALSE(ContainerOfProcess(root, 8));
}

}  // namespace
}  // namespace mete
