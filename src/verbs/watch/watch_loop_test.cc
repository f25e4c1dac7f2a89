#include "watch/watch_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
         .analyzers = TestAnalyzers(),
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
