#include "watch/cluster_sink.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"

namespace mete {
namespace {

TEST(ClusterSink, KnowsItsWritesThatTheSubscriptionHasNotReported) {
  FakeClock clock;
  FakeCluster cluster(clock);
  cluster.AddNode({.meta = {.ref = {.name = "n1"}}});
  const ObjectRef node{.kind = "Node", .name = "n1"};
  auto now = [&] { return cluster.Get(node, {}).value(); };
  ClusterSink sink(cluster);
  const ObjectMeta empty = now();
  auto write = [&](const std::string& value) {
    const AnnotationPatch patch{.object = empty.ref,
                                .set = {{"key", value}},
                                .remove = {},
                                .seen_version = empty.resource_version};
    ASSERT_TRUE(sink.Write({patch}, {}).at(0).ok());
  };
  write("a");
  const ObjectMeta first = now();
  EXPECT_EQ(sink.Current(empty)["key"], "a");
  // Decided while the subscription still reported the empty object.
  write("b");
  EXPECT_EQ(sink.Current(empty)["key"], "b");
  EXPECT_EQ(sink.Current(first)["key"], "b");
  EXPECT_EQ(sink.Current(now())["key"], "b");
  // Somebody else's change counts.
  ObjectMeta changed = now();
  changed.resource_version = "another";
  changed.annotations["key"] = "c";
  EXPECT_EQ(sink.Current(changed)["key"], "c");
}

}  // namespace
}  // namespace mete
