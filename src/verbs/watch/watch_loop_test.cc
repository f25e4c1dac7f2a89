#include "watch/watch_loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "watch/cluster_sink.h"
#include "watch/test_round.h"

namespace mete {
namespace {

using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// Runs the loop on a fake clock, which advances while it waits.
class WatchLoopTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster_.AddNode({.meta = {.ref = {.name = "n1"}}});
    history_.Set("node:cpu", {{"node", "n1"}}, Constant(1));
    options_.request.config = TestConfig();
    options_.period = Seconds(30);
  }

  // Stops after this many rounds or warnings.
  Status RunUntil(size_t reports) {
    left_ = reports;
    return WatchUntilStopped(
        options_,
        {.history = history_,
         .cluster = with_cluster_ ? &cluster_ : nullptr,
         .sink = sink_,
         .analyzers = analyzers_,
         .clock = clock_},
        {.round =
             [this](const RoundReport& report) {
               rounds_.push_back(clock_.Now());
               changed_.push_back(report.changed);
               Count();
             },
         .warn =
             [this](const std::string& text) {
               warnings_.push_back(text);
               warned_.push_back(clock_.Now());
               if (on_warning_) on_warning_();
               Count();
             },
         .note = [this](const std::string& text) { notes_.push_back(text); },
         .reload = [this] { return std::exchange(reloaded_, std::nullopt); }},
        stop_.get_token());
  }
  void Count() {
    if (--left_ == 0) stop_.request_stop();
  }

  FakeClock clock_;
  FakeCluster cluster_{clock_};
  FakeMetricHistory history_;
  ClusterSink sink_{cluster_};
  Analyzers analyzers_ = TestAnalyzers();
  WatchLoopOptions options_;
  bool with_cluster_ = true;
  std::stop_source stop_;
  size_t left_ = 0;
  std::vector<std::chrono::nanoseconds> rounds_;
  std::vector<std::chrono::nanoseconds> warned_;
  std::vector<size_t> changed_;
  std::vector<std::string> warnings_;
  std::vector<std::string> notes_;
  std::function<void()> on_warning_;
  std::optional<WatchConfig> reloaded_;
};

TEST_F(WatchLoopTest, RunsOncePerPeriodAndWritesOnce) {
  ASSERT_TRUE(RunUntil(3).ok());
  ASSERT_EQ(rounds_.size(), 3u);
  EXPECT_EQ(rounds_[2] - rounds_[0], seconds(60));
  EXPECT_EQ(cluster_.patches(), 1u);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WatchLoopTest, RetriesWithBackOffWhenMetricsAreLost) {
  history_.Break(Unavailable("connection refused"));
  on_warning_ = [this] {
    if (warnings_.size() == 3) history_.Break(std::nullopt);
  };
  ASSERT_TRUE(RunUntil(5).ok());
  ASSERT_EQ(warned_.size(), 3u);
  EXPECT_THAT(warnings_[0], HasSubstr("connection refused"));
  EXPECT_EQ(warned_[1] - warned_[0], seconds(1));
  EXPECT_EQ(warned_[2] - warned_[1], seconds(2));
  ASSERT_EQ(rounds_.size(), 2u);
  EXPECT_EQ(rounds_[0] - warned_[2], seconds(4));
  EXPECT_EQ(changed_[0], 1u);
}

// The values are those of a server that never went away, and only what is
// missing is asked for.
TEST_F(WatchLoopTest, AMinuteWithoutMetricsLeavesNoGap) {
  auto wave = [](WallTime time) -> std::optional<double> {
    return 2 + std::sin(Seconds(time.time_since_epoch()).count() / 30);
  };
  history_.Clear();
  history_.SetAt("node:cpu", {{"node", "n1"}}, wave);
  WatchConfig& config = options_.request.config;
  config.window = Seconds(600);
  config.step = Seconds(15);
  TimeSeries last;
  analyzers_.job = [&](const AnalyzeJobRequest& request) {
    last = *request.series.cpu;
    return TestJobAnalysis(request);
  };
  config.tolerance = 0;  // every round analyzes
  std::chrono::nanoseconds lost{0};
  history_.OnAsk([&] {
    if (rounds_.size() == 3 && lost.count() == 0) {
      lost = clock_.Now();
      history_.Break(Unavailable("connection refused"));
    }
    if (lost.count() > 0 && clock_.Now() - lost >= seconds(60)) {
      history_.Break(std::nullopt);
    }
  });
  // Three rounds, warnings after 0, 1, 3, 7, 15, 31 and 61 s at the latest.
  ASSERT_TRUE(RunUntil(10).ok());
  ASSERT_GE(warned_.size(), 5u);
  ASSERT_GE(rounds_.size(), 4u);
  EXPECT_LE(rounds_[3] - lost, seconds(95));
  const auto asked = history_.asked()[0];
  EXPECT_LT(asked.to - asked.from, seconds(300)) << "not the whole window";
  ASSERT_EQ(last.values.size(), 40u);
  for (size_t i = 0; i < last.values.size(); ++i) {
    const WallTime time(
        std::chrono::round<std::chrono::milliseconds>(Seconds(last.times[i])));
    EXPECT_EQ(last.values[i], *wave(time));
    if (i > 0) {
      EXPECT_EQ(last.times[i] - last.times[i - 1], 15);
    }
  }
}

TEST_F(WatchLoopTest, AMinuteWithoutTheClusterLosesNoAnnotation) {
  history_.Clear();
  double value = 1;
  history_.SetAt("node:cpu", {{"node", "n1"}},
                 [&](WallTime) { return std::optional(value); });
  history_.OnAsk([&] {
    if (rounds_.size() == 2) {
      cluster_.Break(Unavailable("connection refused"));
      value = 5;
    }
    if (rounds_.size() == 4) cluster_.Break(std::nullopt);
  });
  ASSERT_TRUE(RunUntil(6).ok());
  EXPECT_EQ(changed_, (std::vector<size_t>{1, 0, 1, 1, 1, 0}));
  EXPECT_EQ(cluster_.patches(), 2u);
  auto node = cluster_.Get({.kind = "Node", .name = "n1"}, {});
  EXPECT_THAT(node->annotations["mete.dev/profile"], HasSubstr("\"max\":5"));
}

TEST_F(WatchLoopTest, LimitsTheTimeOfAnalyses) {
  for (int i = 0; i < 9; ++i) {
    cluster_.AddNode({.meta = {.ref = {.name = fmt::format("m{}", i)}}});
    history_.Set("node:cpu", {{"node", fmt::format("m{}", i)}}, Constant(1));
  }
  analyzers_.job = [&](const AnalyzeJobRequest& request) {
    clock_.Advance(seconds(0), seconds(1));
    return TestJobAnalysis(request);
  };
  options_.request.config.analysis_share = 0.1;
  ASSERT_TRUE(RunUntil(4).ok());
  EXPECT_EQ(changed_, (std::vector<size_t>{3, 3, 3, 1}));
}

TEST_F(WatchLoopTest, EndsWhenARetryCannotHelp) {
  history_.Break(Error(ErrorCode::kPermissionDenied, "status 401"));
  Status status = RunUntil(1);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kPermissionDenied);
}

TEST_F(WatchLoopTest, UsesANewConfigurationAtOnce) {
  WatchConfig config = TestConfig();
  config.window = Seconds(40);
  reloaded_ = config;
  ASSERT_TRUE(RunUntil(2).ok());
  EXPECT_EQ(rounds_[1], rounds_[0]);
  ASSERT_FALSE(history_.asked().empty());
  EXPECT_EQ(history_.asked()[0].to - history_.asked()[0].from, seconds(39));
}

TEST_F(WatchLoopTest, WaitsWhileAnotherReplicaLeads) {
  options_.lease = LeaseRequest{
      .space = "mete", .name = "watch", .holder = "b", .duration = seconds(15)};
  LeaseRequest other = *options_.lease;
  other.holder = "a";
  ASSERT_TRUE(cluster_.AcquireLease(other, {})->held);
  ASSERT_TRUE(RunUntil(1).ok());
  EXPECT_GT(rounds_[0], seconds(15));
  EXPECT_THAT(notes_, Contains("this replica leads"));
  EXPECT_TRUE(cluster_.AcquireLease(other, {})->held) << "not released";
}

TEST_F(WatchLoopTest, FollowsPodsThatComeAndGo) {
  ClusterMirror mirror(cluster_, {.spaces = {"ml"}}, {});
  auto names = [&mirror] {
    auto objects = mirror.Objects(seconds(10), {});
    std::string all;
    if (!objects.ok()) return objects.error().message();
    for (const PodObject& pod : objects->pods) all += pod.meta.ref.name + " ";
    return all;
  };
  auto until = [&](const std::string& expected) {
    auto end = std::chrono::steady_clock::now() + seconds(20);
    while (names() != expected && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    EXPECT_EQ(names(), expected);
  };
  until("");
  cluster_.AddPod({.meta = {.ref = {.space = "ml", .name = "b"}}});
  cluster_.AddPod({.meta = {.ref = {.space = "other", .name = "x"}}});
  cluster_.AddPod({.meta = {.ref = {.space = "ml", .name = "a"}}});
  until("a b ");
  cluster_.DeletePod("ml", "b");
  until("a ");
  cluster_.Compact();
  cluster_.AddPod({.meta = {.ref = {.space = "ml", .name = "c"}}});
  until("a c ");
}

}  // namespace
}  // namespace mete
