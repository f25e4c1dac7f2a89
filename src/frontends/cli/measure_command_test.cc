#include "cli/measure_command.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "cli/test_command.h"
#include "measure/reproduce_command.h"
#include "support/command_line.h"
#include "support/file.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

// Runs `mete measure` with fakes: a network that takes 10 ms and an application
// that takes 1 s.
struct MeasureCommandStage {
  FakeDependencies platform;
  MemoryRunStore runs;
  NoImages images;
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::filesystem::path network = scratch.path() / "net.onnx";
  EngineScript script{.network = network};
  NetworkCheck check;
  std::vector<std::vector<std::string>> started;  // processes of mete

  MeasureCommandStage() {
    EXPECT_TRUE(WriteFileAtomically(network, "abc").ok());
  }

  CommandRun Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "measure");
    FakeEngine engine(platform.clock, script);
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddMeasureCommand(
          root, verbs,
          [&]() -> Result<MeasureNetworkDependencies> {
            return MeasureNetworkDependencies{
                .runs = runs,
                .open_engine = [&]() -> Result<Engine*> { return &engine; },
                .host = platform.host,
                .images = images,
                .clock = platform.clock,
                .draw_entropy =
                    [this] { return RunEntropy{.low = ++platform.drawn}; },
                .start_self = [this](const std::vector<std::string>& words)
                    -> Result<std::unique_ptr<TestbedProcess>> {
                  started.push_back(words);
                  return Unavailable("no processes in this test");
                },
                .check = check};
          },
          [&]() -> Result<MeasureApplicationDependencies> {
            return MeasureApplicationDependencies{
                .runs = runs,
                .platform = platform.Get(),
                .torch = {},
                .runs_folder = scratch.path() / "runs"};
          },
          [&]() -> Result<ObserveDependencies> {
            return ObserveDependencies{
                .measure = {.runs = runs,
                            .platform = platform.Get(),
                            .torch = {},
                            .runs_folder = scratch.path() / "runs"},
                .attach =
                    [&](const AttachTarget& target) -> Result<AttachedService> {
                  if (target.pid == 1) {
                    return NotFound("no process has the PID 1");
                  }
                  ASSIGN_OR_RETURN(auto running, platform.launcher.Start({}));
                  return AttachedService{
                      .workload = {.kind = WorkloadKind::kService,
                                   .name = target.pid ? "process"
                                                      : target.container},
                      .application = std::move(running)};
                }};
          });
    });
  }
  size_t Stored() { return runs.ListRuns({})->size(); }
};

TEST(MeasureCommand, PrintsTheLatencyOfANetworkAndStoresTheRun) {
  MeasureCommandStage stage;
  CommandRun end = stage.Run({stage.network.string(), "--iterations", "30"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("net on fake: 10.0 ms median"));
  EXPECT_EQ(end.err, "");
  EXPECT_EQ(stage.Stored(), 1u);
}

// The command in a report must repeat the run exactly.
TEST(MeasureCommand, ItsReproduceCommandRepeatsTheRun) {
  MeasureCommandStage stage;
  stage.script.inputs = {
      {.name = "x",
       .type = {.type = ElementType::kFloat, .shape = Shape{{}, {}}}},
      {.name = "sr", .type = {.type = ElementType::kInt64, .shape = Shape{}}}};
  CommandRun first = stage.Run(
      {stage.network.string(), "--until", "5%", "--max-duration", "2s",
       "--threads", "3", "--shape", "x=2x4", "--input", "sr=16000", "--seed",
       "7", "--optimization", "basic", "--spinning", "off"});
  ASSERT_EQ(first.code, 0) << first.err;
  std::vector<mete::Run> once = stage.runs.ListRuns({}).value();
  mete::Run run = once.at(0);
  std::string line = MeasureCommand(run);
  std::vector<std::string> words = SplitCommandLine(line).value();
  ASSERT_EQ(words[0] + " " + words[1], "mete measure");
  words.erase(words.begin(), words.begin() + 2);
  CommandRun second = stage.Run(words);
  ASSERT_EQ(second.code, 0) << second.err;
  ASSERT_EQ(stage.Stored(), 2u);
  std::vector<mete::Run> twice = stage.runs.ListRuns({}).value();
  for (const mete::Run& again : twice) {
    EXPECT_EQ(MeasureCommand(again), line);
    EXPECT_EQ(again.workload.input_shapes, run.workload.input_shapes);
    EXPECT_EQ(again.workload.input_origin, "sr=16000; random x");
    EXPECT_EQ(again.seed, 7u);
    EXPECT_EQ(again.limits.threads, 3);
    EXPECT_EQ(again.network()->engine_options, run.network()->engine_options);
  }
  EXPECT_EQ(run.network()->engine_options,
            (EngineOptions{.optimization = "basic", .spinning = false}));
}

TEST(MeasureCommand, InputsThatTheNetworkDoesNotTakeAreUsageErrors) {
  MeasureCommandStage stage;
  for (const auto& [flag, value] :
       {std::pair("--input", "wrong=1"), std::pair("--shape", "wrong=1x4"),
        std::pair("--shape", "input=2x4"), std::pair("--batch", "4")}) {
    CommandRun end = stage.Run({stage.network.string(), flag, value});
    EXPECT_EQ(end.code, 2) << flag << " " << value;
    EXPECT_EQ(std::ranges::count(end.err, '\n'), 1) << end.err;
  }
  EXPECT_TRUE(stage.runs.ListRuns({})->empty());
}

// The engine would take it for an open size.
TEST(MeasureCommand, RefusesANetworkThatTheReaderRefuses) {
  MeasureCommandStage stage;
  stage.check = [](const auto&) -> Status {
    return Corrupt("its shape has the negative size -1");
  };
  CommandRun end = stage.Run({stage.network.string()});
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.err, "mete: its shape has the negative size -1\n");
  EXPECT_TRUE(stage.runs.ListRuns({})->empty());
}

TEST(MeasureCommand, HintsAtRandomIntegersWhenTheEngineFails) {
  MeasureCommandStage stage;
  stage.script.inputs = {
      {.name = "sr", .type = {.type = ElementType::kInt64, .shape = Shape{}}}};
  stage.script.run_failure = [](size_t) -> std::optional<Error> {
    return Unavailable(std::string(500, 'e'));
  };
  CommandRun end = stage.Run({stage.network.string()});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err, HasSubstr("random integers in sr; set the values, e.g. "
                                 "--input sr=16000"));
  EXPECT_LT(end.err.size(), 400u);
}

TEST(MeasureCommand, WritesATraceOfTheLayers) {
  MeasureCommandStage stage;
  stage.script.nodes = {
      {.name = "conv", .op = "Conv", .start = 1.0, .seconds = 0.006}};
  std::filesystem::path trace = stage.scratch.path() / "trace.json";
  CommandRun end = stage.Run({stage.network.string(), "--iterations", "30",
                              "--layers", "--trace", trace.string()});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(ReadFile(trace).value(), HasSubstr("\"traceEvents\""));
  EXPECT_EQ(stage.Run({stage.network.string(), "--top", "3"}).code, 2);
}

TEST(MeasureCommand, AFullDiskIsReportedAfterTheResult) {
  MeasureCommandStage stage;
  stage.runs.save_failure = Unavailable("the disk is full");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{stage.network.string(), "--iterations", "30"},
        std::vector<std::string>{"--", "./app"}}) {
    CommandRun end = stage.Run(arguments);
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.out, HasSubstr(" on fake"));
    EXPECT_EQ(end.err, "mete: the run is not stored: the disk is full\n");
  }
}

TEST(MeasureCommand, VerboseNamesTheEngineAndTheStore) {
  MeasureCommandStage stage;
  CommandRun end = stage.Run({stage.network.string(), "-v", "--store",
                              "sqlite:/x.db", "--iterations", "30"});
  EXPECT_THAT(end.err, StartsWith("engine: fake 1.0\nstore: sqlite:/x.db\n"));
}

TEST(MeasureCommand, AnUnstableMeasurementHasItsOwnExitCode) {
  MeasureCommandStage stage;
  stage.script.latency = [](size_t i) {
    return std::chrono::milliseconds(i % 2 == 0 ? 10 : 30);
  };
  CommandRun end = stage.Run(
      {stage.network.string(), "-o", "json", "--max-duration", "200ms"});
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.out, StartsWith("{\n"));
  EXPECT_THAT(end.err, StartsWith("warning: "));
}

TEST(MeasureCommand, AWideIntervalIsNotStableWhateverEndedTheRun) {
  for (const std::vector<std::string>& ending :
       {std::vector<std::string>{"--iterations", "20"},
        std::vector<std::string>{"--duration", "200ms"}}) {
    MeasureCommandStage stage;
    // 10 ms, and every call up to 5 ms more, without a pattern.
    stage.script.latency = [](size_t i) {
      return std::chrono::microseconds(10000 + i * 7919 % 5000);
    };
    std::vector<std::string> arguments = ending;
    arguments.push_back(stage.network.string());
    CommandRun end = stage.Run(arguments);
    EXPECT_EQ(end.code, 4) << end.out;
    EXPECT_THAT(end.out, HasSubstr("not converged after "));
    EXPECT_THAT(end.out, HasSubstr("which is more than ±2.0 %"));
  }
}

TEST(MeasureCommand, WarnsAboutABusyMachineUnlessQuiet) {
  MeasureCommandStage stage;
  stage.platform.host.cpu_times = {{.cpus = 4},
                                   {.cpus = 4, .busy = Seconds(0.4)}};
  const std::string busy =
      "other processes use 2.0 of 4 CPUs; times may be too long";
  CommandRun loud = stage.Run({stage.network.string(), "--iterations", "30"});
  EXPECT_EQ(loud.code, 0);
  EXPECT_EQ(loud.err, "warning: " + busy + "\n");
  EXPECT_EQ(loud.out.find(busy), std::string::npos) << "said twice";
  stage.platform.host.cpu_readings = 0;
  CommandRun quiet =
      stage.Run({stage.network.string(), "--iterations", "30", "-q"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_THAT(quiet.out, HasSubstr("note: " + busy));
  stage.platform.host.cpu_readings = 0;
  CommandRun json =
      stage.Run({stage.network.string(), "--iterations", "30", "-o", "json"});
  EXPECT_EQ(json.err, "warning: " + busy + "\n");
  EXPECT_THAT(json.out, HasSubstr("\"" + busy + "\""));
}

TEST(MeasureCommand, RepeatsANetworkInFreshProcesses) {
  MeasureCommandStage stage;
  CommandRun end =
      stage.Run({stage.network.string(), "--iterations", "30", "--repeat", "3",
                 "--pin", "1", "--spinning", "off"});
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.err, "mete: no processes in this test\n");
  EXPECT_THAT(stage.started,
              testing::ElementsAre(testing::ElementsAre(
                  "bench", "measure", stage.network.string(), "--iterations",
                  "30", "--spinning", "off", "--threads", "1", "--pin", "1")));
  CommandRun trace = stage.Run({stage.network.string(), "--repeat", "2",
                                "--layers", "--trace", "trace.json"});
  EXPECT_EQ(trace.code, 2);
  EXPECT_THAT(trace.err, HasSubstr("--repeat"));
}

TEST(MeasureCommand, PinsNetworksAndCommands) {
  MeasureCommandStage stage;
  CommandRun network =
      stage.Run({stage.network.string(), "--iterations", "30", "--pin", "1-2"});
  EXPECT_EQ(network.code, 0) << network.err;
  EXPECT_EQ(stage.platform.host.pins.at(0), (std::vector<int>{1, 2}));
  EXPECT_THAT(network.out, HasSubstr("pinned to CPUs 1-2"));
  CommandRun command = stage.Run({"--pin", "3", "--", "./app"});
  EXPECT_EQ(command.code, 0) << command.err;
  EXPECT_EQ(stage.platform.launcher.log().starts.at(0).limits.pin, "3");
  EXPECT_THAT(command.out, HasSubstr("pinned to CPU 3"));
  const std::vector<mete::Run> stored = stage.runs.ListRuns({}).value();
  EXPECT_THAT(stored, SizeIs(2));
  for (const mete::Run& run : stored) {
    EXPECT_THAT(MeasureCommand(run), HasSubstr("--pin "));
  }
}

TEST(MeasureCommand, ACpuThatCannotBeUsedIsAUsageError) {
  MeasureCommandStage stage;
  for (const std::vector<std::string>& workload :
       {std::vector<std::string>{"--pin", "9", stage.network.string()},
        std::vector<std::string>{"--pin", "9", "--", "./app"}}) {
    CommandRun end = stage.Run(workload);
    EXPECT_EQ(end.code, 2);
    EXPECT_EQ(end.err,
              "mete measure: --pin: CPU 9 does not exist or is not allowed "
              "here; usable: 0-3\n");
  }
  CommandRun both = stage.Run({"--pin", "1", "--cpuset", "1", "--", "./app"});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err,
            "mete measure: --pin and --cpuset cannot be given together\n");
  EXPECT_EQ(stage.Stored(), 0u);
}

TEST(MeasureCommand, RunsACommandTheRequestedNumberOfTimes) {
  MeasureCommandStage stage;
  CommandRun end = stage.Run({"--repeat", "2", "--memory", "64Mi", "--out",
                              (stage.scratch.path() / "out").string(), "--",
                              "./app", "--fast"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("\n2: completed after 1.00 s"));
  EXPECT_EQ(stage.Stored(), 2u);
  const auto& starts = stage.platform.launcher.log().starts;
  ASSERT_THAT(starts, SizeIs(2));
  EXPECT_EQ(starts[0].command.at(1), "--fast");
  EXPECT_EQ(starts[0].limits.memory, Mebibytes(64));
  EXPECT_TRUE(
      std::filesystem::exists(stage.scratch.path() / "out/2/samples.csv"));
}

TEST(MeasureCommand, ALimitThatWasNotAppliedFailsUnlessThatIsAccepted) {
  MeasureCommandStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    ApplicationScript script;
    script.missing_limits = {EnforcedLimit::kMemory};
    return script;
  };
  CommandRun end = stage.Run({"--memory", "64Mi", "--", "./app"});
  EXPECT_EQ(end.code, 3);
  EXPECT_THAT(end.out, HasSubstr("limits: memory 64.0 MiB (not applied)"));
  EXPECT_THAT(end.err, HasSubstr("use --best-effort to accept that"));
  end = stage.Run({"--memory", "64Mi", "--best-effort", "--", "./app"});
  EXPECT_EQ(end.code, 0) << end.err;
}

TEST(MeasureCommand, ObservesWhatAlreadyRuns) {
  MeasureCommandStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{.length = std::chrono::seconds(100)};
  };
  CommandRun end = stage.Run({"--container", "web", "--duration", "2s"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.out, StartsWith("web on fake: observed for 2.00 s, and it is "
                                  "still running\n"));
  EXPECT_EQ(stage.Stored(), 1u);
  CommandRun missing = stage.Run({"--pid", "1"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.err, "mete: no process has the PID 1\n");
}

TEST(MeasureCommand, RefusesToLimitWhatItOnlyObserves) {
  MeasureCommandStage stage;
  auto complaint = [&](const std::vector<std::string>& arguments) {
    CommandRun end = stage.Run(arguments);
    EXPECT_EQ(end.code, 2);
    return end.err;
  };
  EXPECT_THAT(complaint({"--pid", "7", "--memory", "64Mi"}),
              HasSubstr("--memory does not apply to something that already "
                        "runs"));
  EXPECT_THAT(complaint({"--pid", "7", "--timeout", "5s"}),
              HasSubstr("--timeout does not apply"));
  EXPECT_THAT(complaint({"--pid", "7", "--", "./app"}),
              HasSubstr("not two of them"));
  EXPECT_THAT(complaint({"--pid", "7", "net.onnx"}),
              HasSubstr("not two of them"));
  EXPECT_THAT(complaint({"--pid", "0"}), HasSubstr("--pid"));
  EXPECT_THAT(complaint({"--container", ""}), HasSubstr("expected the name"));
}

TEST(MeasureCommand, AMemoryLimitOfAFewBytesAsksForAUnit) {
  MeasureCommandStage stage;
  CommandRun end = stage.Run({"--memory", "64", "--", "./app"});
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err,
            "mete measure: --memory: '64' has no unit; did you mean 64Mi? "
            "Write 64B for bytes\n");
  EXPECT_EQ(stage.Run({"--memory", "67108864", "--", "./app"}).code, 0);
}

TEST(MeasureCommand, RunsAnImageWithItsOwnLauncher) {
  MeasureCommandStage stage;
  CommandRun end =
      stage.Run({"--image", "my/app:1", "--pull", "always", "--", "--fast"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(stage.platform.containers.fetched,
              testing::ElementsAre("my/app:1"));
  EXPECT_EQ(stage.platform.containers.last_policy, PullPolicy::kAlways);
}

TEST(MeasureCommand, ExceedingALimitExitsWithThree) {
  MeasureCommandStage stage;
  stage.platform.script = [](const LaunchRequest&) {
    return ApplicationScript{
        .ending = {.signal = 9, .oom_kills = 1, .evidence = "script"}};
  };
  EXPECT_EQ(stage.Run({"--", "./app"}).code, 3);
}

TEST(MeasureCommand, NumbersOutOfBoundsAreAnErrorOfOneLine) {
  MeasureCommandStage stage;
  CommandRun none = stage.Run({"--timeout", "0s", "--", "./app"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, EndsWith("--timeout: must be positive\n"));
  for (const char* flag : {"--memory", "--cpus", "--processes"}) {
    CommandRun zero = stage.Run({flag, "0", "--", "./app"});
    EXPECT_EQ(zero.code, 2);
    EXPECT_EQ(zero.err,
              std::string("mete measure: ") + flag + ": must be positive\n");
  }
  CommandRun cores = stage.Run({"--cpuset", "a-b", "--", "./app"});
  EXPECT_EQ(cores.code, 2);
  EXPECT_EQ(cores.err,
            "mete measure: --cpuset: 'a-b' is not a list of cores; write it "
            "like 0-2,4\n");
}

TEST(MeasureCommand, InvalidFlagsForImagesAreUsageErrors) {
  MeasureCommandStage stage;
  auto complaint = [&](const std::vector<std::string>& arguments) {
    CommandRun end = stage.Run(arguments);
    EXPECT_EQ(end.code, 2) << end.out;
    return end.err;
  };
  EXPECT_EQ(complaint({"--image", "app", "--mount", "a"}),
            "mete measure: --mount: 'a' is not SOURCE:TARGET[:ro], as in "
            "data:/data:ro\n");
  EXPECT_THAT(complaint({"--image", "app", "--docker-arg", "--volum a:/b"}),
              StartsWith("mete measure: --docker-arg: unknown container option "
                         "'--volum'"));
  EXPECT_THAT(complaint({"--image", "app", "--docker-arg", "--privileged"}),
              EndsWith("use --allow-privileged to allow it\n"));
  EXPECT_EQ(complaint({"--image", ""}),
            "mete measure: --image: expected the name of an image\n");
}

TEST(MeasureCommand, RequiresANetworkOrACommandButNotBoth) {
  MeasureCommandStage stage;
  CommandRun both = stage.Run({"net.onnx", "--", "./app"});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err,
            "mete measure: expected a network or a command after --, not "
            "both\n");
  CommandRun neither = stage.Run({});
  EXPECT_EQ(neither.code, 2);
  EXPECT_EQ(neither.err,
            "mete measure: expected a network file or a command after --: mete "
            "measure net.onnx or mete measure -- ./app\n");
  CommandRun misplaced = stage.Run({"net.onnx", "--dataset", "d"});
  EXPECT_EQ(misplaced.code, 2);
  EXPECT_EQ(misplaced.err,
            "mete measure: --dataset is for commands, not for networks\n");
}

}  // namespace
}  // namespace mete
