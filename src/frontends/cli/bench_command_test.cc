#include "cli/bench_command.h"

#include "cli/test_command.h"
#include "measure/network_reply.h"
#include "support/json.h"
#include "tests/fakes/any_graph_reader.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

// The confinement of the last `mete bench describe`.
std::optional<Confinement> confined;

// Runs `mete bench` with a fake engine that can load "net.onnx".
CommandRun RunBench(std::vector<std::string> arguments, EngineLog* log) {
  arguments.insert(arguments.begin(), "bench");
  FakeClock clock;
  FakeHost host;
  NoImages images;
  AnyGraphReader reader;
  FakeEngine engine(clock, {});
  CommandRun end = RunCommand(arguments, [&](Command root, Verbs& verbs) {
    AddBenchCommand(root, verbs, [&]() -> Result<BenchDependencies> {
      return BenchDependencies{
          .open_engine = [&]() -> Result<Engine*> { return &engine; },
          .host = host,
          .images = images,
          .clock = clock,
          .reader = reader,
          .confine = [&](const Confinement& confinement) -> Status {
            confined = confinement;
            return {};
          }};
    });
  });
  if (log != nullptr) *log = engine.log();
  return end;
}

TEST(BenchCommand, RunsTheRequestedNumberOfInferencesAfterTheWarmUp) {
  EngineLog log;
  CommandRun end = RunBench(
      {"infer", "net.onnx", "--iterations", "20", "--threads", "2"}, &log);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(log.runs, 23u);
  EXPECT_EQ(log.loads.at(0).threads, 2);
}

TEST(BenchCommand, RunsForAtLeastTheRequestedTime) {
  EngineLog log;  // an inference of the fake engine takes 10 ms
  CommandRun end = RunBench(
      {"infer", "net.onnx", "--iterations", "20", "--duration", "500ms"}, &log);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(log.runs, 53u);
}

TEST(BenchCommand, InferencesHaveTheGivenInputs) {
  CommandRun end = RunBench({"infer", "net.onnx", "--shape", "y=1x2"}, nullptr);
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.err, testing::HasSubstr("the network has no input 'y'"));
}

TEST(BenchCommand, ANetworkThatCannotBeLoadedIsAnError) {
  CommandRun end = RunBench({"infer", "other.onnx"}, nullptr);
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.err, "mete: load other.onnx: no such file\n");
}

TEST(BenchCommand, AnUploadIsDescribedByAConfinedProcess) {
  confined.reset();
  CommandRun end = RunBench(
      {"describe", "net.onnx", "--name=net", "--memory=1Gi", "--cpu=7s"},
      nullptr);
  EXPECT_EQ(end.code, 0) << end.err;
  ASSERT_TRUE(confined.has_value());
  EXPECT_EQ(confined->memory, Gibibytes(1));
  EXPECT_EQ(confined->cpu, std::chrono::seconds(7));
  auto json = ParseJson(end.out);
  ASSERT_TRUE(json.ok()) << end.out;
  EXPECT_EQ(json->at("conv_layers"), 0);
}

TEST(BenchCommand, PrintsAMeasuredNetworkAsALine) {
  CommandRun end = RunBench(
      {"measure", "net.onnx", "--iterations", "20", "--threads", "2"}, nullptr);
  EXPECT_EQ(end.code, 0) << end.err;
  auto run = RunFromReply(end.out);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->iterations(), 20u);
  EXPECT_EQ(run->network()->samples.size(), 20u);
  auto missing = RunFromReply(
      RunBench({"measure", "other.onnx", "--threads", "1"}, nullptr).out);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
