#include "cli/predict_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "contention/test_pressure.h"
#include "predict/contention_files.h"
#include "tests/fakes/fake_collecting.h"
#include "tests/fakes/fake_predictor.h"
#include "tests/fakes/fixed_nodes.h"

namespace mete {
namespace {

using testing::HasSubstr;

class PredictCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteFileAtomically(network, "relu").ok());
    nodes.snapshot.nodes = {{.name = "half", .facts = {.cores = 1}},
                            {.name = "whole", .facts = {.cores = 4}}};
    platform.AddDevice("half");
  }

  CommandRun Predict(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"predict", network});
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddPredictCommand(
          root, verbs, [&]() -> Result<PredictCommandDependencies> {
            return PredictCommandDependencies{
                .reader = platform.files,
                .predictors = [this]() -> Result<PredictorSet> {
                  PredictorSet set;
                  set.full = std::make_shared<FakePredictor>();
                  set.counts = set.full;
                  set.bundled = bundled;
                  return set;
                },
                .nodes = [this]() -> Result<NodeSource*> { return &nodes; },
                .machine = {.register_this_device = [this]() -> Result<Device> {
                              ++registered;
                              return here;
                            },
                            .collecting =
                                [this]() -> Result<CollectDependencies> {
                              return platform.Get();
                            }}};
          });
    });
  }

  FakeCollecting platform;
  FixedNodes nodes;
  bool bundled = false;
  int registered = 0;
  Device here{.id = "fake-device",
              .name = "fake",
              .facts = platform.host.facts,
              .micro = MicroMeasurements()};
  ScratchFolder folder = ScratchFolder::Create().value();
  std::string network = folder.path() / "relu.onnx";
};

TEST_F(PredictCommandTest, RanksAllDevicesIncludingThisMachine) {
  CommandRun run = Predict({"-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(registered, 1);
  EXPECT_THAT(run.out, HasSubstr("relu,"));
  EXPECT_THAT(run.out, HasSubstr("half"));
  EXPECT_THAT(run.out, HasSubstr("whole"));
  EXPECT_EQ(run.err, "");
}

TEST_F(PredictCommandTest, MeasuresTheEngineOnThisMachineOnce) {
  here.micro.reset();
  EXPECT_EQ(Predict({}).err, "");
  EXPECT_TRUE(platform.store.FindDevice("fake-device")->micro);
  platform.no_engine = Unavailable("there is no ONNX Runtime");
  EXPECT_EQ(Predict({}).err,
            "warning: the speed of this machine is assumed: there is no ONNX "
            "Runtime\n");
}

TEST_F(PredictCommandTest, WarnsWhenItMeasuresABusyMachine) {
  here.micro.reset();
  platform.host.environment.load_average = 4;
  EXPECT_EQ(Predict({}).err,
            "warning: this machine is busy (load average 4.0 on 4 cores), so "
            "the measured speeds may be too low; repeat this when it is idle "
            "with mete devices show --refresh\n");
}

TEST_F(PredictCommandTest, BundledPredictorsAreNoted) {
  bundled = true;
  EXPECT_THAT(Predict({}).err,
              HasSubstr("note: these predictors are bundled with mete"));
}

TEST_F(PredictCommandTest, AnUnknownDeviceIsAnErrorWithTheNearestName) {
  CommandRun run = Predict({"--device", "hald"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err, "mete: no device is named 'hald'; did you mean 'half'?\n");
  EXPECT_EQ(Predict({"--device", "nobody"}).err,
            "mete: no device is named 'nobody'; list them with mete devices "
            "list\n");
}

TEST_F(PredictCommandTest, WithoutAnyDeviceItExitsWithThree) {
  nodes.snapshot.nodes.clear();
  EXPECT_EQ(Predict({}).code, 3);
}

TEST_F(PredictCommandTest, RankingByEnergyWithoutMeasurementsIsAnError) {
  CommandRun run = Predict({"--objective", "energy"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err,
              HasSubstr("it was not measured on these devices; collect "
                        "runs on a device with energy counters"));
}

TEST_F(PredictCommandTest, StaleNodesAreAWarning) {
  nodes.snapshot.stale = "Prometheus is silent";
  EXPECT_EQ(Predict({}).err, "warning: Prometheus is silent\n");
}

TEST_F(PredictCommandTest, CheckRunsTheNetworkOnTheLocalDevice) {
  platform.script.latency = [](const std::string&) { return 0.25; };
  CommandRun run = Predict({"--check", "--load", "40", "-o", "csv"});
  EXPECT_THAT(run.out, HasSubstr("assumed_load,failure\nrelu,half,"));
  EXPECT_THAT(run.out, HasSubstr(",0.25,false,0.4,\n"));
}

TEST_F(PredictCommandTest, CheckExitsWithThreeIfATimeIsOutsideItsInterval) {
  platform.script.latency = [](const std::string&) { return 0.25; };
  for (const char* format : {"table", "csv", "json"}) {
    CommandRun run = Predict({"--check", "--load", "40", "-o", format});
    EXPECT_EQ(run.code, 3) << run.err;
    EXPECT_THAT(run.err, HasSubstr("warning: 1 of 1 measured time outside "
                                   "the predicted interval\n"));
  }
}

TEST_F(PredictCommandTest, CheckExitsWithThreeIfANetworkDoesNotComplete) {
  const std::string big = folder.path() / "big.onnx";
  ASSERT_TRUE(WriteFileAtomically(big, "big").ok());
  nodes.snapshot.nodes[0].disk_used = 0.25;  // the fake adds it to the time
  platform.script.latency = [](const std::string& name) {
    return name == "big" ? std::nullopt : std::optional(0.25);
  };
  CommandRun run = Predict({big, "--check", "--load", "40"});
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.err,
            "warning: --check: big on half: out of memory: killed by the "
            "kernel at the memory limit\n");
}

TEST_F(PredictCommandTest, CheckCountsMissesAmongWhatCompleted) {
  const std::string big = folder.path() / "big.onnx";
  ASSERT_TRUE(WriteFileAtomically(big, "big").ok());
  platform.script.latency = [](const std::string& name) {
    return name == "big" ? std::nullopt : std::optional(0.25);
  };
  CommandRun run = Predict({big, "--check", "--load", "40"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("warning: 1 of 1 measured time outside "
                                 "the predicted interval\n"));
}

TEST_F(PredictCommandTest, ValuesOfInputsNeedACheck) {
  EXPECT_EQ(Predict({"--input", "input=1"}).code, 2);
  EXPECT_NE(Predict({"--input", "input=1", "--check"}).code, 2);
}

TEST_F(PredictCommandTest, CheckSucceedsIfEveryTimeIsInsideItsInterval) {
  nodes.snapshot.nodes[0].disk_used = 0.25;  // the fake adds it to the time
  platform.script.latency = [](const std::string&) { return 0.25; };
  CommandRun run = Predict({"--check", "--load", "40", "-o", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(",0.25,true,0.4,\n"));
}

TEST_F(PredictCommandTest, ALoadIsAPercentageOrAFraction) {
  EXPECT_EQ(Predict({"--load", "30"}).out, Predict({"--load", "0.3"}).out);
  EXPECT_NE(Predict({"--load", "30"}).out, Predict({"--load", "40"}).out);
  EXPECT_EQ(Predict({"--load", "101"}).code, 2);
  EXPECT_EQ(Predict({"--load", "x"}).err,
            "mete predict: --load: 'x' is not a load; write it like 30 or "
            "30%\n");
}

// Services need no network, so the first argument is left out.
class PredictTogetherCommandTest : public testing::Test {
 protected:
  CommandRun Predict(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "predict");
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddPredictCommand(
          root, verbs, [&]() -> Result<PredictCommandDependencies> {
            return PredictCommandDependencies{.reader = platform.files,
                                              .predictors = {},
                                              .nodes = {},
                                              .machine = {},
                                              .folder = folder.path()};
          });
    });
  }

  FakeCollecting platform;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(PredictTogetherCommandTest, PrintsEveryServiceAndTheBully) {
  ContentionDocument document{.device = "board",
                              .errors = Json::object(),
                              .predictor = std::make_shared<PressurePredictor>(
                                  RandomPressurePredictor(1, 2))};
  ASSERT_TRUE(SaveContentionPredictor(folder.path(), document).ok());
  CommandRun run = Predict({"--together", "alpha:2@3,beta"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("board (pressure)"));
  EXPECT_THAT(run.out, HasSubstr("alpha:2@3/s"));
  EXPECT_THAT(run.out, HasSubstr("\nWithout "));
  run = Predict({"--together", "delta"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("'delta'"));
}

TEST_F(PredictTogetherCommandTest, WithoutAPredictorSaysWhatToDo) {
  CommandRun run = Predict({"--together", "alpha"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("mete train contention"));
}

TEST_F(PredictTogetherCommandTest, RefusesFlagsThatAreForNetworksOnly) {
  for (const std::vector<std::string>& flag :
       {std::vector<std::string>{"--check"},
        {"--all"},
        {"--load", "30"},
        {"--batch", "2"},
        {"--objective", "energy"}}) {
    std::vector<std::string> arguments = {"--together", "alpha"};
    arguments.insert(arguments.end(), flag.begin(), flag.end());
    CommandRun run = Predict(arguments);
    EXPECT_EQ(run.code, 2) << flag[0];
    EXPECT_THAT(run.err, HasSubstr(flag[0]));
  }
  EXPECT_EQ(Predict({"net.onnx", "--predictors", "p"}).code, 2);
}

TEST_F(PredictTogetherCommandTest, ExpectsNetworksOrServices) {
  CommandRun run = Predict({});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("--together"));
  run = Predict({"--together", "alpha:0"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("'alpha:0'"));
  run = Predict({"net.onnx", "--together", "alpha"});
  EXPECT_EQ(run.code, 2);
}

}  // namespace
}  // namespace mete
