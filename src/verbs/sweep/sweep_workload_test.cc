#include "sweep/sweep_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/file.h"
#include "tests/fakes/any_graph_reader.h"
#include "tests/fakes/fake_dependencies.h"
#include "tests/fakes/fake_page_cache.h"
#include "tests/fakes/memory_run_store.h"
#include "tests/fakes/memory_sweep_store.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A sweep from 100 MiB to 80 MiB on fakes, in which every run succeeds.
struct SweepWorkloadStage {
  FakeDependencies platform;
  ScratchFolder scratch = ScratchFolder::Create().value();
  MemoryRunStore runs;
  MemorySweepStore sweeps;
  AnyGraphReader reader;
  FakePageCache page_cache;
  std::stop_source stop;
  std::vector<std::string> resumed;
  std::function<int64_t(const Network&)> suggest_length;
  SweepOrder order{
      .application = {.command = {"./app"}},
      .plan = {.memory = LimitRange{100 * kMebi, 80 * kMebi, 10 * kMebi}}};

  Result<SweepResult> Try() {
    return SweepWorkload(
        order,
        {.runs = runs,
         .sweeps = sweeps,
         .reader = reader,
         .page_cache = page_cache,
         .platform = platform.Get(),
         .torch = {},
         .program = "/usr/bin/mete",
         .runs_folder = scratch.path(),
         .suggest_length = suggest_length},
        {.resumed =
             [this](const Sweep& sweep) { resumed.push_back(sweep.id); }},
        stop.get_token());
  }
  // Stops during the second run.
  Sweep Interrupt() {
    int starts = 0;
    platform.script = [this, starts](const LaunchRequest&) mutable {
      ApplicationScript script;
      if (++starts == 2) script.on_wait = [this] { stop.request_stop(); };
      if (starts == 2) script.length.reset();
      return script;
    };
    Sweep cut = Try().value().sweep;
    platform.script = [](const LaunchRequest&) { return ApplicationScript{}; };
    stop = std::stop_source();
    return cut;
  }
};

TEST(SweepWorkload, StoresTheSweepAndItsRuns) {
  SweepWorkloadStage stage;
  auto done = stage.Try();
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_TRUE(done->sweep.finished);
  EXPECT_EQ(done->sweep.workload, "app");
  EXPECT_EQ(done->sweep.device_name, "fake");
  EXPECT_THAT(stage.runs.ListRuns({}).value(), SizeIs(3));
  EXPECT_TRUE(stage.sweeps.FindSweep(done->sweep.id)->finished);
}

TEST(SweepWorkload, ResumesTheSameInterruptedSweep) {
  SweepWorkloadStage stage;
  Sweep cut = stage.Interrupt();
  EXPECT_FALSE(cut.finished);
  Sweep whole = stage.Try().value().sweep;
  EXPECT_THAT(stage.resumed, ElementsAre(cut.id));
  EXPECT_EQ(whole.id, cut.id);
  EXPECT_TRUE(whole.finished);
}

TEST(SweepWorkload, DifferentPlanIsADifferentSweep) {
  SweepWorkloadStage stage;
  Sweep cut = stage.Interrupt();
  stage.order.plan.memory->step = 5 * kMebi;
  Sweep other = stage.Try().value().sweep;
  EXPECT_THAT(stage.resumed, IsEmpty());
  EXPECT_NE(other.id, cut.id);
}

TEST(SweepWorkload, RunsANetworkInAProcessOfMete) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.order.application.command.clear();
  stage.order.network = {.network = file, .threads = 2, .iterations = 7};
  Sweep sweep = stage.Try().value().sweep;
  EXPECT_EQ(sweep.workload, "net");
  EXPECT_THAT(stage.platform.launcher.log().starts.front().command,
              ElementsAre("/usr/bin/mete", "bench", "infer", file.string(),
                          "--iterations", "7", "--threads", "2"));
  EXPECT_THAT(stage.reader.asked, ElementsAre(file));
}

// A network whose input has one open size.
Network WithOpenInput() {
  Network network;
  network.graph.inputs = {
      {.name = "ids",
       .type = {.type = ElementType::kInt64,
                .shape = Shape{{.size = 1}, {.symbol = "length"}}}}};
  return network;
}

TEST(SweepWorkload, RunsANetworkWithTheGivenInputsAndOptions) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.reader.network = WithOpenInput();
  stage.order.network = {.network = file,
                         .inputs = {.sizes = {.shapes = {{"ids", {1, 7}}}},
                                    .seed = 3,
                                    .given = {"ids=2"}},
                         .engine = {.memory_arena = false}};
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(stage.platform.launcher.log().starts.front().command,
              testing::IsSupersetOf({"--shape", "ids=1x7", "--input", "ids=2",
                                     "--seed", "3", "--arena", "off"}));
}

// It would fail with every limit.
TEST(SweepWorkload, DoesNotRunANetworkWithOpenSizes) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.reader.network = WithOpenInput();
  stage.order.network = {.network = file};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(done.error().message(), HasSubstr("e.g. --shape ids=1x128"));
  EXPECT_THAT(stage.platform.launcher.log().starts, IsEmpty());
}

TEST(SweepWorkload, RunsANetworkForManyQuotaPeriods) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.order.network = {.network = file};
  stage.order.plan = {.cpus = LimitRange{1000, 500, 500}};
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(stage.platform.launcher.log().starts.front().command,
              testing::IsSupersetOf({"--duration", "5s"}));
}

TEST(SweepWorkload, NetworkWithOtherContentIsADifferentSweep) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.order.network = {.network = file};
  stage.Interrupt();
  ASSERT_TRUE(WriteFileAtomically(file, "another network").ok());
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(stage.resumed, IsEmpty());
}

TEST(SweepWorkload, DoesNotRunAnInvalidNetwork) {
  SweepWorkloadStage stage;
  stage.reader.failure = Corrupt("read net.onnx: it is no network");
  stage.order.network = {.network = "net.onnx"};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("it is no network"));
  EXPECT_THAT(stage.platform.launcher.log().starts, IsEmpty());
}

TEST(SweepWorkload, SaysHowToInstallMeteTorch) {
  SweepWorkloadStage stage;
  stage.order.application.command = {"mete-torch", "train"};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("mete-torch is not installed"));
}

TEST(SweepWorkload, SuggestsALengthForTheNetwork) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.reader.network = WithOpenInput();
  stage.order.network = {.network = file};
  stage.suggest_length = [](const Network&) { return int64_t{42}; };
  EXPECT_THAT(stage.Try().error().message(),
              HasSubstr("e.g. --shape ids=1x42"));
}

// Files set the sizes of inputs, too, unlike numbers.
TEST(SweepWorkload, RunsANetworkWithOpenSizesOnFiles) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.reader.network = WithOpenInput();
  stage.order.network = {.network = file, .inputs = {.given = {"ids=2"}}};
  EXPECT_FALSE(stage.Try().ok());
  stage.order.network->inputs.given = {"ids=ids.npy"};
  EXPECT_TRUE(stage.Try().ok());
}

TEST(SweepWorkload, RunsANetworkLongerUnderALimitThatIsNotSwept) {
  SweepWorkloadStage stage;
  auto file = stage.scratch.path() / "net.onnx";
  ASSERT_TRUE(WriteFileAtomically(file, "a network").ok());
  stage.order.network = {.network = file};
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(stage.platform.launcher.log().starts.back().command,
              testing::Not(testing::Contains("--duration")));
  stage.order.application.limits.cpus = Millicores{500};
  ASSERT_TRUE(stage.Try().ok());
  EXPECT_THAT(stage.platform.launcher.log().starts.back().command,
              testing::Contains("--duration"));
}

TEST(SweepWorkload, IsFoundAgainByAShortKey) {
  SweepWorkloadStage stage;
  Sweep sweep = stage.Try().value().sweep;
  EXPECT_THAT(sweep.key, SizeIs(16));
  EXPECT_THAT(stage.resumed, IsEmpty());
  // A finished sweep is made again.
  EXPECT_NE(stage.Try().value().sweep.id, sweep.id);
  EXPECT_THAT(stage.resumed, IsEmpty());
}

// The files of an image are not visible from here.
TEST(SweepWorkload, IsNeverColdForAnImage) {
  SweepWorkloadStage stage;
  stage.order.plan.cold = true;
  EXPECT_TRUE(stage.Try().value().sweep.plan.cold);
  stage.order.application.command.clear();
  stage.order.application.container = ContainerSettings{.image = "my/app:1"};
  EXPECT_FALSE(stage.Try().value().sweep.plan.cold);
}

TEST(SweepWorkload, RefusesTrainingThatWouldResume) {
  SweepWorkloadStage stage;
  auto torch = stage.scratch.path() / "mete-torch";
  ASSERT_TRUE(WriteFileAtomically(torch, "").ok());
  std::filesystem::permissions(torch, std::filesystem::perms::owner_all);
  stage.order.application.command = {torch.string(), "train", "--checkpoint",
                                     "a"};
  auto done = stage.Try();
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("--fresh"));
}

}  // namespace
}  // namespace mete
