#include "measure/cluster_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_launcher.h"

namespace mete {
namespace {

using testing::ElementsAre;

struct ClusterNodes : testing::Test {
  FakeClock clock;
  FakeLauncher launcher{
      clock, [](const LaunchRequest&) { return ApplicationScript(); }};
};

TEST_F(ClusterNodes, AllAreThoseThatAcceptPods) {
  launcher.nodes = {"a", "b"};
  EXPECT_THAT(SelectNodes("all", launcher, {}).value(), ElementsAre("a", "b"));
}

TEST_F(ClusterNodes, NamesAreTakenAsTheyAre) {
  EXPECT_THAT(SelectNodes("b,c", launcher, {}).value(), ElementsAre("b", "c"));
}

TEST_F(ClusterNodes, RefusesAnEmptySelection) {
  EXPECT_EQ(SelectNodes("all", launcher, {}).error().message(),
            "no node of the cluster is ready");
  EXPECT_EQ(SelectNodes("a,", launcher, {}).error().message(),
            "nodes: a name is empty");
  EXPECT_EQ(SelectNodes("a,a", launcher, {}).error().message(),
            "nodes: a is given twice");
}

}  // namespace
}  // namespace mete
