#include "cli/watch_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_cluster.h"
#include "tests/fakes/fake_metric_history.h"

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
                            .history = history_,
                            .clock = clock_,
                            .analyzers = Analyzers(),
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

TEST_F(WatchCommandTest, PrintsAValidExample) {
  CommandRun run = Run({"--example"});
  EXPECT_EQ(run.code, 0);
  auto config = ParseWatchConfig(run.out, "example");
  EXPECT_TRUE(config.ok()) << config.error().message();
}

}  // namespace
}  // namespace mete
