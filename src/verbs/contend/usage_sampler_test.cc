#include "contend/usage_sampler.h"

#include <gtest/gtest.h>

#include "contend/test_services.h"
#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

ServiceSample At(double seconds, double cpu, uint64_t faults) {
  return {.at = Seconds(seconds),
          .usage = {.cpu = Seconds(cpu),
                    .memory = Mebibytes(10),
                    .minor_faults = faults}};
}

TEST(UsageBetween, DividesByTheTimeBetweenFirstAndLastSample) {
  UsageRate rate =
      UsageBetween({At(0, 10, 100), At(1, 10.2, 101), At(4, 12, 180)});
  EXPECT_DOUBLE_EQ(rate.cpu_cores.value(), 0.5);
  EXPECT_DOUBLE_EQ(rate.page_faults_per_s.value(), 20);
}

TEST(UsageBetween, TakesTheLargestMemory) {
  std::vector<ServiceSample> samples = {At(0, 1, 1), At(1, 1, 1), At(2, 1, 1)};
  samples[1].usage.memory = Mebibytes(30);
  EXPECT_EQ(UsageBetween(samples).memory_bytes.value(),
            static_cast<double>(Mebibytes(30).count));
}

TEST(UsageBetween, HasNoValueForWhatWasNotCounted) {
  UsageRate rate = UsageBetween({At(0, 1, 1), At(1, 2, 2)});
  EXPECT_FALSE(rate.cache_references_per_s);
  EXPECT_FALSE(rate.cache_misses_per_s);
}

TEST(UsageBetween, HasNoRatesWithOneSample) {
  UsageRate rate = UsageBetween({At(0, 1, 1)});
  EXPECT_FALSE(rate.cpu_cores);
  EXPECT_TRUE(rate.memory_bytes);
  EXPECT_FALSE(UsageBetween({}).memory_bytes);
}

TEST(UsageBetween, HasNoRateForACounterThatWentBackwards) {
  EXPECT_FALSE(UsageBetween({At(0, 2, 1), At(1, 1, 2)}).cpu_cores);
}

TEST(UsageSampler, SamplesEverySecondUntilTheEndOfTheWindow) {
  FakeClock clock;
  ServiceScript script;
  ServiceLog log;
  TestService service("a", 1, script, log);
  UsageSampler sampler({.services = {&service}, .window = Seconds(2.5)}, clock);
  while (clock.Now() < std::chrono::milliseconds(2500)) {
    std::this_thread::yield();
  }
  auto samples = sampler.Finish();
  ASSERT_EQ(samples.size(), 1u);
  ASSERT_GE(samples[0].size(), 3u);
  EXPECT_EQ(samples[0][0].at, Seconds(0));
  EXPECT_EQ(samples[0][1].at, Seconds(1));
  EXPECT_EQ(samples[0][2].at, Seconds(2));
}

}  // namespace
}  // namespace mete
