#include "watch/remove_annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"
#include "watch/cluster_sink.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::UnorderedElementsAre;

const LabelMap kPodAnnotations = {{"mete.dev/profile", "{}"},
                                  {"ai.centaurus.io/cpu_util", "271.82"},
                                  {"ai.centaurus.io/timestamp", "2024-05-01"},
                                  {"ai.centaurus.io/n1-gpu-0_util", "9"},
                                  {"ai.centaurus.io/alnair-gpu-id", "x_1"},
                                  {"team", "a"}};

// A node, and a pod of an MPIJob through a Job.
class RemoveAnnotationsTest : public testing::Test {
 protected:
  void SetUp() override {
    node_ =
        cluster_
            .AddNode(
                {.meta = {.ref = {.name = "n1"},
                          .annotations = {{"mete.dev/profile", "{}"},
                                          {"ai.centaurus.io/gpu-static", "{}"},
                                          {"ai.centaurus.io/gpu-0", "{}"},
                                          {"ai.centaurus.io/physical-gpu-count",
                                           "2"}}}})
            .ref;
    ObjectMeta mpi = cluster_.AddObject(
        {.ref = {.api_version = "kubeflow.org/v1",
                 .kind = "MPIJob",
                 .space = "ml",
                 .name = "bench"},
         .annotations = {{"ai.centaurus.io/bench-0", "{'cpu_util': 1}"},
                         {"ai.centaurus.io/former-3", "{'cpu_util': 2}"},
                         {"owner", "me"}}});
    ObjectMeta job = cluster_.AddObject(
        {.ref = {.api_version = "batch/v1",
                 .kind = "Job",
                 .space = "ml",
                 .name = "bench-launcher"},
         .annotations = {{"ai.centaurus.io/bench-0", "{'cpu_util': 1}"}},
         .owners = {Owner(mpi)}});
    mpi_ = mpi.ref;
    job_ = job.ref;
    pod_ = AddPod("ml", "bench-0", {Owner(job)});
    other_ = AddPod("other", "web", {});
  }

  static OwnerReference Owner(const ObjectMeta& meta) {
    return {.api_version = meta.ref.api_version,
            .kind = meta.ref.kind,
            .name = meta.ref.name,
            .uid = meta.ref.uid,
            .controller = true};
  }
  ObjectRef AddPod(const std::string& space, const std::string& name,
                   std::vector<OwnerReference> owners) {
    return cluster_
        .AddPod({.meta = {.ref = {.space = space, .name = name},
                          .annotations = kPodAnnotations,
                          .owners = std::move(owners)}})
        .ref;
  }
  RemovalReport Remove(const RemovalRequest& request) {
    ClusterSink sink(cluster_);
    auto report = RemoveAnnotations(request, &cluster_, sink, {});
    EXPECT_TRUE(report.ok()) << report.error().message();
    return report.ok() ? *std::move(report) : RemovalReport{};
  }
  LabelMap Annotations(const ObjectRef& ref) {
    return cluster_.Get(ref, {})->annotations;
  }

  FakeClock clock_;
  FakeCluster cluster_{clock_};
  ObjectRef node_, mpi_, job_, pod_, other_;
};

TEST_F(RemoveAnnotationsTest, LeavesOnlyWhatOthersWrote) {
  RemovalReport report = Remove({});
  EXPECT_EQ(report.entries.size(), 5u);
  EXPECT_THAT(Annotations(node_),
              ElementsAre(Key("ai.centaurus.io/physical-gpu-count")));
  EXPECT_THAT(
      Annotations(pod_),
      UnorderedElementsAre(Key("ai.centaurus.io/alnair-gpu-id"), Key("team")));
  EXPECT_THAT(Annotations(mpi_), ElementsAre(Key("owner")));
  EXPECT_THAT(Annotations(job_), IsEmpty());
  EXPECT_THAT(Annotations(other_), Contains(Key("team")));
  EXPECT_EQ(RemovalLine(report), "5 objects, 14 annotations removed");
}

TEST_F(RemoveAnnotationsTest, TouchesNothingTheSecondTime) {
  Remove({});
  const size_t patches = cluster_.patches();
  EXPECT_THAT(Remove({}).entries, IsEmpty());
  EXPECT_EQ(cluster_.patches(), patches);
}

TEST_F(RemoveAnnotationsTest, ADryRunRemovesNothing) {
  RemovalReport report = Remove({.dry_run = true});
  EXPECT_EQ(report.entries.size(), 5u);
  EXPECT_EQ(cluster_.patches(), 0u);
  EXPECT_THAT(RemovalTable(report).Text(), HasSubstr("would be removed"));
}

TEST_F(RemoveAnnotationsTest, ANamespaceIsPodsAndTheirOwners) {
  RemovalReport report = Remove({.scope = {.spaces = {"ml"}}});
  EXPECT_EQ(report.entries.size(), 3u);
  EXPECT_EQ(Annotations(node_).size(), 4u);
  EXPECT_EQ(Annotations(other_), kPodAnnotations);
}

TEST_F(RemoveAnnotationsTest, WhatMayNotBeChangedIsReported) {
  cluster_.Forbid("Pod");
  RemovalReport report = Remove({});
  EXPECT_EQ(report.failed, 2u);
  EXPECT_EQ(RemovalLine(report),
            "3 objects, 6 annotations removed; 2 objects failed");
  EXPECT_EQ(Annotations(node_).size(), 1u);
}

TEST_F(RemoveAnnotationsTest, FailsWithoutTheCluster) {
  cluster_.Break(Unavailable("down"));
  ClusterSink sink(cluster_);
  EXPECT_EQ(RemoveAnnotations({}, &cluster_, sink, {}).error().code(),
            ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace mete
