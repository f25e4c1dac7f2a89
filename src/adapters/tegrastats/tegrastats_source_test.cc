#include "adapters/tegrastats/tegrastats_source.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::seconds;

// Runs the real code with a real process: a script that prints recorded lines.
class TegrastatsSourceTest : public testing::Test {
 protected:
  std::unique_ptr<TegrastatsSource> Open(const char* board) {
    setenv("METE_TEST_BOARD", board, 1);
    auto source = TegrastatsSource::Open(
        {.program = METE_FIXTURES "/tegrastats/tegrastats"}, clock);
    EXPECT_TRUE(source.ok()) << source.error().message();
    return *std::move(source);
  }
  ~TegrastatsSourceTest() override { unsetenv("METE_TEST_BOARD"); }

  static MachineSample Sample(TegrastatsSource& source) {
    MachineSample sample;
    source.AddTo(sample);
    return sample;
  }
  // The script takes a moment to start.
  static MachineSample FirstSample(TegrastatsSource& source) {
    auto deadline = std::chrono::steady_clock::now() + seconds(20);
    MachineSample sample = Sample(source);
    while (sample.gpus.empty() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
      sample = Sample(source);
    }
    return sample;
  }

  FakeClock clock;
};

TEST_F(TegrastatsSourceTest, ReportsOnlyTheLatestLine) {
  auto source = Open("nano");
  MachineSample sample = FirstSample(*source);
  ASSERT_EQ(sample.gpus.size(), 1u);
  EXPECT_EQ(sample.gpus[0].utilization, 0.99);
  EXPECT_EQ(sample.gpus[0].celsius, 40.5);
  EXPECT_EQ(sample.memory_bus_load, 0.27);
  EXPECT_EQ(sample.hottest_celsius, 47);  // not the 100 of PMIC
  ASSERT_EQ(sample.rails.size(), 3u);
  EXPECT_EQ(sample.rails[0].name, "tegrastats/POM_5V_IN");
  EXPECT_EQ(sample.rails[0].power, Watts{6.32});
}

TEST_F(TegrastatsSourceTest, ReadsAnOrinWithSensorsThatAreOff) {
  auto source = Open("orin");
  MachineSample sample = FirstSample(*source);
  ASSERT_EQ(sample.gpus.size(), 1u);
  EXPECT_EQ(sample.gpus[0].utilization, 0.07);
  EXPECT_EQ(sample.gpus[0].celsius, std::nullopt);
  EXPECT_EQ(sample.rails.size(), 2u);  // rails without a name are not connected
}

TEST_F(TegrastatsSourceTest, ReportsNothingThatIsSecondsOld) {
  auto source = Open("nano");
  ASSERT_FALSE(FirstSample(*source).gpus.empty());
  clock.Advance(seconds(3));
  EXPECT_FALSE(Sample(*source).gpus.empty());
  clock.Advance(seconds(1));
  EXPECT_TRUE(Sample(*source).gpus.empty());
}

TEST_F(TegrastatsSourceTest, EndsTheProgramAndWaitsForIt) {
  auto source = Open("nano");
  const pid_t pid = source->pid();
  FirstSample(*source);
  EXPECT_EQ(kill(pid, 0), 0);
  source.reset();
  // Not even a zombie. Since reset returned, the children of the script are
  // gone too: they held the pipe open.
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(TegrastatsSourceTest, SurvivesAProgramThatEnds) {
  auto source = Open("gone");
  EXPECT_FALSE(FirstSample(*source).gpus.empty());
}

TEST_F(TegrastatsSourceTest, FailsWhenTheProgramIsNotInstalled) {
  auto source = TegrastatsSource::Open({.program = "mete-no-such-tool"}, clock);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code(), ErrorCode::kNotFound);
}

TEST(AddTegrastats, AddsNoRailAndNoGpuThatIsAlreadyKnown) {
  Tegrastats line{.engines = {{.name = "GR3D_FREQ", .load = 0.5}},
                  .rails = {{"VDD_IN", Watts{5}, Watts{5}}}};
  MachineSample sample{
      .gpus = {{.name = "Orin", .utilization = 0.4}},
      .rails = {{.name = "hwmon3/ina3221/VDD_IN", .power = Watts{4.9}}}};
  AddTegrastats(line, sample);
  EXPECT_EQ(sample.gpus.size(), 1u);
  EXPECT_EQ(sample.gpus[0].utilization, 0.4);
  EXPECT_EQ(sample.rails.size(), 1u);
}

}  // namespace
}  // namespace mete
