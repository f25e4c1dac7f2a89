#include "watch/watch_round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "support/json.h"
#include "watch/cluster_sink.h"
#include "watch/file_sink.h"
#include "watch/test_round.h"

namespace mete {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

class WatchRoundTest : public testing::Test {
 protected:
  // One node with a GPU, and an MPIJob with one worker on it.
  void SetUp() override {
    cluster_.AddNode(
        {.meta = {.ref = {.name = "titan34"}}, .addresses = {"10.0.0.5"}});
    ObjectMeta job =
        cluster_.AddObject({.ref = {.api_version = "kubeflow.org/v1",
                                    .kind = "MPIJob",
                                    .space = "ml",
                                    .name = "bench"}});
    owner_ = job.ref;
    pod_ = AddWorker("bench-worker-0");
    SetUsage(2.7182);
  }

  void SetUsage(double cores) {
    history_.Set("node:cpu", {{"node", "10.0.0.5:9100"}}, Constant(3));
    SetPodCpu(cores);
    history_.Set("pod:memory", Labels(), Constant(817.9e6));
    history_.Set("pod:network_receive", Labels(), Constant(40e6));
    history_.Set("pod:network_transmit", Labels(), Constant(22.42e6));
    history_.Set("pod:disk_read", Labels(), Constant(1e6));
  }

  static std::map<std::string, std::string, std::less<>> Labels() {
    return {{"namespace", "ml"}, {"pod", "bench-worker-0"}};
  }
  void SetPodCpu(double cores) {
    history_.Set("pod:cpu", Labels(), Constant(cores));
  }
  ObjectRef AddWorker(const std::string& name) {
    return cluster_
        .AddPod({.meta = {.ref = {.space = "ml", .name = name},
                          .owners = {{.api_version = owner_.api_version,
                                      .kind = owner_.kind,
                                      .name = owner_.name,
                                      .uid = owner_.uid,
                                      .controller = true}}},
                 .node = "titan34",
                 .phase = PodPhase::kRunning})
        .ref;
  }
  void AddGpu() {
    std::map<std::string, std::string, std::less<>> gpu = {
        {"node", "titan34"}, {"gpu", "0"}, {"model", "Tesla K80"}};
    history_.Set("gpu:gpu_memory_total", gpu, Constant(12.0 * (1 << 30)));
    gpu["namespace"] = "ml";
    gpu["pod"] = "bench-worker-0";
    history_.Set("gpu:gpu_utilization", gpu,
                 [](size_t i) { return i % 10 == 0 ? 1.0 : 0.1; });
    history_.Set("gpu:gpu_memory_copy", gpu, Constant(0.66));
    history_.Set("gpu:gpu_memory[", gpu, Constant(11.0 * (1 << 30)));
    history_.Set("gpu_process:process",
                 {{"node", "titan34"},
                  {"gpu", "0"},
                  {"pid", "18477"},
                  {"uid", pod_.uid}},
                 Constant(11094.0 * (1 << 20)));
  }

  WatchDependencies Needs(AnnotationSink& sink, Cluster* cluster) {
    return {.history = history_,
            .cluster = cluster,
            .sink = sink,
            .analyzers = TestAnalyzers(),
            .clock = clock_};
  }
  RoundReport Run(const WatchRequest& request) {
    auto report = rounds_.Run(request, {});
    EXPECT_TRUE(report.ok()) << report.error().message();
    return report.ok() ? *std::move(report) : RoundReport{};
  }
  RoundReport Run() { return Run({.config = TestConfig()}); }
  LabelMap Annotations(const ObjectRef& object) {
    auto meta = cluster_.Get(object, {});
    EXPECT_TRUE(meta.ok()) << meta.error().message();
    return meta.ok() ? meta->annotations : LabelMap();
  }
  LabelMap NodeAnnotations() {
    return Annotations({.kind = "Node", .name = "titan34"});
  }

  FakeClock clock_;
  FakeCluster cluster_{clock_};
  FakeMetricHistory history_;
  ClusterSink sink_{cluster_};
  WatchRounds rounds_{Needs(sink_, &cluster_)};
  ObjectRef owner_;
  ObjectRef pod_;
};

TEST_F(WatchRoundTest, PodsHaveTheValuesOfAlnair) {
  RoundReport report = Run();
  EXPECT_EQ(report.failed, 0u);
  EXPECT_THAT(report.warnings, IsEmpty());
  LabelMap annotations = Annotations(pod_);
  EXPECT_EQ(annotations["ai.centaurus.io/cpu_util"], "271.82");
  EXPECT_EQ(annotations["ai.centaurus.io/cpu_mem_mb"], "817.9");
  EXPECT_EQ(annotations["ai.centaurus.io/network_mbps"], "62.42");
  EXPECT_EQ(annotations["ai.centaurus.io/disk_io"], "1");
  EXPECT_EQ(annotations["ai.centaurus.io/timestamp"], "2024-05-01 12:30:00");
  auto profile = ParseJson(annotations["mete.dev/profile"]);
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->at("version"), 1);
  EXPECT_EQ(profile->at("metrics").at("cpu").at("max"), 2.718);
  EXPECT_EQ(profile->at("metrics").at("cpu").at("unit"), "units");
  EXPECT_EQ(profile->at("sizing").at("cpu").at("limit"), 2);
}

TEST_F(WatchRoundTest, WorksWithoutGpus) {
  Run();
  EXPECT_THAT(NodeAnnotations(), Contains(Key("mete.dev/profile")));
  EXPECT_THAT(NodeAnnotations(),
              Not(Contains(Key("ai.centaurus.io/gpu-static"))));
}

TEST_F(WatchRoundTest, NodesHaveTheGpusOfAlnair) {
  AddGpu();
  Run();
  LabelMap node = NodeAnnotations();
  EXPECT_EQ(node["ai.centaurus.io/gpu-static"],
            "{'count': '1', 'model': 'Tesla K80', 'mem_size': '12GB'}");
  EXPECT_EQ(node["ai.centaurus.io/gpu-0"],
            "{'mem_used': '11GB', 'mem_free': '1GB', 'process_cnt': 1, "
            "'pid-mem': [(18477, '11094MB')], 'cyclic_pattern': True, "
            "'period': '10', 'max_mem_bw_util': 66, 'max_gpu_util': 100}");
  LabelMap pod = Annotations(pod_);
  EXPECT_EQ(pod["ai.centaurus.io/titan34-gpu-0_util"], "100");
  EXPECT_EQ(pod["ai.centaurus.io/titan34-gpu-0_mem_mb"], "11094");
  EXPECT_EQ(pod["ai.centaurus.io/titan34-gpu-0_mem_bw_util"], "66");
}

TEST_F(WatchRoundTest, OwnersKeepTheMaximaOfTheirWorkers) {
  Run();
  const std::string key = "ai.centaurus.io/bench-worker-0";
  EXPECT_EQ(Annotations(owner_)[key],
            "{'cpu_util': 271.82, 'cpu_mem_mb': 817.9, 'network_mbps': 62.42, "
            "'disk_io': 1, 'node': 'titan34'}");
  history_.Clear();
  SetPodCpu(1);
  history_.Set("pod:memory", Labels(), Constant(2000e6));
  Run();
  EXPECT_THAT(Annotations(owner_)[key], HasSubstr("'cpu_util': 271.82"));
  EXPECT_THAT(Annotations(owner_)[key], HasSubstr("'cpu_mem_mb': 2000"));
  cluster_.DeletePod("ml", "bench-worker-0");
  AddWorker("bench-worker-1");
  history_.Set("pod:cpu", {{"namespace", "ml"}, {"pod", "bench-worker-1"}},
               Constant(1));
  Run({.config = TestConfig(), .prune = true});
  EXPECT_THAT(Annotations(owner_), Contains(Key(key)));
  EXPECT_THAT(Annotations(owner_),
              Contains(Key("ai.centaurus.io/bench-worker-1")));
}

TEST_F(WatchRoundTest, DoesNotPatchWhileNothingChanges) {
  EXPECT_EQ(Run().changed, 3u);
  size_t patches = cluster_.patches();
  clock_.Advance(std::chrono::seconds(30));
  EXPECT_EQ(Run().changed, 0u);
  history_.Clear();
  SetUsage(2.75);
  EXPECT_EQ(Run().changed, 0u);
  EXPECT_EQ(cluster_.patches(), patches);
}

TEST_F(WatchRoundTest, ADryRunWritesNothing) {
  RoundReport report = Run({.config = TestConfig(), .dry_run = true});
  EXPECT_EQ(report.changed, 3u);
  EXPECT_EQ(cluster_.patches(), 0u);
}

TEST_F(WatchRoundTest, PruneRemovesOnlyOurStaleKeys) {
  cluster_.AddNode(
      {.meta = {.ref = {.name = "old"},
                .annotations = {{"mete.dev/profile", "{}"},
                                {"ai.centaurus.io/gpu-7", "{}"},
                                {"ai.centaurus.io/physical-gpu-count", "2"},
                                {"team", "x"}}}});
  Run();
  const ObjectRef old{.kind = "Node", .name = "old"};
  EXPECT_EQ(Annotations(old).size(), 4u);
  Run({.config = TestConfig(), .prune = true});
  EXPECT_THAT(Annotations(old),
              testing::UnorderedElementsAre(
                  Key("ai.centaurus.io/physical-gpu-count"), Key("team")));
}

TEST_F(WatchRoundTest, WritesNothingWhenMetricsAreLost) {
  Run();
  LabelMap before = Annotations(pod_);
  history_.Break(Unavailable("down"));
  auto report = rounds_.Run({.config = TestConfig(), .prune = true}, {});
  EXPECT_EQ(report.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(Annotations(pod_), before);
  history_.Break(std::nullopt);
  EXPECT_EQ(Run().changed, 0u);
}

// Answers, and is told to stop meanwhile.
class LastHistory final : public MetricHistory {
 public:
  LastHistory(MetricHistory& inner, std::stop_source& stop)
      : inner_(inner), stop_(stop) {}
  std::string name() const override { return inner_.name(); }
  std::vector<Result<HistorySet>> Ask(const std::vector<HistoryQuery>& queries,
                                      std::stop_token /*stop*/) override {
    auto answers = inner_.Ask(queries, {});
    stop_.request_stop();
    return answers;
  }

 private:
  MetricHistory& inner_;
  std::stop_source& stop_;
};

// Thousands of series take a minute.
TEST_F(WatchRoundTest, AnalyzesAndWritesNothingOnceItIsToldToStop) {
  std::stop_source stop;
  LastHistory last(history_, stop);
  auto analyzers = TestAnalyzers();
  WatchRounds rounds({.history = last,
                      .cluster = &cluster_,
                      .sink = sink_,
                      .analyzers = analyzers,
                      .clock = clock_});
  auto report = rounds.Run({.config = TestConfig()}, stop.get_token());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code(), ErrorCode::kInterrupted);
  EXPECT_THAT(Annotations(pod_), IsEmpty());
  EXPECT_THAT(NodeAnnotations(), Not(Contains(Key("mete.dev/profile"))));
}

TEST_F(WatchRoundTest, PostponesAnalysesWhenTheTimeIsUp) {
  const WatchRequest request{.config = TestConfig(),
                             .analysis_time = Seconds(0)};
  RoundReport report = Run(request);
  EXPECT_EQ(report.postponed, 1u);
  EXPECT_EQ(report.changed, 1u);
  EXPECT_THAT(NodeAnnotations(), Contains(Key("mete.dev/profile")));
  EXPECT_THAT(Annotations(pod_), IsEmpty());
  report = Run(request);
  EXPECT_EQ(report.postponed, 0u);
  EXPECT_EQ(report.changed, 2u);
  EXPECT_THAT(Annotations(pod_), Contains(Key("mete.dev/profile")));
}

// After a restart, annotations of objects whose turn has not come are not
// stale.
TEST_F(WatchRoundTest, WhatIsPostponedKeepsItsAnnotations) {
  AddGpu();
  ASSERT_EQ(Run().changed, 3u);
  const LabelMap node = NodeAnnotations(), pod = Annotations(pod_);
  const LabelMap owner = Annotations(owner_);
  WatchRounds restarted(Needs(sink_, &cluster_));
  auto report = restarted.Run(
      {.config = TestConfig(), .prune = true, .analysis_time = Seconds(0)}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->postponed, 2u);
  EXPECT_EQ(report->changed, 0u);
  EXPECT_EQ(NodeAnnotations(), node);
  EXPECT_EQ(Annotations(pod_), pod);
  EXPECT_EQ(Annotations(owner_), owner);
}

// An earlier analysis is better than none, and the oldest is repeated first.
TEST_F(WatchRoundTest, AnEarlierAnalysisServesUntilItsTurn) {
  ASSERT_EQ(Run().changed, 3u);
  history_.Clear();
  SetUsage(9);
  const WatchRequest request{
      .config = TestConfig(), .prune = true, .analysis_time = Seconds(0)};
  history_.Set("node:memory", {{"node", "10.0.0.5:9100"}}, Constant(1e9));
  RoundReport report = Run(request);
  EXPECT_EQ(report.postponed, 1u);
  EXPECT_EQ(Annotations(pod_)["ai.centaurus.io/cpu_util"], "271.82");
  EXPECT_THAT(NodeAnnotations()["mete.dev/profile"], HasSubstr("memory"));
  report = Run(request);
  EXPECT_EQ(report.postponed, 0u);
  EXPECT_EQ(Annotations(pod_)["ai.centaurus.io/cpu_util"], "900");
}

TEST_F(WatchRoundTest, SuggestsATrialToAPodAtItsLimit) {
  auto set_limit = [this](int64_t millicores) {
    cluster_.AddPod(
        {.meta = {.ref = {.space = "ml", .name = "bench-worker-0"}},
         .phase = PodPhase::kRunning,
         .containers = {{.image = "example.com/bench:1",
                         .limits = {.cpus = Millicores{millicores}}}}});
  };
  set_limit(8000);
  RoundReport report = Run();
  EXPECT_FALSE(report.objects[1].trial);
  EXPECT_THAT(report.objects[1].annotations["mete.dev/profile"],
              Not(HasSubstr("trial")));
  set_limit(2700);
  report = Run();
  ASSERT_TRUE(report.objects[1].trial);
  EXPECT_THAT(report.objects[1].annotations["mete.dev/profile"],
              HasSubstr("\"command\":\"mete trial --launcher kubernetes "
                        "--image example.com/bench:1 --vary "
                        "cpus=2700m,5400m,10800m\""));
}

TEST_F(WatchRoundTest, ARejectedQueryIsAWarning) {
  history_.Reject("gpu:gpu_memory_copy", InvalidInput("parse error"));
  EXPECT_THAT(Run().warnings, Contains(HasSubstr("parse error")));
}

TEST_F(WatchRoundTest, AnOwnerThatMayNotBeReadIsNotAnnotated) {
  cluster_.Forbid("MPIJob");
  RoundReport report = Run();
  EXPECT_EQ(report.failed, 0u);
  EXPECT_EQ(report.changed, 2u);
}

TEST_F(WatchRoundTest, ReportsWhatCouldNotBeWritten) {
  cluster_.Forbid("Pod");
  RoundReport report = Run();
  EXPECT_EQ(report.failed, 1u);
  EXPECT_THAT(report.objects[1].failure, HasSubstr("forbidden"));
}

TEST_F(WatchRoundTest, AnotherReplicaMayLead) {
  rounds_.may_write = [] { return false; };
  RoundReport report = Run();
  EXPECT_EQ(cluster_.patches(), 0u);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("another replica leads")));
}

TEST_F(WatchRoundTest, OutOfMemoryReachesTheSizing) {
  cluster_.AddPod({.meta = {.ref = {.space = "ml", .name = "bench-worker-0"}},
                   .phase = PodPhase::kRunning,
                   .containers = {{.limits = {.memory = Gibibytes(2)},
                                   .last_ending = "OOMKilled"}}});
  RoundReport report = Run();
  EXPECT_THAT(report.objects[1].annotations["mete.dev/profile"],
              HasSubstr("out of memory at 2.0 GiB"));
}

TEST_F(WatchRoundTest, WorksWithoutKubernetes) {
  auto folder = *ScratchFolder::Create();
  auto file = folder.path() / "profiles.json";
  auto sink = FileSink::Open(file);
  ASSERT_TRUE(sink.ok());
  WatchRounds rounds(Needs(*sink, nullptr));
  auto report = rounds.Run({.config = TestConfig()}, {});
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_EQ(report->changed, 2u);
  EXPECT_EQ(report->objects[0].object.name, "10.0.0.5");
  auto again = FileSink::Open(file);
  ASSERT_TRUE(again.ok()) << again.error().message();
  LabelMap pod = again->Current({.ref = pod_});
  EXPECT_EQ(pod["ai.centaurus.io/cpu_util"], "271.82");
  EXPECT_THAT(pod["mete.dev/profile"], HasSubstr("\"version\":1"));
  WatchRounds later(Needs(*again, nullptr));
  auto unchanged = later.Run({.config = TestConfig()}, {});
  ASSERT_TRUE(unchanged.ok());
  EXPECT_EQ(unchanged->changed, 0u);
  auto other = later.Run(
      {.config = TestConfig(), .scope = {.spaces = {"x"}}, .prune = true}, {});
  ASSERT_TRUE(other.ok());
  EXPECT_THAT(again->Current({.ref = pod_}), IsEmpty());
}

}  // namespace
}  // namespace mete
