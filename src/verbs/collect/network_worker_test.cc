#include "collect/network_worker.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_engine.h"
#include "tests/fakes/fake_host.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

class NoPictures final : public ImageReader {
 public:
  Result<Picture> Read(const std::filesystem::path& path) override {
    return NotFound(path.string());
  }
  Result<Picture> Resize(const Picture&, int, int) override {
    return NotFound("no picture");
  }
};

class NetworkWorkerTest : public testing::Test {
 protected:
  void Script(EngineScript script) {
    engine = std::make_unique<FakeEngine>(clock, std::move(script));
  }
  Result<LoadedNetwork> Load(const std::string& network = "net.onnx") {
    return LoadedFrom(
        worker.Answer(ToLine(ToJson(LoadOrder{.network = network}))));
  }
  Result<TimedRun> Run(const RunOrder& order) {
    return TimedRunFrom(worker.Answer(ToLine(ToJson(order))));
  }

  FakeClock clock;
  FakeHost host;
  NoPictures images;
  std::unique_ptr<FakeEngine> engine =
      std::make_unique<FakeEngine>(clock, EngineScript());
  NetworkWorker worker{{.engine = [this] { return Result<Engine*>(&*engine); },
                        .host = host,
                        .images = images,
                        .clock = clock}};
};

TEST_F(NetworkWorkerTest, LoadsAndTimesANetwork) {
  auto loaded = Load();
  ASSERT_TRUE(loaded.ok()) << loaded.error().message();
  EXPECT_DOUBLE_EQ(loaded->seconds, 0.03);
  EXPECT_EQ(loaded->input_origin, "random");
  auto run = Run({.at_least = 3, .at_most = 5, .time = Seconds(10)});
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->samples.size(), 5u);
  EXPECT_DOUBLE_EQ(run->samples[0], 0.01);
  EXPECT_DOUBLE_EQ(run->cpu_seconds, 0.05);
  EXPECT_EQ(run->peak_rss, Mebibytes(100));
}

TEST_F(NetworkWorkerTest, EndsWhenTheTimeIsOver) {
  ASSERT_TRUE(Load().ok());
  auto run = Run({.at_least = 3, .at_most = 1000, .time = Seconds(0.2)});
  EXPECT_EQ(run->samples.size(), 20u);
}

TEST_F(NetworkWorkerTest, ReachesTheMinimumCountUnlessItTakesTooLong) {
  Script({.latency = [](size_t) { return milliseconds(500); }});
  ASSERT_TRUE(Load().ok());
  EXPECT_EQ(
      Run({.at_least = 5, .at_most = 50, .time = Seconds(1)})->samples.size(),
      5u);
  EXPECT_EQ(
      Run({.at_least = 50, .at_most = 50, .time = Seconds(1)})->samples.size(),
      8u);
}

TEST_F(NetworkWorkerTest, ShortInferencesAreTimedForSeveralQuotaPeriods) {
  Script({.latency = [](size_t) { return milliseconds(1); }});
  ASSERT_TRUE(Load().ok());
  EXPECT_EQ(Run({.at_least = 3,
                 .at_most = 10,
                 .shortest = Seconds(0.25),
                 .time = Seconds(1)})
                ->samples.size(),
            250u);
}

TEST_F(NetworkWorkerTest, EndsEarlyWhenTheMeanIsKnown) {
  ASSERT_TRUE(Load().ok());
  auto run = Run(
      {.at_least = 3, .at_most = 1000, .time = Seconds(10), .precision = 0.01});
  // Six blocks of 50 ms.
  EXPECT_GE(run->samples.size(), 30u);
  EXPECT_LE(run->samples.size(), 40u);
}

TEST_F(NetworkWorkerTest, ReportsErrorsAndContinues) {
  EXPECT_EQ(Load("other.onnx").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Run({}).error().code(), ErrorCode::kInvalidInput);
  for (const char* line :
       {"", "nonsense", "[]", "{\"do\":\"dance\"}", "{\"do\":\"load\"}"}) {
    EXPECT_FALSE(LoadedFrom(worker.Answer(line)).ok()) << line;
  }
  EXPECT_TRUE(Load().ok());
}

TEST_F(NetworkWorkerTest, ServesUntilTheInputEnds) {
  std::istringstream input(ToLine(ToJson(LoadOrder{.network = "net.onnx"})) +
                           "\nnonsense\n");
  std::ostringstream output;
  worker.Serve(input, output);
  std::istringstream lines(output.str());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(LoadedFrom(line).ok());
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_FALSE(LoadedFrom(line).ok());
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(MeanIsKnown, NeedsSixConsistentBlocks) {
  EXPECT_FALSE(MeanIsKnown(std::vector<double>(5, 0.05), 0.01));
  EXPECT_TRUE(MeanIsKnown(std::vector<double>(6, 0.05), 0.01));
  std::vector<double> wild = {0.05, 0.10, 0.05, 0.10, 0.05, 0.10};
  EXPECT_FALSE(MeanIsKnown(wild, 0.01));
  EXPECT_TRUE(MeanIsKnown(wild, 0.5));
}

// Full speed and a stall within one quota period fall into one block.
TEST(MeanIsKnown, AveragesOverQuotaPeriods) {
  std::vector<double> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(i % 2 == 0 ? 0.001 : 0.009);
  EXPECT_EQ(BlockMeans(samples).size(), 10u);
  EXPECT_TRUE(MeanIsKnown(samples, 0.01));
}

}  // namespace
}  // namespace mete
