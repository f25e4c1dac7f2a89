#include "measure/container_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(ContainerView, ProcessGetsPathsOfThisMachine) {
  LaunchRequest launch;
  ShowDataset("/data/street", launch);
  ShowHooks("/tmp/m/hook.sock", launch);
  EXPECT_THAT(
      launch.environment,
      UnorderedElementsAre(Pair("METE_DATASET", "/data/street"),
                           Pair("METE_HOOK_SOCKET", "/tmp/m/hook.sock")));
}

TEST(ContainerView, ContainerGetsItsDatasetReadOnly) {
  LaunchRequest launch{.container = ContainerSettings{.image = "app"}};
  ShowDataset("/data/street", launch);
  EXPECT_THAT(launch.container->mounts,
              ElementsAre(Mount{.source = "/data/street",
                                .target = "/mete/dataset",
                                .read_only = true}));
  EXPECT_EQ(launch.environment.at("METE_DATASET"), "/mete/dataset");
}

TEST(ContainerView, ContainerFindsHooksAtOldAndNewPaths) {
  LaunchRequest launch{.container = ContainerSettings{.image = "app"}};
  ShowHooks("/tmp/m/hook.sock", launch);
  EXPECT_THAT(
      launch.container->mounts,
      ElementsAre(
          Mount{.source = "/tmp/m", .target = "/mete/hook", .read_only = true},
          Mount{.source = "/tmp/m", .target = "/metrics", .read_only = true}));
  EXPECT_EQ(launch.environment.at("METE_HOOK_SOCKET"), "/mete/hook/hook.sock");
}

}  // namespace
}  // namespace mete
