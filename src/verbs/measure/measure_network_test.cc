#include "measure/measure_network.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/file.h"
#include "support/random.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_host.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Every picture is one grey whose brightness is the length of its file.
class GreyImages final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path& path) override {
    ASSIGN_OR_RETURN(std::string content, ReadFile(path));
    Picture picture{.width = 4, .height = 4};
    picture.rgb.assign(48, static_cast<uint8_t>(content.size()));
    return picture;
  }
  Result<Picture> Resize(const Picture& picture, int width,
                         int height) override {
    Picture resized{.width = width, .height = height};
    resized.rgb.assign(static_cast<size_t>(width * height * 3), picture.rgb[0]);
    return resized;
  }
};

// A measurement on fakes. Tests change its settings before calling Run.
struct NetworkStage {
  FakeClock clock;
  FakeHost host;
  GreyImages images;
  EngineScript script;
  MeasureRequest request{.network = "net.onnx", .name = "net"};
  ProgressCallback progress;
  std::stop_source stop;
  std::unique_ptr<FakeEngine> engine;

  Result<mete::Run> Try() {
    engine = std::make_unique<FakeEngine>(clock, script);
    return MeasureNetwork(
        request,
        {.engine = *engine, .host = host, .images = images, .clock = clock},
        progress, stop.get_token());
  }

  mete::Run Run() {
    auto run = Try();
    EXPECT_TRUE(run.ok()) << run.error().message();
    return run.ok() ? *run : mete::Run{};
  }

  NetworkDetails Network() { return *Run().network(); }
};

nanoseconds Micros(double us) {
  return nanoseconds(static_cast<int64_t>(us * 1000));
}

// About 10 ms with a little log-normal noise.
nanoseconds Noisy(size_t iteration, double sigma) {
  return Micros(10000 * std::exp(sigma * Random(iteration).Normal()));
}

TEST(MeasureNetwork, StopsOnceTheMedianIsPrecise) {
  NetworkStage stage;
  stage.script.latency = [](size_t i) { return Noisy(i, 0.02); };
  mete::Run run = stage.Run();
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kCompleted);
  EXPECT_EQ(run.network()->verdict.kind, VerdictKind::kStable)
      << run.network()->verdict.explanation;
  EXPECT_NEAR(run.network()->latency->p50.count(), 0.010, 0.0001);
  EXPECT_GE(*run.network()->latency->p50_low,
            0.98 * run.network()->latency->p50);
  EXPECT_LE(*run.network()->latency->p50_high,
            1.02 * run.network()->latency->p50);
  EXPECT_LT(run.network()->iterations + run.network()->warmup_iterations,
            1000u);
}

// Whatever ended the series, a wide interval must not be called stable.
TEST(MeasureNetwork, AWideIntervalOfAFixedSeriesIsNotStable) {
  for (Ending ending :
       {Ending(FixedIterations{30}), Ending(FixedDuration{Seconds(0.4)})}) {
    NetworkStage stage;
    stage.script.latency = [](size_t i) { return Noisy(i, 0.4); };
    stage.request.ending = ending;
    NetworkDetails network = stage.Network();
    EXPECT_EQ(network.verdict.kind, VerdictKind::kNotConverged);
    EXPECT_NE(network.verdict.explanation.find("more than ±2.0 %"),
              std::string::npos)
        << network.verdict.explanation;
    stage.request.precision = 0.9;
    EXPECT_EQ(stage.Network().verdict.kind, VerdictKind::kStable);
  }
}

// Half a CPU: calls of 1 ms run at full speed for 50 ms, and the next one waits
// for the period to end.
nanoseconds WithHalfACpu(size_t iteration) {
  return Micros(iteration % 50 == 49 ? 51000 : 1000);
}

TEST(MeasureNetwork, CoversManyPeriodsOfACpuQuota) {
  NetworkStage stage;
  stage.script.latency = WithHalfACpu;
  stage.request.has_cpu_quota = true;
  NetworkDetails network = stage.Network();
  EXPECT_GE(network.iterations * network.latency->mean, Seconds(4.9));
  EXPECT_NEAR(*network.throughput, 500, 10);
  EXPECT_EQ(network.verdict.kind, VerdictKind::kStable)
      << network.verdict.explanation;
}

TEST(MeasureNetwork, AFewIterationsUnderACpuQuotaAreTooShort) {
  NetworkStage stage;
  stage.script.latency = WithHalfACpu;
  stage.request.has_cpu_quota = true;
  stage.request.ending = FixedIterations{40};
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.verdict.kind, VerdictKind::kTooFewSamples);
  EXPECT_NE(network.verdict.explanation.find("CPU limit"), std::string::npos);
  EXPECT_FALSE(network.throughput.has_value());
}

TEST(MeasureNetwork, PinsItsThreadWhileTheEngineIsUsed) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  stage.request.pin = "1-2";
  EXPECT_EQ(stage.Run().limits.pin, "1-2");
  EXPECT_EQ(stage.host.pins,
            (std::vector<std::vector<int>>{{1, 2}, {0, 1, 2, 3}}));
  stage.request.pin = "9";
  auto refused = stage.Try();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(),
            "--pin: CPU 9 does not exist or is not allowed here; usable: 0-3");
}

TEST(MeasureNetwork, MakesMoreIterationsForANoisierNetwork) {
  NetworkStage quiet;
  quiet.script.latency = [](size_t i) { return Noisy(i, 0.02); };
  NetworkStage noisy;
  noisy.script.latency = [](size_t i) { return Noisy(i, 0.3); };
  EXPECT_GT(noisy.Run().iterations(), 2 * quiet.Run().iterations());
}

TEST(MeasureNetwork, ContinuesUntilP99HasAnIntervalWhileThatIsCheap) {
  NetworkStage stage;
  NetworkDetails network = stage.Network();
  EXPECT_TRUE(network.latency->p99_high.has_value());
  EXPECT_GE(network.iterations, 368u);
}

TEST(MeasureNetwork, SkipsTheIntervalOfP99WhenThatIsExpensive) {
  NetworkStage stage;
  stage.script.latency = [](size_t) { return milliseconds(200); };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.verdict.kind, VerdictKind::kStable);
  EXPECT_EQ(network.iterations + network.warmup_iterations, 180u);
  EXPECT_FALSE(network.latency->p99_high.has_value());
}

TEST(MeasureNetwork, EndsAfterTheMaximumDuration) {
  NetworkStage stage;
  stage.request.max_duration = Seconds(2);
  stage.script.latency = [](size_t i) { return Noisy(i, 0.5); };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.verdict.kind, VerdictKind::kNotConverged);
  EXPECT_NE(network.verdict.explanation.find("±2.0 % was requested"),
            std::string::npos)
      << network.verdict.explanation;
  EXPECT_GE(stage.clock.Now(), milliseconds(2000));
  EXPECT_LT(stage.clock.Now(), milliseconds(2200));
}

TEST(MeasureNetwork, ReportsADozenSlowCallsWithTheirInterval) {
  NetworkStage stage;
  stage.script.latency = [](size_t i) {
    return milliseconds(i % 2 == 0 ? 5000 : 5010);
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations, 11u);
  EXPECT_EQ(network.warmup_iterations, 1u);
  EXPECT_TRUE(network.latency->p50_low.has_value());
  EXPECT_EQ(network.verdict.kind, VerdictKind::kStable)
      << network.verdict.explanation;
}

TEST(MeasureNetwork, ReportsThreeValuesAsTooFew) {
  NetworkStage stage;
  stage.script.latency = [](size_t) { return milliseconds(20000); };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations, 2u);
  EXPECT_EQ(network.verdict.kind, VerdictKind::kTooFewSamples);
  EXPECT_FALSE(network.latency->p50_low.has_value());
}

TEST(MeasureNetwork, KeepsTheOnlyCallOfAVerySlowNetwork) {
  NetworkStage stage;
  stage.script.latency = [](size_t) { return milliseconds(90000); };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations, 1u);
  EXPECT_EQ(network.warmup_iterations, 0u);
  EXPECT_DOUBLE_EQ(network.latency->p50.count(), 90);
}

TEST(MeasureNetwork, TimesExactlyTheRequestedIterations) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{200};
  // Sixty slow calls at first: detected, excluded and replaced.
  stage.script.latency = [](size_t i) {
    return i < 60 ? milliseconds(20) : milliseconds(10);
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations, 200u);
  EXPECT_EQ(network.warmup_iterations, 60u);
  EXPECT_EQ(network.samples.size(), 200u);
  EXPECT_EQ(stage.engine->log().runs, 260u);
  EXPECT_DOUBLE_EQ(network.latency->max.count(), 0.010);
}

TEST(MeasureNetwork, FewIterationsAreAFindingNotAnError) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{3};
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations, 3u);
  EXPECT_EQ(network.verdict.kind, VerdictKind::kTooFewSamples);
}

TEST(MeasureNetwork, FixedIterationsHaveNoTimeLimitUnlessGiven) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{100};
  stage.script.latency = [](size_t) { return milliseconds(1000); };
  EXPECT_EQ(stage.Network().iterations, 100u);
}

TEST(MeasureNetwork, ReportsThatTheTimeLimitCutTheIterationsShort) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{100};
  stage.request.max_duration = Seconds(30);
  stage.script.latency = [](size_t) { return milliseconds(1000); };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations, 29u);
  EXPECT_EQ(network.verdict.kind, VerdictKind::kNotConverged);
  EXPECT_EQ(network.verdict.explanation, "29 of 100 iterations were possible");
}

TEST(MeasureNetwork, RunsForTheRequestedDuration) {
  NetworkStage stage;
  stage.request.ending = FixedDuration{Seconds(3)};
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.iterations + network.warmup_iterations, 300u);
}

TEST(MeasureNetwork, ExcludesExactlyTheRequestedWarmup) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{50};
  stage.request.warmup = 7;
  stage.script.latency = [](size_t i) {
    return i < 7 ? milliseconds(500) : milliseconds(10);
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.warmup_iterations, 7u);
  EXPECT_EQ(network.iterations, 50u);
  EXPECT_DOUBLE_EQ(network.latency->max.count(), 0.010);
}

TEST(MeasureNetwork, WarmupOfZeroExcludesNothing) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{50};
  stage.request.warmup = 0;
  stage.script.latency = [](size_t i) {
    return i < 1 ? milliseconds(500) : milliseconds(10);
  };
  EXPECT_DOUBLE_EQ(stage.Network().latency->max.count(), 0.5);
}

TEST(MeasureNetwork, ExcludesTheFirstCallWhenWarmupIsNotGiven) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{20};
  stage.script.latency = [](size_t i) {
    return i < 1 ? milliseconds(500) : milliseconds(10);
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.warmup_iterations, 1u);
  EXPECT_DOUBLE_EQ(network.latency->max.count(), 0.010);
}

TEST(MeasureNetwork, ContinuesWhenTheWarmupOutlastsTheFirstChecks) {
  NetworkStage stage;
  // 300 calls at 12 ms: the second check still sees nothing else.
  stage.script.latency = [](size_t i) {
    return Micros((i < 300 ? 12000 : 10000) *
                  std::exp(0.01 * Random(i).Normal()));
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.verdict.kind, VerdictKind::kStable)
      << network.verdict.explanation;
  EXPECT_NEAR(network.latency->p50.count(), 0.010, 0.0002);
  EXPECT_GE(network.warmup_iterations, 295u);
}

TEST(MeasureNetwork, ReportsASlowingSeriesAsDrifting) {
  NetworkStage stage;
  stage.request.max_duration = Seconds(10);
  stage.script.latency = [](size_t i) {
    double slower = 1 + 0.2 * static_cast<double>(i) / 900;
    return Micros(10000 * slower * std::exp(0.01 * Random(i).Normal()));
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.verdict.kind, VerdictKind::kDrifting);
  EXPECT_NE(network.verdict.explanation.find("slower than the first"),
            std::string::npos)
      << network.verdict.explanation;
}

TEST(MeasureNetwork, ReportsTwoLevelsAsBimodal) {
  NetworkStage stage;
  stage.script.latency = [](size_t i) {
    bool high = Random(i + 7).Uniform() < 0.3;
    return Micros((high ? 12000 : 8000) * std::exp(0.01 * Random(i).Normal()));
  };
  NetworkDetails network = stage.Network();
  EXPECT_EQ(network.verdict.kind, VerdictKind::kBimodal);
  EXPECT_NE(network.verdict.explanation.find("near 8.0"), std::string::npos)
      << network.verdict.explanation;
}

TEST(MeasureNetwork, KeepsWhatWasMeasuredWhenInterrupted) {
  NetworkStage stage;
  stage.script.on_run = [&](size_t i) {
    if (i == 41) stage.stop.request_stop();
  };
  mete::Run run = stage.Run();
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kInterrupted);
  EXPECT_EQ(run.network()->iterations + run.network()->warmup_iterations, 42u);
  EXPECT_DOUBLE_EQ(run.network()->latency->p50.count(), 0.010);
}

TEST(MeasureNetwork, HasNoLatencyWhenInterruptedBeforeTheFirstCall) {
  NetworkStage stage;
  stage.stop.request_stop();
  mete::Run run = stage.Run();
  EXPECT_EQ(run.outcome.kind, OutcomeKind::kInterrupted);
  EXPECT_EQ(run.network()->iterations, 0u);
  EXPECT_FALSE(run.network()->latency.has_value());
  EXPECT_FALSE(run.network()->throughput.has_value());
  EXPECT_EQ(run.network()->verdict.kind, VerdictKind::kTooFewSamples);
}

TEST(MeasureNetwork, NamesTheIterationOfAFailedCall) {
  NetworkStage stage;
  stage.script.run_failure = [](size_t i) -> std::optional<Error> {
    if (i == 4) return Corrupt("node conv: out of range");
    return std::nullopt;
  };
  auto run = stage.Try();
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().message(),
            "measure net, iteration 5: node conv: out of range");
}

TEST(MeasureNetwork, FailsWhenTheNetworkDoesNotLoad) {
  NetworkStage stage;
  stage.script.load_failure = Corrupt("load net.onnx: truncated");
  auto run = stage.Try();
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::kCorrupt);
}

TEST(MeasureNetwork, RefusesNumbersOutOfRange) {
  auto refused = [](const Ending& ending) {
    NetworkStage stage;
    stage.request.ending = ending;
    return !stage.Try().ok();
  };
  EXPECT_TRUE(refused(FixedIterations{0}));
  EXPECT_TRUE(refused(FixedDuration{Seconds(0)}));
  EXPECT_TRUE(refused(UntilPrecise{0}));
  EXPECT_TRUE(refused(UntilPrecise{1.5}));
  NetworkStage no_time;
  no_time.request.max_duration = Seconds(0);
  EXPECT_FALSE(no_time.Try().ok());
  NetworkStage no_threads;
  no_threads.request.threads = 0;
  EXPECT_FALSE(no_threads.Try().ok());
}

TEST(MeasureNetwork, TimesNothingButTheEngineCall) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  // Reading the clock itself takes 1 us; a call costs one reading, not two.
  stage.clock.StepPerReading(std::chrono::microseconds(1));
  stage.progress = [&](const MeasureProgress&) {
    stage.clock.Advance(milliseconds(3));
  };
  EXPECT_NEAR(stage.Network().latency->max.count(), 0.010001, 1e-9);
}

TEST(MeasureNetwork, FreesTheOutputsOutsideTheTimedRegion) {
  NetworkStage stage;
  stage.script.release_time = milliseconds(1);
  EXPECT_DOUBLE_EQ(stage.Network().latency->max.count(), 0.010);
}

TEST(MeasureNetwork, MeasuresTheCpuTimeOfShortCallsBySampling) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10000};
  stage.script.latency = [](size_t) { return std::chrono::microseconds(50); };
  stage.script.cpu_share = 1.5;
  EXPECT_NEAR(stage.Run().cpu_time->count(), 10000 * 50e-6 * 1.5, 1e-6);
}

TEST(MeasureNetwork, ReportsProgressAtMostTenTimesASecond) {
  NetworkStage stage;
  stage.request.ending = FixedDuration{Seconds(5)};
  int reported = 0;
  stage.progress = [&](const MeasureProgress&) { ++reported; };
  stage.Run();
  EXPECT_GE(reported, 40);
  EXPECT_LE(reported, 50);
}

TEST(MeasureNetwork, RecordsWhereAndHowItWasMeasured) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  stage.request.sha256 = "abc";
  stage.request.threads = 3;
  stage.request.inputs.seed = 99;
  stage.request.device_id = "d1";
  stage.request.device_name = "box";
  stage.request.mete_version = "0.1.0";
  stage.script.cpu_share = 2.5;
  mete::Run run = stage.Run();
  EXPECT_EQ(run.id.substr(0, 10), "01HWT245A0");
  EXPECT_EQ(run.workload.name, "net");
  EXPECT_EQ(run.workload.source, "net.onnx");
  EXPECT_EQ(run.workload.sha256, "abc");
  EXPECT_EQ(run.workload.input_shapes, std::vector<std::string>{"input=1x4"});
  EXPECT_EQ(run.workload.input_origin, "random");
  EXPECT_EQ(run.device_id, "d1");
  EXPECT_EQ(run.device_name, "box");
  EXPECT_EQ(run.limits.threads, 3);
  EXPECT_EQ(stage.engine->log().loads.at(0).threads, 3);
  EXPECT_EQ(run.engine.name, "fake");
  EXPECT_EQ(run.environment.governor, "performance");
  EXPECT_EQ(run.mete_version, "0.1.0");
  EXPECT_EQ(run.seed, 99u);
  EXPECT_EQ(run.peak_rss, Mebibytes(100));
  EXPECT_EQ(stage.host.peak_resets, 1);
  EXPECT_DOUBLE_EQ(run.network()->load_time->count(), 0.030);
  EXPECT_NEAR(run.cpu_time->count(), 10 * 0.010 * 2.5, 1e-9);
  EXPECT_DOUBLE_EQ(*run.network()->throughput, 100);
  EXPECT_EQ(run.network()->autocorrelation_time, 1);
}

TEST(MeasureNetwork, CountsTheItemsOfABatch) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  stage.script.inputs[0].type.shape = Shape{{.symbol = "batch"}, {.size = 4}};
  stage.request.inputs.sizes.batch = 8;
  mete::Run run = stage.Run();
  EXPECT_EQ(run.workload.batch, 8);
  EXPECT_DOUBLE_EQ(*run.network()->throughput, 800);
}

TEST(MeasureNetwork, TakesTheBatchFromAShape) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  stage.script.inputs[0].type.shape = Shape{{.symbol = "batch"}, {.size = 4}};
  stage.request.inputs.sizes.shapes = {{.input = "input", .sizes = {16, 4}}};
  EXPECT_EQ(stage.Run().workload.batch, 16);
}

TEST(MeasureNetwork, SetsASingleInputOnce) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  stage.Run();
  EXPECT_EQ(stage.engine->log().inputs_set, 1u);
}

TEST(MeasureNetwork, UsesPicturesInTurn) {
  auto folder = ScratchFolder::Create();
  ASSERT_TRUE(folder.ok());
  for (int brightness : {10, 20, 30}) {
    std::ofstream(folder->path() / fmt::format("{}.png", brightness))
        << std::string(static_cast<size_t>(brightness), 'x');
  }
  NetworkStage stage;
  stage.script.inputs[0].type.shape = KnownShape({1, 3, 8, 8});
  stage.request.ending = FixedIterations{6};
  stage.request.warmup = 0;
  stage.request.inputs.picture_folder = folder->path();
  stage.Run();
  const auto& fed = stage.engine->log().fed;
  ASSERT_EQ(fed.size(), 6u);
  EXPECT_NE(fed[0][0].bytes, fed[1][0].bytes);
  EXPECT_NE(fed[1][0].bytes, fed[2][0].bytes);
  EXPECT_EQ(fed[0][0].bytes, fed[3][0].bytes);
  EXPECT_EQ(fed[2][0].bytes, fed[5][0].bytes);
}

TEST(MeasureNetwork, TimesLayersInASeparateSession) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  stage.request.layers = true;
  NetworkDetails network = stage.Network();
  ASSERT_EQ(stage.engine->log().loads.size(), 2u);
  EXPECT_FALSE(stage.engine->log().loads[0].profile);
  EXPECT_TRUE(stage.engine->log().loads[1].profile);
  ASSERT_EQ(network.layers.size(), 2u);
  EXPECT_EQ(network.layers[0].name, "conv");
  EXPECT_DOUBLE_EQ(network.layers[0].mean.count(), 0.006);
  EXPECT_DOUBLE_EQ(network.layers[0].share, 0.75);
  EXPECT_EQ(network.layers[0].calls, 50u);
}

TEST(MeasureNetwork, HasNoLayersUnlessRequested) {
  NetworkStage stage;
  stage.request.ending = FixedIterations{10};
  EXPECT_TRUE(stage.Network().layers.empty());
  EXPECT_EQ(stage.engine->log().loads.size(), 1u);
}

}  // namespace
}  // namespace mete
