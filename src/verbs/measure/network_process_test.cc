#include "measure/network_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/run_json.h"
#include "measure/measure_application.h"
#include "measure/recorded_run.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A network that a process of mete measures. The script of the process calls
// what the process would call.
struct ProcessStage {
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::filesystem::path file = scratch.path() / "net.onnx";
  FakeDependencies platform;
  FakeHost host;
  NoImages images;
  EngineScript engine{.network = file};
  ApplicationScript process;
  bool ends_early = false;  // before it has a result
  ApplicationSpec spec{.network =
                           NetworkOptions{.network = file, .iterations = 20}};
  RunContext context{.device = {.id = "d1", .name = "box"}};

  ProcessStage() {
    EXPECT_TRUE(WriteFileAtomically(file, "abc").ok());
    context.device.facts.cores = 4;
  }

  ApplicationDependencies Get() {
    platform.script = [this](const LaunchRequest& request) {
      if (!ends_early) Measure(request.command.back());
      return process;
    };
    ApplicationDependencies all = platform.Get();
    all.networks = {.program = "/opt/mete",
                    .environment = {{"METE_ONNXRUNTIME", "/lib/ort.so"}}};
    return all;
  }

  void Measure(const std::string& result) {
    FakeEngine fake(platform.clock, engine);
    auto request = MakeMeasureRequest(*spec.network, {});
    ASSERT_TRUE(request.ok());
    Status done = MeasureToFile(
        *request,
        {.open_engine = [&]() -> Result<Engine*> { return &fake; },
         .host = host,
         .images = images,
         .clock = platform.clock},
        result, {});
    if (!done.ok()) process.ending = {.exit_code = 1, .evidence = "script"};
  }

  Result<ApplicationRun> Record() {
    ApplicationDependencies all = Get();
    auto prepared = PrepareApplication(spec, context, all, {}, {});
    if (!prepared.ok()) return prepared.error();
    return RecordRun(*prepared, scratch.path() / "out", all, {}, {});
  }
};

TEST(NetworkProcess, RunHasTheLatenciesAndTheUseOfTheProcess) {
  ProcessStage stage;
  stage.spec.limits.memory = Mebibytes(512);
  auto done = stage.Record();
  ASSERT_TRUE(done.ok()) << done.error().message();
  const mete::Run& run = done->run;
  EXPECT_EQ(run.workload.kind, WorkloadKind::kNetwork);
  EXPECT_EQ(run.workload.name, "net");
  EXPECT_THAT(run.workload.sha256, HasSubstr("ba7816bf"));  // of "abc"
  EXPECT_EQ(run.device_name, "box");
  EXPECT_EQ(run.limits.memory, Mebibytes(512));
  EXPECT_EQ(run.engine.name, "fake");
  EXPECT_EQ(run.iterations(), 20u);
  EXPECT_EQ(run.network()->samples.size(), 20u);
  ASSERT_TRUE(run.network()->latency);
  EXPECT_NEAR(run.network()->latency->p50.count(), 0.01, 1e-9);
  ASSERT_NE(run.process(), nullptr);
  EXPECT_EQ(run.process()->exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(run.process()->samples_file));
}

TEST(NetworkProcess, IsStartedWithTheOptionsAndSettingsOfThisOne) {
  ProcessStage stage;
  ASSERT_TRUE(stage.Record().ok());
  const LaunchRequest& start = stage.platform.launcher.log().starts.at(0);
  std::vector<std::string> command = start.command;
  ASSERT_GT(command.size(), 2u);
  command.pop_back();  // the file of the result
  EXPECT_THAT(command,
              ElementsAre("/opt/mete", "bench", "measure", stage.file.string(),
                          "--iterations", "20", "--threads", "4", "--result"));
  EXPECT_EQ(start.environment.at("METE_ONNXRUNTIME"), "/lib/ort.so");
  EXPECT_EQ(start.environment.count("METE_HOOK_SOCKET"), 0u);
}

TEST(NetworkProcess, RunIsComparedWithEarlierRunsOfTheSameMeasurement) {
  ProcessStage stage;
  MemoryRunStore runs;
  auto measure = [&](std::chrono::milliseconds latency) {
    // Not constant, or there would be no interval.
    stage.engine.latency = [=](size_t i) {
      return latency + std::chrono::microseconds(i % 7);
    };
    stage.spec.network->iterations = 300;
    stage.spec.repeat = 2;
    return MeasureApplication({.application = stage.spec},
                              {.runs = runs,
                               .platform = stage.Get(),
                               .torch = {},
                               .runs_folder = stage.scratch.path() / "runs"},
                              {}, {})
        .value();
  };
  ApplicationMeasurement first = measure(std::chrono::milliseconds(10));
  ASSERT_EQ(first.runs.size(), 2u);
  ASSERT_EQ(first.runs[0].verdict().kind, VerdictKind::kStable)
      << first.runs[0].verdict().explanation;
  EXPECT_THAT(first.runs[1].network()->notes, testing::IsEmpty());
  stage.platform.clock.SleepFor(std::chrono::seconds(1), {});
  ApplicationMeasurement second = measure(std::chrono::milliseconds(20));
  EXPECT_THAT(second.runs[0].network()->notes,
              ElementsAre(HasSubstr("2 earlier runs measured 10.0 ms")));
  // The first one of this repetition is not an earlier run.
  EXPECT_THAT(second.runs[1].network()->notes,
              ElementsAre(HasSubstr("2 earlier runs measured 10.0 ms")));
}

TEST(NetworkProcess, RunningOutOfMemoryIsAnOutcomeWithoutLatency) {
  ProcessStage stage;
  stage.ends_early = true;
  stage.process.ending = {.signal = 9, .oom_kills = 1, .evidence = "script"};
  auto done = stage.Record();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done->run.outcome.kind, OutcomeKind::kOutOfMemory);
  ASSERT_TRUE(done->run.network());
  EXPECT_FALSE(done->run.network()->latency);
  EXPECT_FALSE(done->run.cpu_time);
  EXPECT_EQ(done->run.verdict().kind, VerdictKind::kTooFewSamples);
}

TEST(NetworkProcess, ErrorOfTheEngineIsTheErrorOfTheRun) {
  ProcessStage stage;
  stage.engine.load_failure = Unavailable("the operator Foo is unknown");
  auto done = stage.Record();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(done.error().message(), HasSubstr("the operator Foo is unknown"));
  EXPECT_FALSE(std::filesystem::exists(stage.scratch.path() / "out"));
}

TEST(NetworkProcess, DamagedNetworkIsFoundBeforeAnythingStarts) {
  ProcessStage stage;
  ApplicationDependencies all = stage.Get();
  all.networks.check = [](const auto&) -> Status {
    return InvalidInput("read net.onnx: not an ONNX file");
  };
  auto prepared = PrepareApplication(stage.spec, stage.context, all, {}, {});
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().message(), "read net.onnx: not an ONNX file");
}

TEST(ReadMeasured, FileWithoutACompleteErrorIsCorrupt) {
  ScratchFolder scratch = *ScratchFolder::Create();
  const auto file = scratch.path() / "measured";
  ASSERT_TRUE(WriteFileAtomically(file, "{\"error\": {}}\n").ok());
  auto run = ReadMeasured(file);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::kCorrupt);
}

TEST(ThreadsFor, OnePerCoreThatTheLimitsLeave) {
  Device device;
  device.facts.cores = 8;
  EXPECT_EQ(ThreadsFor({}, device, {}), 8);
  EXPECT_EQ(ThreadsFor({.cpus = Millicores{1500}}, device, {}), 2);
  EXPECT_EQ(ThreadsFor({.cpuset = "0-2,5"}, device, {}), 4);
  EXPECT_EQ(ThreadsFor({.cpuset = "0-2,1"}, device, {}), 3);
  EXPECT_EQ(ThreadsFor({.pin = "6"}, device, {}), 1);
  EXPECT_EQ(ThreadsFor({.cpus = Millicores{16000}}, device, {}), 8);
  EXPECT_EQ(ThreadsFor({.cpus = Millicores{1000}, .threads = 3}, device, {}),
            3);
  EXPECT_EQ(ThreadsFor({}, device, {.threads = 5}), 5);
}

TEST(CheckSpec, NetworkIsNeitherACommandNorAnImage) {
  ProcessStage stage;
  stage.spec.command = {"./app"};
  EXPECT_THAT(CheckSpec(stage.spec, false).error().message(),
              HasSubstr("only one of them"));
  stage.spec.command.clear();
  stage.spec.network->inputs = {"x=" +
                                (stage.scratch.path() / "x.npy").string()};
  EXPECT_THAT(CheckSpec(stage.spec, false).error().message(),
              HasSubstr("x.npy: no such file"));
}

TEST(ReadMeasured, ALineThatIsNoLatencyIsCorrupt) {
  ScratchFolder scratch = *ScratchFolder::Create();
  const auto file = scratch.path() / "measured";
  const std::string run =
      RunToJson({.id = "r1", .details = NetworkDetails{}}).dump();
  ASSERT_TRUE(WriteFileAtomically(file, run + "\n0.5\n\n0.25\n").ok());
  auto read = ReadMeasured(file);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->network()->samples, (std::vector<double>{0.5, 0.25}));
  ASSERT_TRUE(WriteFileAtomically(file, run + "\n0.5\nfast\n").ok());
  EXPECT_EQ(ReadMeasured(file).error().message(), "not a latency: fast");
}

TEST(MakeNetworkRun, OfAProcessThatDidNotStartHasNoProcess) {
  mete::Run process;
  process.details = ApplicationDetails{};
  const Result<mete::Run> measured = Unavailable("no engine");
  EXPECT_FALSE(
      MakeNetworkRun(process, measured).network()->process.has_value());
  process.details = ApplicationDetails{.duration = Seconds(1)};
  EXPECT_TRUE(MakeNetworkRun(process, measured).network()->process.has_value());
}

}  // namespace
}  // namespace mete
