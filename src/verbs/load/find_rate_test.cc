#include "load/find_rate.h"

#include <gtest/gtest.h>

#include "load/test_samples.h"

namespace mete {
namespace {

// A single server with exponential service times of 1 ms, loaded for `window`.
// In equilibrium its sojourn times are exponential with the mean
// 1 / (1000/s - rate).
MeasureRate ExponentialServer(Seconds window, uint64_t seed) {
  return [=](double rate, size_t number) -> Result<LoadSamples> {
    return SimulateQueue(
        {.utilization = rate / 1000,
         .requests = static_cast<size_t>(rate * window.count()),
         .exponential = true,
         .seed = DeriveSeed(seed, std::to_string(rate)) + number});
  };
}

FindRateRequest For(const char* objective) {
  return {.objective = *ParseRateObjective(objective), .window = Seconds(20)};
}

// p95 = ln 20 / (1000 - rate) = 10 ms at 700.4/s.
TEST(FindRate, IntervalContainsTheTrueRate) {
  constexpr double kTrueRate = 700.4;
  int hits = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    auto found = FindRate(For("p95=10ms"), ExponentialServer(Seconds(4), seed),
                          nullptr, {});
    ASSERT_TRUE(found.ok());
    ASSERT_TRUE(found->kept && found->violated) << ToString(found->end);
    hits += *found->kept <= kTrueRate && *found->violated >= kTrueRate;
    // Undecided rates near the true one may keep it wider than requested.
    EXPECT_LT(*found->violated / *found->kept, 2);
  }
  EXPECT_EQ(hits, 10);
}

TEST(FindRate, NarrowsTheIntervalAsRequested) {
  // Constant service times: 1 ms until 1000/s, beyond that saturated.
  MeasureRate steps = [](double rate, size_t) -> Result<LoadSamples> {
    return SimulateQueue(
        {.utilization = rate > 300 ? 2.0 : 0.01, .requests = 2000});
  };
  FindRateRequest request = For("p95=1s");
  request.precision = 0.01;
  FoundRate found = *FindRate(request, steps, nullptr, {});
  EXPECT_EQ(found.end, SearchEnd::kFound);
  EXPECT_LE(*found.kept, 300);
  EXPECT_GT(*found.violated, 300);
  EXPECT_LE(*found.violated, *found.kept * 1.01);
}

TEST(FindRate, SaysWhenNoRateKeepsTheObjective) {
  FoundRate found =
      *FindRate(For("p95=1ms"), ExponentialServer(Seconds(20), 1), nullptr, {});
  EXPECT_EQ(found.end, SearchEnd::kNeverKept);
  EXPECT_FALSE(found.kept.has_value());
  // 10, 5, 2.5 and 1.25/s: below 1/s a window has fewer than 20 requests.
  EXPECT_EQ(found.trials.size(), 4u);
}

TEST(FindRate, SaysWhenThereAreTooFewRequestsToJudge) {
  MeasureRate few = [](double, size_t) -> Result<LoadSamples> {
    return SimulateQueue({.utilization = 0.1, .requests = 5});
  };
  FindRateRequest request = For("p99=1s");
  request.most_windows = 400;
  MeasureRate until = [&](double rate, size_t number) -> Result<LoadSamples> {
    if (rate > 1000) return Unavailable("fast enough");
    return few(rate, number);
  };
  EXPECT_FALSE(FindRate(request, until, nullptr, {}).ok());
  request.most_windows = 8;
  FoundRate found = *FindRate(request, few, nullptr, {});
  EXPECT_EQ(found.end, SearchEnd::kOutOfWindows);
  EXPECT_FALSE(found.kept.has_value());
}

TEST(FindRate, StopsWhereTheGeneratorCannotFollow) {
  MeasureRate late = [](double rate, size_t) -> Result<LoadSamples> {
    LoadSamples samples =
        SimulateQueue({.utilization = 0.01, .requests = 2000});
    if (rate < 100) return samples;
    for (size_t i = 0; i < samples.samples.size(); ++i) {
      auto by = std::chrono::milliseconds(20) * i;
      samples.samples[i].dispatched += by;
      *samples.samples[i].received += by;
    }
    return samples;
  };
  FoundRate found = *FindRate(For("p95=50ms"), late, nullptr, {});
  EXPECT_EQ(found.end, SearchEnd::kGenerator);
  EXPECT_EQ(found.kept, 80);
  EXPECT_FALSE(found.violated.has_value());
}

TEST(FindRate, InterruptionKeepsWhatIsKnown) {
  std::stop_source stop;
  size_t windows = 0;
  auto on_trial = [&](const RateTrial&) {
    if (++windows == 3) stop.request_stop();
  };
  FoundRate found =
      *FindRate(For("p95=10ms"), ExponentialServer(Seconds(20), 1), on_trial,
                stop.get_token());
  EXPECT_EQ(found.end, SearchEnd::kInterrupted);
  EXPECT_EQ(found.trials.size(), 3u);
  EXPECT_EQ(found.kept, 40);
}

TEST(FindRate, FailsWhenAMeasurementFails) {
  auto found = FindRate(For("p95=10ms"),
                        [](double, size_t) -> Result<LoadSamples> {
                          return Unavailable("connection refused");
                        },
                        nullptr, {});
  EXPECT_EQ(found.error().message(), "connection refused");
}

}  // namespace
}  // namespace mete
