#include "measure/repeat_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/network_reply.h"
#include "support/file.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// A process that prints one line, or ends without one.
class OneReply final : public TestbedProcess {
 public:
  explicit OneReply(std::string line) : line_(std::move(line)) {}
  Status Send(const std::string&) override { return {}; }
  Result<std::string> Receive(Seconds, std::stop_token stop) override {
    if (stop.stop_requested()) return Error(ErrorCode::kInterrupted, "stopped");
    if (line_.empty()) return Unavailable("ended");
    return line_;
  }
  ProcessEnding Ending() override { return {}; }
  const std::string& last_output() const override { return last_; }

 private:
  std::string line_;
  std::string last_ = "its last words";
};

// Processes that report the medians one after the other.
struct RepeatStage {
  ScratchFolder scratch = ScratchFolder::Create().value();
  std::filesystem::path file = scratch.path() / "net.onnx";
  FakeClock clock;
  FakeHost host;
  NoImages images;
  MemoryRunStore runs;
  EngineScript script{.network = file};
  std::stop_source stop;
  std::vector<double> medians;  // 0: the process ends without a result
  std::vector<std::vector<std::string>> started;
  std::optional<size_t> stop_at;
  uint64_t drawn = 0;
  NetworkMeasurementRequest request{
      .measure = {.network = file,
                  .name = "net",
                  .threads = 0,
                  .arguments = {"/net.onnx", "--until", "2%"}}};

  RepeatStage() { EXPECT_TRUE(WriteFileAtomically(file, "abc").ok()); }

  std::string Reply(double median) const {
    if (median <= 0) return "";
    mete::Run run;
    run.id = "child";
    run.started_at = clock.Wall();
    run.network()->iterations = 100;
    run.network()->samples = {median};
    run.network()->latency =
        LatencySummary{.p50 = Seconds(median),
                       .p50_low = Seconds(median * 0.999),
                       .p50_high = Seconds(median * 1.001)};
    return NetworkReply(run);
  }

  Result<RepeatedMeasurement> Try() {
    FakeEngine engine(clock, script);
    request.repeat = medians.size();
    auto start = [&](const std::vector<std::string>& arguments)
        -> Result<std::unique_ptr<TestbedProcess>> {
      if (stop_at == started.size()) stop.request_stop();
      started.push_back(arguments);
      return std::unique_ptr<TestbedProcess>(
          std::make_unique<OneReply>(Reply(medians[started.size() - 1])));
    };
    return RepeatNetwork(
        request,
        {.runs = runs,
         .open_engine = [&]() -> Result<Engine*> { return &engine; },
         .host = host,
         .images = images,
         .clock = clock,
         .draw_entropy = [this] { return RunEntropy{.low = ++drawn}; },
         .start_self = start},
        {}, stop.get_token());
  }
};

TEST(RepeatNetwork, StoresEveryProcessWithTheMediansOfAll) {
  RepeatStage stage;
  stage.medians = {0.010, 0.012, 0.011};
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_TRUE(done->stored.ok());
  ASSERT_THAT(done->runs, SizeIs(3));
  auto stored = stage.runs.FindRun(done->runs[1].id);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->device_name, "fake");
  EXPECT_THAT(stored->workload.sha256, HasSubstr("ba7816bf"));
  EXPECT_EQ(stored->network()->samples, (std::vector<double>{0.012}));
  const ProcessRepeats& repeats = *stored->network()->repeats;
  EXPECT_EQ(repeats.index, 2u);
  EXPECT_THAT(repeats.medians, ElementsAre(0.010, 0.012, 0.011));
  EXPECT_EQ(repeats.run_ids.at(1), stored->id);
  EXPECT_EQ(repeats.verdict.kind, VerdictKind::kNotConverged);
  EXPECT_THAT(stored->network()->arguments,
              ElementsAre("/net.onnx", "--until", "2%", "--repeat", "3"));
}

TEST(RepeatNetwork, StartsEachProcessWithTheSameMeasurement) {
  RepeatStage stage;
  stage.medians = {0.01, 0.01};
  stage.request.measure.pin = "1-2";
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(
      stage.started,
      ElementsAre(ElementsAre("bench", "measure", "/net.onnx", "--until", "2%",
                              "--threads", "2", "--pin", "1-2"),
                  stage.started.at(0)));
}

TEST(RepeatNetwork, KeepsTheFinishedProcessesWhenStopped) {
  RepeatStage stage;
  stage.medians = {0.01, 0.01, 0.01};
  stage.stop_at = 2;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(done->runs, SizeIs(2));
  EXPECT_EQ(stage.runs.ListRuns({})->size(), 2u);
  RepeatStage at_once;
  at_once.medians = {0.01};
  at_once.stop_at = 0;
  EXPECT_EQ(at_once.Try().error().code(), ErrorCode::kInterrupted);
}

TEST(RepeatNetwork, ReportsTheLastWordsOfAProcessThatEnds) {
  RepeatStage stage;
  stage.medians = {0.0, 0.01};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), AllOf(HasSubstr("ended without a result"),
                                            HasSubstr("its last words")));
}

TEST(RepeatNetwork, KeepsTheFinishedProcessesWhenOneFails) {
  RepeatStage stage;
  stage.medians = {0.01, 0.0, 0.01};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("process 2: "));
  EXPECT_EQ(stage.runs.ListRuns({})->size(), 1u);
}

TEST(RepeatNetwork, ComparesTheMiddleProcessWithEarlierRuns) {
  RepeatStage before;
  before.medians = {0.01, 0.01};
  ASSERT_TRUE(before.Try().ok());
  before.medians = {0.02, 0.02, 0.02};
  before.started.clear();
  auto done = before.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_THAT(done->runs[0].network()->notes,
              ElementsAre("2 earlier runs measured 10.0 ms; this one 20.0 ms: "
                          "the machine's speed may have changed"));
}

}  // namespace
}  // namespace mete
