#include "measure/timed_series.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/fakes/fake_engine.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

TensorValue FedInput(float value) {
  TensorValue tensor{.name = "input",
                     .type = ElementType::kFloat,
                     .sizes = {1, 4},
                     .bytes = std::vector<std::byte>(16)};
  std::memcpy(tensor.bytes.data(), &value, sizeof value);
  return tensor;
}

// Calls of 30 ms that use half a core, one set of inputs.
struct SeriesStage {
  FakeClock clock;
  EngineScript script{.latency = [](size_t) { return milliseconds(30); },
                      .cpu_share = 0.5};
  InputFeeds feeds{.feeds = {{FedInput(1)}}};
  std::unique_ptr<FakeEngine> engine;
  std::unique_ptr<EngineSession> session;
  std::unique_ptr<TimedSeries> series;

  TimedSeries& Start() {
    engine = std::make_unique<FakeEngine>(clock, script);
    session = engine->Load({.path = "net.onnx"}).value();
    series = std::make_unique<TimedSeries>(
        TimedSeries::Parts{.session = *session, .feeds = feeds, .clock = clock},
        10);
    return *series;
  }
};

TEST(TimedSeries, TimesNothingButTheCall) {
  SeriesStage stage;
  stage.script.release_time = milliseconds(5);
  TimedSeries& series = stage.Start();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(series.TimeOne().ok());
  EXPECT_EQ(series.seconds(), std::vector<double>(3, 0.03));
  EXPECT_EQ(series.last_end(), milliseconds(30 + 3 * 30 + 2 * 5));
}

TEST(TimedSeries, SetsOneSetOfInputsOnceAndSeveralInTurn) {
  SeriesStage stage;
  TimedSeries& one = stage.Start();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(one.TimeOne().ok());
  EXPECT_EQ(stage.engine->log().inputs_set, 1u);
  stage.feeds.feeds = {{FedInput(1)}, {FedInput(2)}};
  TimedSeries& two = stage.Start();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(two.TimeOne().ok());
  const auto& fed = stage.engine->log().fed;
  EXPECT_EQ(stage.engine->log().inputs_set, 3u);
  EXPECT_EQ(fed[0][0].bytes, FedInput(1).bytes);
  EXPECT_EQ(fed[1][0].bytes, FedInput(2).bytes);
  EXPECT_EQ(fed[2][0].bytes, FedInput(1).bytes);
}

TEST(TimedSeries, StoresNoSampleOfACallThatFails) {
  SeriesStage stage;
  stage.script.run_failure = [](size_t call) -> std::optional<Error> {
    if (call != 1) return std::nullopt;
    return Unavailable("broken");
  };
  TimedSeries& series = stage.Start();
  ASSERT_TRUE(series.TimeOne().ok());
  EXPECT_FALSE(series.TimeOne().ok());
  EXPECT_EQ(series.size(), 1u);
  stage.feeds.feeds = {{FedInput(1)}, {}};
  TimedSeries& wrong = stage.Start();
  ASSERT_TRUE(wrong.TimeOne().ok());
  EXPECT_FALSE(wrong.TimeOne().ok());
  EXPECT_EQ(stage.engine->log().runs, 1u);
}

TEST(TimedSeries, SharesTheCpuTimeOfAStretchAmongItsCalls) {
  SeriesStage stage;
  TimedSeries& series = stage.Start();
  EXPECT_FALSE(series.CpuTime(0));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(series.TimeOne().ok());
  EXPECT_NEAR(series.CpuTime(0)->count(), 10 * 0.015, 1e-9);
  EXPECT_NEAR(series.CpuTime(6)->count(), 4 * 0.015, 1e-9);
  EXPECT_NEAR(series.CpuTime(9)->count(), 0.015, 1e-9);
  EXPECT_FALSE(series.CpuTime(10));
  // The stretch that was closed to be read goes on.
  ASSERT_TRUE(series.TimeOne().ok());
  EXPECT_NEAR(series.CpuTime(0)->count(), 11 * 0.015, 1e-9);
  EXPECT_NEAR(series.CpuTime(10)->count(), 0.015, 1e-9);
}

}  // namespace
}  // namespace mete
