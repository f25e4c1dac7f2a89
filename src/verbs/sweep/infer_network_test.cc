#include "sweep/infer_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_engine.h"
#include "tests/fakes/no_images.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

// Inferences of 10 ms.
struct InferStage {
  FakeClock clock;
  NoImages images;
  EngineScript script;
  InferRequest request{.network = "net.onnx", .threads = 2, .iterations = 5};
  std::stop_source stop;
  EngineLog log;

  Status Infer() {
    FakeEngine engine(clock, script);
    Status done = InferNetwork(
        request, {.engine = engine, .images = images, .clock = clock},
        stop.get_token());
    log = engine.log();
    return done;
  }
};

constexpr size_t kWarmups = 3;

TEST(InferNetwork, RunsTheIterationsAfterAWarmup) {
  InferStage stage;
  ASSERT_TRUE(stage.Infer().ok());
  EXPECT_EQ(stage.log.runs, kWarmups + 5);
  EXPECT_EQ(stage.log.loads.front().threads, 2);
  EXPECT_EQ(stage.log.inputs_set, 1u);
}

TEST(InferNetwork, GoesOnUntilTheDurationIsOver) {
  InferStage stage;
  stage.request.iterations = 1;
  stage.request.duration = milliseconds(50);
  ASSERT_TRUE(stage.Infer().ok());
  EXPECT_EQ(stage.log.runs, kWarmups + 5);
  stage.request.iterations = 8;  // at least
  ASSERT_TRUE(stage.Infer().ok());
  EXPECT_EQ(stage.log.runs, kWarmups + 8);
}

TEST(InferNetwork, EndsWhenItIsStopped) {
  InferStage stage;
  stage.script.on_run = [&](size_t iteration) {
    if (iteration == kWarmups + 1) stage.stop.request_stop();
  };
  EXPECT_EQ(stage.Infer().error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(stage.log.runs, kWarmups + 2);
}

TEST(InferNetwork, ReportsFailuresOfTheEngine) {
  InferStage stage;
  for (size_t failing : {size_t{0}, kWarmups + 1}) {
    stage.script.run_failure = [=](size_t iteration) -> std::optional<Error> {
      if (iteration != failing) return std::nullopt;
      return Unavailable("broken");
    };
    EXPECT_EQ(stage.Infer().error().message(), "broken");
    EXPECT_EQ(stage.log.runs, failing + 1);
  }
  stage.request.network = "other.onnx";
  EXPECT_EQ(stage.Infer().error().code(), ErrorCode::kNotFound);
}

TEST(InferNetwork, ReportsInputsThatTheNetworkDoesNotHave) {
  InferStage stage;
  stage.request.inputs.given = {"nothing=1"};
  EXPECT_FALSE(stage.Infer().ok());
  EXPECT_EQ(stage.log.runs, 0u);
}

TEST(InferArguments, NameTheDurationOnlyIfThereIsOne) {
  InferRequest request{.network = "/n.onnx", .threads = 3, .iterations = 7};
  EXPECT_THAT(InferArguments(request),
              ElementsAre("bench", "infer", "/n.onnx", "--iterations", "7",
                          "--threads", "3"));
  request.duration = Seconds(2);
  EXPECT_THAT(InferArguments(request), Contains("--duration"));
  request.duration = Seconds(0.5);
  EXPECT_THAT(InferArguments(request), Contains("--duration"));
  request.duration = Seconds(0);
  EXPECT_THAT(InferArguments(request), Not(Contains("--duration")));
}

}  // namespace
}  // namespace mete
