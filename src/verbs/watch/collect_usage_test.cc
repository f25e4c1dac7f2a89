#include "watch/collect_usage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watch/pod_facts.h"
#include "watch/test_round.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

WallTime At(double time) {
  return WallTime(milliseconds(static_cast<int64_t>(time * 1000)));
}

Result<Usage> Collect(const WatchConfig& config, FakeMetricHistory& history) {
  return CollectUsage(config, history, MakeNodeNaming({}, false), At(1000), {});
}

// Otherwise a round would see other values than the one before.
TEST(CollectUsage, AsksForTheSamePointsInEveryRound) {
  WatchConfig config = TestConfig();
  config.step = Seconds(15);
  config.window = Seconds(60);
  auto early = UsageQueries(config, At(1000));
  auto late = UsageQueries(config, At(1004.9));
  EXPECT_EQ(early[0].from, At(945));
  EXPECT_EQ(early[0].to, At(990));
  EXPECT_EQ(late[0].to, At(990));
  EXPECT_EQ(UsageQueries(config, At(1005))[0].to, At(1005));
  EXPECT_THAT(early[0].promql, HasSubstr("[60000ms]"));
}

TEST(CollectUsage, UsesTheFirstSourceThatHasValues) {
  WatchConfig config{.window = Seconds(8), .step = Seconds(1)};
  config.metrics = {{.name = "cpu",
                     .sources = {{"first", {{"node", {"a", "b"}}}},
                                 {"second", {{"node", {"b"}}}}}}};
  FakeMetricHistory history;
  history.Set("first", {{"b", "n1:9100"}}, Constant(1));
  history.Set("second", {{"b", "n1"}}, Constant(2));
  history.Set("second", {{"b", "[::1]:9100"}}, Constant(3));
  history.Set("second", {{"other", "x"}}, Constant(4));
  auto usage = Collect(config, history);
  ASSERT_TRUE(usage.ok()) << usage.error().message();
  ASSERT_EQ(usage->nodes.size(), 2u);
  EXPECT_EQ(usage->nodes["n1"]["cpu"].values.front(), 1);
  EXPECT_EQ(usage->nodes["::1"]["cpu"].values.front(), 3);
}

// Alnair's last GPU overwrote the others, and a card that two pods used one
// after the other has two series.
TEST(CollectUsage, JoinsTheSeriesOfAGpuThatChangesHands) {
  FakeMetricHistory history;
  for (const char* pod : {"a", "b"}) {
    history.Set("gpu:gpu_utilization",
                {{"node", "n"}, {"gpu", "0"}, {"namespace", "s"}, {"pod", pod}},
                Constant(1));
  }
  auto usage = Collect(TestConfig(), history);
  ASSERT_TRUE(usage.ok());
  const GpuUsage& gpu = usage->gpus.at({"n", "0"});
  EXPECT_EQ(gpu.series.at("gpu_utilization").values.size(), 40u);
  EXPECT_THAT(gpu.pods, ElementsAre(PodKey{"s", "a"}, PodKey{"s", "b"}));
}

TEST(CollectUsage, FailsAsAWholeWhenAQueryMayPassLater) {
  FakeMetricHistory history;
  history.Reject("pod:memory", Unavailable("too busy"));
  EXPECT_EQ(Collect(TestConfig(), history).error().code(),
            ErrorCode::kUnavailable);
}

TEST(CollectUsage, MatchesNodesOfAClusterByNameOrAddress) {
  NodeNaming naming = MakeNodeNaming(
      {{.meta = {.ref = {.name = "n1"}}, .addresses = {"1.2.3.4"}},
       {.meta = {.ref = {.name = "n2"}}}},
      true);
  EXPECT_EQ(naming("n1"), "n1");
  EXPECT_EQ(naming("1.2.3.4:9100"), "n1");
  EXPECT_EQ(naming("n2:5001"), "n2");
  EXPECT_EQ(naming("stranger"), "");
}

}  // namespace
}  // namespace mete
