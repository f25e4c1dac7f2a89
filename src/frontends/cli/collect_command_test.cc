#include "cli/collect_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "support/sha256.h"
#include "tests/fakes/fake_collecting.h"
#include "tests/fakes/fake_dependencies.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CollectCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFileAtomically(folder.path() / "a.onnx", "a").ok());
    platform.AddDevice("half");
  }

  CommandRun Collect(std::vector<std::string> arguments,
                     const std::string& device = "half") {
    arguments.insert(
        arguments.begin(),
        {"collect", "--networks", folder.path().string(), "--device", device});
    return RunCommand(arguments,
                      [&](Command root, Verbs& verbs) { Add(root, verbs); });
  }

  void Add(Command root, Verbs& verbs) {
    AddCollectCommand(
        root, verbs,
        [this]() -> Result<CollectDependencies> { return platform.Get(); },
        [this]() -> Result<CollectCluster> {
          return CollectCluster{.store = platform.store,
                                .launchers = cluster.launchers};
        });
  }
  CommandRun CollectThere(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "collect");
    return RunCommand(arguments,
                      [&](Command root, Verbs& verbs) { Add(root, verbs); });
  }

  FakeCollecting platform;
  FakeDependencies cluster;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(CollectCommandTest, PrintsHowManyRunsWereMeasuredAndSkipped) {
  CommandRun run = Collect({"--load", "0,40", "-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "planned,found,measured,failed\n2,0,2,0\n");
  EXPECT_EQ(Collect({"--load", "0,40", "-o", "csv"}).out,
            "planned,found,measured,failed\n2,2,0,0\n");
}

TEST_F(CollectCommandTest, VerboseNamesTheEngine) {
  CommandRun run = Collect({"--load", "0", "-v"});
  EXPECT_THAT(run.err, HasSubstr("engine: fake 1.0\n"));
}

TEST_F(CollectCommandTest, ExportOnlyMeasuresNothing) {
  std::string table = folder.path() / "rows.csv";
  CommandRun run = Collect({"--export-only", "--export-table", table});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "wrote 0 rows to " + table + "\n");
  EXPECT_EQ(platform.script.loaded.size(), 0u);
}

TEST_F(CollectCommandTest, AnUnknownDeviceIsAnError) {
  CommandRun run = Collect({}, "nobody");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, StartsWith("mete: no device is named 'nobody'"));
}

TEST_F(CollectCommandTest, ALoadAboveTheMaximumIsAUsageError) {
  CommandRun run = Collect({"--load", "96"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err,
            "mete collect: --load: '96' is not a load from 0 to 95 (%)\n");
  EXPECT_EQ(Collect({"--load", "half"}).err,
            "mete collect: --load: 'half' is not a load; write it like "
            "0,20,40\n");
}

TEST_F(CollectCommandTest, LoadsMayHaveAPercentSign) {
  CommandRun run = Collect({"--load", "0%,40%", "-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "planned,found,measured,failed\n2,0,2,0\n");
}

TEST_F(CollectCommandTest, FlagsThatDoNotGoTogetherAreUsageErrors) {
  CommandRun nothing = Collect({"--export-only"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.err,
            "mete collect: --export-only requires --export-table or "
            "--export-csv\n");
  CommandRun unused = Collect({"--device-type", "desktop"});
  EXPECT_EQ(unused.code, 2);
  EXPECT_EQ(unused.err, "mete collect: --device-type requires --export-csv\n");
}

TEST_F(CollectCommandTest, SamplesNeedANumber) {
  CommandRun run =
      RunCommand({"collect", "--networks", "sample:x"},
                 [&](Command root, Verbs& verbs) { Add(root, verbs); });
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err,
            "mete collect: --networks sample:x: expected a number from 1 to "
            "100000\n");
}

TEST_F(CollectCommandTest, StreamPrintsRecordsInsteadOfATable) {
  CommandRun run = Collect({"--load", "0", "--stream"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("{\"device\":{"));
  EXPECT_THAT(run.out, HasSubstr("\n{\"run\":{"));
  EXPECT_THAT(run.out, HasSubstr("\n{\"collected\":{\"planned\":1,"));
}

TEST_F(CollectCommandTest, SkipsWhatAnotherStoreHas) {
  const std::string content = ComputeSha256("a");
  CommandRun run =
      Collect({"--load", "0,40", "-o", "csv", "--skip", content + "@40"});
  EXPECT_EQ(run.out, "planned,found,measured,failed\n2,1,1,0\n");
}

TEST_F(CollectCommandTest, PrintsARowForEachNodeOfTheCluster) {
  cluster.cluster.nodes = {"edge-1", "edge-2"};
  cluster.script = [](const LaunchRequest& launch) {
    ApplicationScript pod;
    if (launch.node == "edge-2") {
      pod.ending.exit_code = 1;
      pod.output = "mete: no engine\n";
    } else {
      pod.output =
          "{\"collected\":{\"planned\":2,\"found\":2,\"measured\":0,"
          "\"failed\":0,\"notes\":[\"a note\"]}}\n";
    }
    return pod;
  };
  CommandRun run = CollectThere({"--launcher", "kubernetes", "--nodes", "all",
                                 "--image", "mete:1", "-o", "csv"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.out,
            "node,planned,found,measured,failed\n"
            "edge-1,2,2,0,0\nedge-2,0,0,0,0\n");
  EXPECT_EQ(run.err, "warning: edge-1: a note\nmete: edge-2: no engine\n");
}

TEST_F(CollectCommandTest, AClusterNeedsNodesAndAnImage) {
  EXPECT_THAT(CollectThere({"--launcher", "kubernetes"}).err,
              HasSubstr("requires --image"));
  EXPECT_THAT(
      CollectThere({"--launcher", "kubernetes", "--image", "mete:1"}).err,
      HasSubstr("requires --nodes"));
  EXPECT_EQ(CollectThere({"--nodes", "all"}).code, 2);
  EXPECT_THAT(CollectThere({"--launcher", "docker"}).err,
              HasSubstr("there is no launcher 'docker'"));
}

TEST_F(CollectCommandTest, AnUnknownNetworkOfTheZooIsAUsageError) {
  CommandRun run = CollectThere({"--networks", "zoo:lenet6"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("lenet5"));
}

}  // namespace
}  // namespace mete
