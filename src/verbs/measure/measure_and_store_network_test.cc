#include "measure/measure_and_store_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

using testing::HasSubstr;

// A network with a latency of 10 ms, on fakes.
struct StoredStage {
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::filesystem::path file = scratch.path() / "net.onnx";
  FakeClock clock;
  FakeHost host;
  NoImages images;
  MemoryRunStore runs;
  EngineScript script{.network = file};
  std::stop_source stop;
  NetworkMeasurementRequest request{
      .measure = {.network = file,
                  .name = "net",
                  .ending = FixedIterations{.count = 20},
                  .threads = 0}};
  std::string opened;
  std::vector<std::string> warned;
  uint64_t drawn = 7;

  StoredStage() { EXPECT_TRUE(WriteFileAtomically(file, "abc").ok()); }

  Result<NetworkMeasurement> Try() {
    FakeEngine engine(clock, script);
    return MeasureAndStoreNetwork(
        request,
        {.runs = runs,
         .open_engine = [&]() -> Result<Engine*> { return &engine; },
         .host = host,
         .images = images,
         .clock = clock,
         .draw_entropy = [this] { return RunEntropy{.low = drawn}; }},
        {.warn = [this](const std::string& line) { warned.push_back(line); },
         .opened = [this](const EngineVersion& v) { opened = v.name; }},
        stop.get_token());
  }
};

TEST(MeasureAndStoreNetwork, StoresTheRunUnderThisDevice) {
  StoredStage stage;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_TRUE(done->stored.ok());
  auto stored = stage.runs.FindRun(done->run.id);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->device_name, "fake");
  // The SHA-256 of "abc".
  EXPECT_THAT(stored->workload.sha256, HasSubstr("ba7816bf"));
  EXPECT_EQ(stage.opened, "fake");
}

TEST(MeasureAndStoreNetwork, UsesOneThreadPerCoreByDefault) {
  StoredStage stage;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.limits.threads, 4);
}

TEST(MeasureAndStoreNetwork, UsesOneThreadPerPinnedCpu) {
  StoredStage stage;
  stage.request.measure.pin = "0,2-3";
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.limits.threads, 3);
}

TEST(MeasureAndStoreNetwork, KeepsWarningsAboutTheMachineAsNotes) {
  StoredStage stage;
  stage.host.cpu_times = {{.cpus = 4}, {.cpus = 4, .busy = Seconds(0.4)}};
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  auto stored = stage.runs.FindRun(done->run.id);
  ASSERT_TRUE(stored.ok());
  EXPECT_THAT(stored->network()->notes,
              testing::ElementsAre("other processes use 2.0 of 4 CPUs; times "
                                   "may be too long"));
  EXPECT_NEAR(*stored->environment.busy_cpus, 2.0, 1e-6);
  EXPECT_EQ(stage.warned, stored->network()->notes);
}

TEST(MeasureAndStoreNetwork, NotesEarlierRunsOfAnotherSpeed) {
  StoredStage stage;
  ASSERT_TRUE(stage.Try().ok());
  stage.script.latency = [](size_t) { return std::chrono::milliseconds(20); };
  ++stage.drawn;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(done->run.network()->notes,
              testing::ElementsAre(
                  "1 earlier run measured 10.0 ms; this one 20.0 ms: the "
                  "machine's speed may have changed"));
}

TEST(MeasureAndStoreNetwork, RunThatCannotBeStoredIsStillReturned) {
  StoredStage stage;
  stage.runs.save_failure = Unavailable("the disk is full");
  auto done = stage.Try();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done->run.iterations(), 20u);
  ASSERT_FALSE(done->stored.ok());
  EXPECT_EQ(done->stored.error().message(),
            "the run is not stored: the disk is full");
}

TEST(MeasureAndStoreNetwork, RefusesAFolder) {
  StoredStage stage;
  stage.request.measure.network = stage.file.parent_path();
  EXPECT_EQ(stage.Try().error().message(),
            "read " + stage.file.parent_path().string() +
                ": is a folder, not a network file");
}

// Reading a pipe would wait for its other end, and Ctrl-C would not end that.
TEST(MeasureAndStoreNetwork, RefusesWhatIsNotARegularFile) {
  StoredStage stage;
  stage.request.measure.network = "/dev/null";
  EXPECT_EQ(stage.Try().error().message(),
            "read /dev/null: is not a regular file");
}

TEST(MeasureAndStoreNetwork, RefusesADeviceThatIsNotThisMachine) {
  StoredStage stage;
  ASSERT_TRUE(stage.runs.SaveDevice({.id = "p", .name = "pi4"}).ok());
  stage.request.expected_device = "pi4";
  auto other = stage.Try();
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().message(),
            "--device pi4 is not this machine (fake); run mete there");
  stage.request.expected_device = "pi";
  EXPECT_EQ(stage.Try().error().message(),
            "no device is named 'pi'; did you mean 'pi4'?");
  stage.request.expected_device = "fake";
  EXPECT_TRUE(stage.Try().ok());
}

TEST(MeasureAndStoreNetwork, StoresNothingWhenNothingWasTimed) {
  StoredStage stage;
  stage.stop.request_stop();
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kInterrupted);
  EXPECT_TRUE(stage.runs.ListRuns({})->empty());
}

TEST(MeasureAndStoreNetwork, ReportsAMissingFileBeforeOpeningTheEngine) {
  StoredStage stage;
  stage.request.measure.network = "/nowhere/net.onnx";
  ASSERT_FALSE(stage.Try().ok());
  EXPECT_EQ(stage.opened, "");
}

}  // namespace
}  // namespace mete
