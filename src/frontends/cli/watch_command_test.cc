#include "cli/watch_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/test_command.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"
#include "tests/fakes/fake_metric_history.h"
#include "trial/variants.h"

namespace mete {
namespace {

using testing::HasSubstr;

class WatchCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster_.AddNode({.meta = {.ref = {.name = "edge-1"}}});
    history_.Set("mete_device_cpu_seconds_total", {{"node", "edge-1"}},
                 [](size_t) { return 1.5; });
  }

  CommandRun Run(std::vector<std::string> words) {
    words.insert(words.begin(), "watch");
    return RunCommand(words, [this](Command root, Verbs& verbs) {
      AddWatchCommand(root, verbs,
                      [this]() -> Result<WatchCommandDependencies> {
                        return WatchCommandDependencies{
                            .clock = clock_,
                            .analyzers = Analyzers(),
                            .open_history = [this]() -> Result<MetricHistory*> {
                              if (!has_metrics_) return NotFound("no metrics");
                              return &history_;
                            },
                            .open_cluster = [this]() -> Result<Cluster*> {
                              return &cluster_;
                            },
                            .default_file = folder_.path() / "profiles.json"};
                      });
    });
  }

  static mete::Analyzers Analyzers() {
    return {.job = [](const AnalyzeJobRequest& request) -> Result<JobAnalysis> {
              JobAnalysis job;
              if (request.series.cpu) {
                SeriesAnalysis analysis{
                    .summary = SeriesSummary{
                        .max = request.series.cpu->values.front()}};
                analysis.periods.push_back(
                    {.length = Seconds(10), .confidence = 0.98});
                job.series.push_back({"cpu", analysis});
              }
              return job;
            },
            .series = [](const AnalyzeRequest&) -> Result<SeriesAnalysis> {
              return SeriesAnalysis{};
            }};
  }

  ScratchFolder folder_ = *ScratchFolder::Create();
  FakeClock clock_;
  FakeCluster cluster_{clock_};
  FakeMetricHistory history_;
  bool has_metrics_ = true;
};

TEST_F(WatchCommandTest, PrintsOneRound) {
  CommandRun run = Run({"--once"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Node edge-1"));
  EXPECT_THAT(run.out, HasSubstr("10.0 s (cpu, 98 %)"));
  EXPECT_THAT(run.err, HasSubstr("1 object, 1 changed"));
  EXPECT_EQ(cluster_.patches(), 1u);
  EXPECT_THAT(Run({"--once"}).err, HasSubstr("1 object, 0 changed"));
}

TEST_F(WatchCommandTest, PrintsAnnotationsAsJson) {
  CommandRun run = Run({"--once", "--dry-run", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  auto json = ParseJson(run.out);
  ASSERT_TRUE(json.ok()) << run.out;
  const Json& object = json->at("objects").at(0);
  EXPECT_EQ(object.at("name"), "edge-1");
  EXPECT_EQ(object.at("annotations")
                .at("mete.dev/profile")
                .at("metrics")
                .at("cpu")
                .at("max"),
            1.5);
  EXPECT_EQ(cluster_.patches(), 0u);
  EXPECT_THAT(run.err, HasSubstr("1 would change"));
}

TEST_F(WatchCommandTest, WritesAFile) {
  CommandRun run = Run({"--once", "--sink", "file"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(cluster_.patches(), 0u);
  auto text = ReadFile(folder_.path() / "profiles.json");
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr("\"name\": \"edge-1\""));
}

TEST_F(WatchCommandTest, ReportsLostMetrics) {
  history_.Break(Unavailable("connection refused"));
  CommandRun run = Run({"--once"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("connection refused"));
}

TEST_F(WatchCommandTest, RejectsFlagsThatDoNotGoTogether) {
  EXPECT_EQ(Run({"--once", "--sink", "file", "--selector", "a=b"}).code, 2);
  EXPECT_EQ(Run({"--once", "--file", "x"}).code, 2);
  EXPECT_EQ(Run({"--sink", "file", "--lease", "a/b"}).code, 2);
  EXPECT_EQ(Run({"--sink", "moon"}).code, 2);
  EXPECT_EQ(Run({"--lease", "a"}).code, 2);
  EXPECT_EQ(Run({"--period", "10ms"}).code, 2);
}

TEST_F(WatchCommandTest, RemovesEverythingThatItWrote) {
  ASSERT_EQ(Run({"--once"}).code, 0);
  has_metrics_ = false;
  CommandRun trial = Run({"--prune-all", "--dry-run"});
  EXPECT_EQ(trial.code, 0) << trial.err;
  EXPECT_THAT(trial.out, HasSubstr("would be removed"));
  EXPECT_THAT(trial.err, HasSubstr("1 object, 1 annotation would be removed"));
  EXPECT_EQ(cluster_.patches(), 1u);
  CommandRun run = Run({"--prune-all", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(ParseJson(run.out)->at("objects").at(0).at("removed").at(0),
            "mete.dev/profile");
  EXPECT_THAT(Run({"--prune-all"}).err,
              HasSubstr("0 objects, 0 annotations removed"));
  for (const char* other : {"--once", "--prune"}) {
    EXPECT_EQ(Run({"--prune-all", other}).code, 2) << other;
  }
}

TEST_F(WatchCommandTest, ReportsWhatCouldNotBeRemoved) {
  ASSERT_EQ(Run({"--once"}).code, 0);
  cluster_.Forbid("Node");
  CommandRun run = Run({"--prune-all"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("Node edge-1: forbidden"));
  EXPECT_THAT(run.err, HasSubstr("1 object failed"));
}

TEST_F(WatchCommandTest, EmptiesTheFileOfTheSink) {
  ASSERT_EQ(Run({"--once", "--sink", "file"}).code, 0);
  EXPECT_EQ(Run({"--prune-all", "--sink", "file"}).code, 0);
  EXPECT_THAT(*ReadFile(folder_.path() / "profiles.json"),
              testing::Not(HasSubstr("edge-1")));
}

TEST_F(WatchCommandTest, NotesSuggestedTrials) {
  cluster_.AddPod({.meta = {.ref = {.space = "ml", .name = "train"}},
                   .phase = PodPhase::kRunning,
                   .containers = {{.image = "example.com/train:1",
                                   .limits = {.cpus = Millicores{1500}}}}});
  history_.Set("container_cpu_usage", {{"namespace", "ml"}, {"pod", "train"}},
               [](size_t) { return 1.5; });
  CommandRun run = Run({"--once", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("Pod ml/train used 1.5 of the 1.5 CPUs"));
  const Json objects = ParseJson(run.out)->at("objects");
  const std::string command = objects.at(1)
                                  .at("annotations")
                                  .at("mete.dev/profile")
                                  .at("trial")
                                  .at("command");
  // mete trial accepts it.
  std::vector<std::string> words = SplitAt(command, ' ');
  auto vary = std::ranges::find(words, "--vary");
  ASSERT_LT(vary, words.end() - 1) << command;
  auto axis = ParseTrialAxis(*(vary + 1));
  ASSERT_TRUE(axis.ok()) << axis.error().message();
  EXPECT_EQ(axis->values.size(), 3u);
}

TEST_F(WatchCommandTest, PrintsAValidExample) {
  CommandRun run = Run({"--example"});
  EXPECT_EQ(run.code, 0);
  auto config = ParseWatchConfig(run.out, "example");
  EXPECT_TRUE(config.ok()) << config.error().message();
}

}  // namespace
}  // namespace mete
