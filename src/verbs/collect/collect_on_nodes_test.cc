#include "collect/collect_on_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collect/collect_stream.h"
#include "support/file.h"
#include "tests/fakes/fake_collecting.h"
#include "tests/fakes/fake_launcher.h"

namespace mete {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// What `mete collect --stream` prints in a pod, whose mete knows nothing.
std::string PodOutput(const std::vector<std::string>& command,
                      const std::string& networks) {
  FakeCollecting pod;
  pod.script.latency = [](const std::string& network) {
    return network == "micro-chain" ? 0.0002 : 0.01;
  };
  static uint64_t drawn = 0;  // ids of runs differ between pods
  pod.drawn = drawn += 1000;
  std::string output = "mete: a message\n";
  const WriteLine write = [&](const std::string& line) { output += line; };
  StreamingStore store(pod.store, write);
  CollectDependencies needs = pod.Get();
  CollectRequest how{.loads = {0, 0.4}};
  for (size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] != "--skip") continue;
    const std::vector<SkippedRun> runs = *ParseSkipped(command[i + 1]);
    how.skip.insert(how.skip.end(), runs.begin(), runs.end());
  }
  auto summary = CollectHere({.networks = networks, .devices = "", .how = how},
                             {.store = store,
                              .testbeds = needs.testbeds,
                              .reader = needs.reader,
                              .writer = needs.writer,
                              .host = needs.host,
                              .clock = needs.clock,
                              .new_machine_probe = needs.new_machine_probe,
                              .draw_entropy = needs.draw_entropy,
                              .engine_version = needs.engine_version},
                             {}, {});
  EXPECT_TRUE(summary.ok()) << summary.error().message();
  return output + SummaryLine(*summary);
}

class CollectOnNodesTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFileAtomically(folder.path() / "a.onnx", "a").ok());
  }
  // Every node works.
  ApplicationScript Work(const LaunchRequest& launch) {
    return {.output = PodOutput(launch.command, folder.path()),
            .place = RemotePlace{.device_id = "id-" + launch.node,
                                 .device_name = launch.node}};
  }
  std::vector<NodeCollection> Go() {
    auto nodes = CollectOnNodes(request, {.store = store, .launcher = launcher},
                                {}, stop.get_token());
    EXPECT_TRUE(nodes.ok()) << nodes.error().message();
    return nodes.ok() ? *nodes : std::vector<NodeCollection>();
  }

  FakeClock clock;
  MemoryRunStore store;
  ScratchFolder folder = ScratchFolder::Create().value();
  FakeLauncher::Scripts script = [this](const LaunchRequest& launch) {
    return Work(launch);
  };
  FakeLauncher launcher{
      clock, [this](const LaunchRequest& launch) { return script(launch); }};
  CollectOnNodesRequest request{.image = "mete:1",
                                .nodes = {"edge-1", "edge-2"},
                                .networks = "/nets",
                                .how = {.loads = {0, 0.4}}};
  std::stop_source stop;
};

TEST_F(CollectOnNodesTest, StoresTheRunsOfEachNodeUnderItsName) {
  auto nodes = Go();
  ASSERT_THAT(nodes, SizeIs(2));
  EXPECT_EQ(nodes[0].summary.measured, 2u);
  EXPECT_FALSE(nodes[0].failure.has_value());
  EXPECT_THAT(store.ListRuns({.device = "edge-1"}).value(), SizeIs(2));
  auto runs = store.ListRuns({.device = "edge-2"}).value();
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[0].device_id, "id-edge-2");
  EXPECT_THAT(store.FindRun(runs[0].id)->network()->samples,
              testing::Not(IsEmpty()));
  // Predictors need to know what the device is and how fast.
  EXPECT_TRUE(store.FindDevice("edge-1")->micro.has_value());
}

TEST_F(CollectOnNodesTest, TheJobRunsMeteWithTheSameRequest) {
  request.nodes = {"edge-1"};
  request.how.iterations = 7;
  Go();
  const LaunchRequest& job = launcher.log().starts.at(0);
  EXPECT_EQ(job.container->image, "mete:1");
  EXPECT_EQ(job.node, "edge-1");
  EXPECT_EQ(job.command[0], "collect");
  for (const char* word : {"--stream", "/nets", "0,40", "7", "1.5s"}) {
    EXPECT_THAT(job.command, Contains(word));
  }
}

TEST_F(CollectOnNodesTest, SkipsWhatTheStoreHasOfTheNode) {
  Go();
  auto nodes = Go();
  EXPECT_EQ(nodes[0].summary.found, 2u);
  EXPECT_EQ(nodes[0].summary.measured, 0u);
  EXPECT_THAT(store.ListRuns({}).value(), SizeIs(4));
}

TEST_F(CollectOnNodesTest, ANodeThatFailsDoesNotStopTheOthers) {
  script = [this](const LaunchRequest& launch) {
    if (launch.node == "edge-2") return Work(launch);
    ApplicationScript failing;
    failing.start_failure = NotFound("image mete:1: ErrImagePull");
    return failing;
  };
  auto nodes = Go();
  EXPECT_EQ(nodes[0].failure->message(), "image mete:1: ErrImagePull");
  EXPECT_EQ(nodes[1].summary.measured, 2u);
}

TEST_F(CollectOnNodesTest, AJobThatBreaksOffKeepsItsRuns) {
  request.nodes = {"edge-1"};
  script = [this](const LaunchRequest& launch) {
    ApplicationScript broken = Work(launch);
    broken.output.erase(broken.output.find("{\"collected\""));
    broken.output += "mete: no memory left\n";
    broken.ending = {.exit_code = 1, .evidence = "script"};
    return broken;
  };
  auto nodes = Go();
  EXPECT_EQ(nodes[0].failure->message(), "a message; no memory left");
  EXPECT_EQ(nodes[0].summary.measured, 2u);
  EXPECT_THAT(store.ListRuns({}).value(), SizeIs(2));
}

TEST_F(CollectOnNodesTest, AnImageWithoutMeteIsAFailure) {
  request.nodes = {"edge-1"};
  script = [](const LaunchRequest&) { return ApplicationScript(); };
  EXPECT_EQ(Go()[0].failure->message(), "the image does not run mete collect");
}

// How many Jobs had been started when the first one was looked at.
TEST_F(CollectOnNodesTest, MeasuresOneNodeAfterTheOtherUnlessAsked) {
  for (size_t at_once : {1, 2}) {
    request.at_once = at_once;
    std::vector<size_t> seen;
    size_t started = 0;
    script = [&](const LaunchRequest& launch) {
      ++started;
      ApplicationScript work = Work(launch);
      work.on_wait = [&] { seen.push_back(started); };
      return work;
    };
    Go();
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.front(), at_once);
    EXPECT_EQ(started, 2u);
  }
}

TEST_F(CollectOnNodesTest, AStopEndsTheJobAndKeepsWhatIsThere) {
  script = [this](const LaunchRequest& launch) {
    ApplicationScript endless = Work(launch);
    endless.output.erase(endless.output.find("{\"collected\""));
    endless.length.reset();
    endless.on_wait = [this] { stop.request_stop(); };
    return endless;
  };
  auto nodes = Go();
  EXPECT_EQ(launcher.log().terminated, 1);
  EXPECT_TRUE(nodes[0].summary.interrupted);
  EXPECT_TRUE(nodes[1].summary.interrupted);
  EXPECT_THAT(launcher.log().starts, SizeIs(1));
  EXPECT_THAT(store.ListRuns({}).value(), SizeIs(2));
}

}  // namespace
}  // namespace mete
