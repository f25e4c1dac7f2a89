// The tests that every Cluster must pass: the fake and each adapter.
//
//   struct FakeClusterMaker {
//     Cluster& cluster();
//     // Creates objects and returns their metadata. Names are unique per test.
//     ObjectMeta AddNode(const std::string& name);
//     ObjectMeta AddPod(const std::string& space, const std::string& name,
//                       const LabelMap& labels,
//                       const std::vector<OwnerReference>& owners);
//     ObjectMeta AddJob(const std::string& space, const std::string& name);
//     void DeletePod(const std::string& space, const std::string& name);
//     std::string space();  // a namespace of this test's own
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Fake, ClusterContract, FakeClusterMaker);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ports/cluster.h"

namespace mete {

// Collects the events of a watch on pods.
class PodEvents {
 public:
  PodEvents(Cluster& cluster, ClusterScope scope)
      : thread_([this, &cluster, scope](std::stop_token stop) {
          ended = cluster.Watch(
              WatchedKind::kPods, scope,
              {.event = [this](const ClusterEvent& event) { Add(event); }},
              stop);
        }) {}

  // Waits until a change of a pod with this name was reported, at most a
  // minute.
  bool Saw(ClusterChange change, const std::string& name) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, std::chrono::minutes(1), [&] {
      for (const ClusterEvent& event : events_) {
        if (event.change != change) continue;
        if (name.empty()) return true;
        for (const PodObject& pod : event.objects.pods) {
          if (pod.meta.ref.name == name) return true;
        }
      }
      return false;
    });
  }
  ClusterChange First() {
    std::lock_guard lock(mutex_);
    return events_.at(0).change;
  }
  void Stop() {
    thread_.request_stop();
    thread_.join();
  }

  Status ended = Unavailable("the watch has not ended");

 private:
  void Add(const ClusterEvent& event) {
    std::lock_guard lock(mutex_);
    events_.push_back(event);
    arrived_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<ClusterEvent> events_;
  std::jthread thread_;
};

template <typename Maker>
class ClusterContract : public testing::Test {
 protected:
  static std::vector<std::string> Names(const std::vector<PodObject>& pods) {
    std::vector<std::string> names;
    for (const PodObject& pod : pods) names.push_back(pod.meta.ref.name);
    return names;
  }
  static OwnerReference Owner(const ObjectMeta& meta) {
    return {.api_version = meta.ref.api_version,
            .kind = meta.ref.kind,
            .name = meta.ref.name,
            .uid = meta.ref.uid,
            .controller = true};
  }
  Cluster& cluster() { return maker.cluster(); }

  Maker maker;
};
TYPED_TEST_SUITE_P(ClusterContract);

TYPED_TEST_P(ClusterContract, ListsPodsInScopeSortedByName) {
  const std::string space = this->maker.space();
  this->maker.AddPod(space, "b", {{"app", "x"}}, {});
  this->maker.AddPod(space, "a", {{"app", "x"}}, {});
  this->maker.AddPod(space, "c", {{"app", "y"}}, {});
  auto pods = this->cluster().ListPods(
      {.spaces = {space}, .label_selector = "app=x"}, {});
  ASSERT_TRUE(pods.ok()) << pods.error().message();
  EXPECT_THAT(this->Names(*pods), testing::ElementsAre("a", "b"));
  EXPECT_FALSE(pods->at(0).meta.ref.uid.empty());
  EXPECT_FALSE(pods->at(0).meta.resource_version.empty());
  EXPECT_EQ(pods->at(0).meta.ref.kind, "Pod");
  EXPECT_EQ(pods->at(0).meta.ref.api_version, "v1");
}

TYPED_TEST_P(ClusterContract, ListsNodes) {
  ObjectMeta added = this->maker.AddNode("contract-node");
  auto nodes = this->cluster().ListNodes({}, {});
  ASSERT_TRUE(nodes.ok()) << nodes.error().message();
  bool found = false;
  for (const NodeObject& node : *nodes) found |= node.meta.ref == added.ref;
  EXPECT_TRUE(found);
}

TYPED_TEST_P(ClusterContract, ReportsTheListAndThenChanges) {
  const std::string space = this->maker.space();
  this->maker.AddPod(space, "early", {}, {});
  PodEvents events(this->cluster(), {.spaces = {space}});
  ASSERT_TRUE(events.Saw(ClusterChange::kRelisted, "early"));
  EXPECT_EQ(events.First(), ClusterChange::kRelisted);
  ObjectMeta late = this->maker.AddPod(space, "late", {}, {});
  ASSERT_TRUE(events.Saw(ClusterChange::kAdded, "late"));
  ASSERT_TRUE(this->cluster()
                  .Patch({.object = late.ref, .set = {{"k", "v"}}}, {})
                  .ok());
  ASSERT_TRUE(events.Saw(ClusterChange::kModified, "late"));
  this->maker.DeletePod(space, "early");
  ASSERT_TRUE(events.Saw(ClusterChange::kDeleted, "early"));
  events.Stop();
  EXPECT_TRUE(events.ended.ok());
}

TYPED_TEST_P(ClusterContract, SetsAndRemovesOnlyTheGivenAnnotations) {
  ObjectMeta pod = this->maker.AddPod(this->maker.space(), "p", {}, {});
  auto patch = [&](AnnotationPatch change) {
    change.object = pod.ref;
    return this->cluster().Patch(change, {});
  };
  ASSERT_TRUE(patch({.set = {{"a.b/one", "1"}, {"a.b/two", "2"}}}).ok());
  auto after = patch(
      {.set = {{"a.b/two", "{'x': \"é\"}"}}, .remove = {"a.b/one", "missing"}});
  ASSERT_TRUE(after.ok()) << after.error().message();
  EXPECT_EQ(after->annotations.count("a.b/one"), 0u);
  EXPECT_EQ(after->annotations["a.b/two"], "{'x': \"é\"}");
  auto stored = this->cluster().Get(pod.ref, {});
  ASSERT_TRUE(stored.ok()) << stored.error().message();
  EXPECT_EQ(stored->annotations, after->annotations);
}

TYPED_TEST_P(ClusterContract, ADryRunStoresNothing) {
  ObjectMeta pod = this->maker.AddPod(this->maker.space(), "p", {}, {});
  auto after = this->cluster().Patch(
      {.object = pod.ref, .set = {{"k", "v"}}, .dry_run = true}, {});
  ASSERT_TRUE(after.ok()) << after.error().message();
  EXPECT_EQ(this->cluster().Get(pod.ref, {})->annotations.count("k"), 0u);
}

TYPED_TEST_P(ClusterContract, DoesNotTouchAnotherObjectOfTheSameName) {
  ObjectMeta pod = this->maker.AddPod(this->maker.space(), "p", {}, {});
  ObjectRef older = pod.ref;
  older.uid = "00000000-0000-4000-8000-000000000000";
  auto patched =
      this->cluster().Patch({.object = older, .set = {{"k", "v"}}}, {});
  ASSERT_FALSE(patched.ok());
  EXPECT_EQ(patched.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(this->cluster().Get(older, {}).error().code(),
            ErrorCode::kNotFound);
  EXPECT_EQ(this->cluster().Get(pod.ref, {})->annotations.count("k"), 0u);
}

TYPED_TEST_P(ClusterContract, AnObjectThatIsGoneIsNotFound) {
  ObjectRef gone{.api_version = "v1",
                 .kind = "Pod",
                 .space = this->maker.space(),
                 .name = "never"};
  EXPECT_EQ(this->cluster().Get(gone, {}).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(this->cluster().Patch({.object = gone}, {}).error().code(),
            ErrorCode::kNotFound);
}

TYPED_TEST_P(ClusterContract, FollowsOwnersToTheTop) {
  const std::string space = this->maker.space();
  ObjectMeta job = this->maker.AddJob(space, "train");
  ObjectMeta pod = this->maker.AddPod(space, "p", {}, {this->Owner(job)});
  auto owners = this->cluster().Owners(pod, {});
  ASSERT_TRUE(owners.ok()) << owners.error().message();
  ASSERT_EQ(owners->size(), 1u);
  EXPECT_EQ(owners->back().ref, job.ref);
  ObjectMeta alone = this->maker.AddPod(space, "alone", {}, {});
  EXPECT_TRUE(this->cluster().Owners(alone, {})->empty());
}

TYPED_TEST_P(ClusterContract, OnlyOneHoldsALease) {
  LeaseRequest a{.space = this->maker.space(),
                 .name = "leader",
                 .holder = "a",
                 .duration = std::chrono::seconds(60)};
  LeaseRequest b = a;
  b.holder = "b";
  auto taken = this->cluster().AcquireLease(a, {});
  ASSERT_TRUE(taken.ok()) << taken.error().message();
  EXPECT_TRUE(taken->held);
  EXPECT_TRUE(this->cluster().AcquireLease(a, {})->held) << "renewed";
  auto refused = this->cluster().AcquireLease(b, {});
  ASSERT_TRUE(refused.ok()) << refused.error().message();
  EXPECT_FALSE(refused->held);
  EXPECT_EQ(refused->holder, "a");
  ASSERT_TRUE(this->cluster().ReleaseLease(b).ok());
  EXPECT_FALSE(this->cluster().AcquireLease(b, {})->held);
  ASSERT_TRUE(this->cluster().ReleaseLease(a).ok());
  EXPECT_TRUE(this->cluster().AcquireLease(b, {})->held);
}

REGISTER_TYPED_TEST_SUITE_P(ClusterContract, ListsPodsInScopeSortedByName,
                            ListsNodes, ReportsTheListAndThenChanges,
                            SetsAndRemovesOnlyTheGivenAnnotations,
                            ADryRunStoresNothing,
                            DoesNotTouchAnotherObjectOfTheSameName,
                            AnObjectThatIsGoneIsNotFound, FollowsOwnersToTheTop,
                            OnlyOneHoldsALease);

}  // namespace mete
