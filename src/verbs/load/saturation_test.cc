#include "load/saturation.h"

#include <gtest/gtest.h>

#include <functional>

#include "load/test_samples.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// The share of simulated windows that count as saturated.
double SaturatedShare(SimulatedQueue queue, int windows = 200) {
  int saturated = 0;
  for (int i = 0; i < windows; ++i) {
    queue.seed = static_cast<uint64_t>(i);
    saturated += JudgeSaturation(SimulateQueue(queue)).saturated();
  }
  return static_cast<double>(saturated) / windows;
}

// Requests every 10 ms for a second, each changed by `change`.
LoadSamples SteadyLoad(const std::function<void(size_t, LoadSample&)>& change) {
  LoadSamples samples{.name = "steady", .window = milliseconds(1000)};
  for (size_t i = 0; i < 100; ++i) {
    nanoseconds at = milliseconds(10) * i;
    LoadSample sample{.intended = at,
                      .dispatched = at,
                      .sent = at,
                      .received = at + milliseconds(5),
                      .fate = RequestFate::kAnswered,
                      .status = 200};
    change(i, sample);
    samples.samples.push_back(sample);
  }
  return samples;
}

TEST(Saturation, StableQueuesAreNotSaturated) {
  for (bool exponential : {false, true}) {
    EXPECT_LE(
        SaturatedShare(
            {.utilization = 0.5, .requests = 300, .exponential = exponential}),
        0.006);
    EXPECT_LE(
        SaturatedShare(
            {.utilization = 0.8, .requests = 300, .exponential = exponential}),
        0.03);
    EXPECT_LE(
        SaturatedShare(
            {.utilization = 0.8, .requests = 3000, .exponential = exponential},
            100),
        0.01);
  }
}

TEST(Saturation, OverloadedQueuesAre) {
  for (bool exponential : {false, true}) {
    EXPECT_GE(
        SaturatedShare(
            {.utilization = 1.5, .requests = 300, .exponential = exponential}),
        0.95);
    EXPECT_GE(
        SaturatedShare(
            {.utilization = 1.2, .requests = 1000, .exponential = exponential}),
        0.9);
    EXPECT_GE(
        SaturatedShare(
            {.utilization = 1.1, .requests = 10000, .exponential = exponential},
            50),
        0.95);
  }
}

TEST(Saturation, NamesTheGrowthWithNumbers) {
  // Slow growth: 2 ms per request that comes every 10 ms, rho = 1.2.
  LoadSamples samples = SteadyLoad([](size_t i, LoadSample& sample) {
    *sample.received += milliseconds(2) * i;
  });
  SaturationVerdict verdict = JudgeSaturation(samples);
  EXPECT_EQ(verdict.sign, SaturationSign::kGrowing);
  EXPECT_EQ(verdict.explanation,
            "sojourn times grew through the window: the median was 79.0 ms in "
            "its second quarter and 179 ms in its last");
}

TEST(Saturation, SlowButSteadyServicesKeepUp) {
  // Half of all requests are on their way at any time.
  LoadSamples samples = SteadyLoad([](size_t, LoadSample& sample) {
    *sample.received += milliseconds(400);
  });
  EXPECT_EQ(JudgeSaturation(samples).sign, SaturationSign::kNone);
}

TEST(Saturation, RequestsThatPileUpAreABacklog) {
  LoadSamples samples = SteadyLoad([](size_t i, LoadSample& sample) {
    if (i < 50) return;
    sample.received.reset();
    sample.fate = RequestFate::kUnanswered;
  });
  SaturationVerdict verdict = JudgeSaturation(samples);
  EXPECT_EQ(verdict.sign, SaturationSign::kBacklog);
  EXPECT_EQ(verdict.explanation,
            "50 requests waited for an answer at the end of the window, 1 in "
            "its middle");
}

TEST(Saturation, FewRejectedOrUnansweredRequestsAreNoSign) {
  auto lose = [](size_t count, RequestFate fate) {
    return SteadyLoad([=](size_t i, LoadSample& sample) {
      if (i < 20 || i >= 20 + count) return;
      sample.fate = fate;
      sample.status = fate == RequestFate::kFailed ? 503 : 0;
      if (fate == RequestFate::kUnanswered) sample.received.reset();
    });
  };
  EXPECT_EQ(JudgeSaturation(lose(1, RequestFate::kFailed)).sign,
            SaturationSign::kNone);
  EXPECT_EQ(JudgeSaturation(lose(2, RequestFate::kFailed)).sign,
            SaturationSign::kRejected);
  EXPECT_EQ(JudgeSaturation(lose(1, RequestFate::kUnanswered)).sign,
            SaturationSign::kNone);
  EXPECT_EQ(JudgeSaturation(lose(2, RequestFate::kUnanswered)).sign,
            SaturationSign::kUnanswered);
  // Nobody waited for them.
  LoadSamples interrupted = lose(2, RequestFate::kUnanswered);
  interrupted.interrupted = true;
  EXPECT_EQ(JudgeSaturation(interrupted).sign, SaturationSign::kNone);
}

TEST(Saturation, LateGeneratorIsNotBlamedOnTheService) {
  LoadSamples samples = SteadyLoad([](size_t i, LoadSample& sample) {
    nanoseconds late = milliseconds(2) * i;
    sample.dispatched += late;
    *sample.sent += late;
    *sample.received += late;
  });
  EXPECT_EQ(JudgeSaturation(samples).sign, SaturationSign::kGenerator);
}

TEST(Saturation, NothingToJudgeIsNoSaturation) {
  EXPECT_FALSE(JudgeSaturation({}).saturated());
  LoadSamples one = SteadyLoad([](size_t, LoadSample&) {});
  one.samples.resize(1);
  EXPECT_FALSE(JudgeSaturation(one).saturated());
}

}  // namespace
}  // namespace mete
