#include "load/rate_objective.h"

#include <gtest/gtest.h>

#include "load/test_samples.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

// `count` requests every 10 ms; every tenth takes 30 ms, the others 10 ms.
LoadSamples TwoSpeeds(size_t count) {
  LoadSamples samples{.window = milliseconds(10) * count};
  for (size_t i = 0; i < count; ++i) {
    auto at = milliseconds(10) * i;
    samples.samples.push_back(
        {.intended = at,
         .dispatched = at,
         .received = at + milliseconds(i % 10 == 0 ? 30 : 10),
         .fate = RequestFate::kAnswered,
         .status = 200});
  }
  return samples;
}

ObjectiveVerdict Judge(const char* objective, const LoadSamples& samples) {
  return CheckObjective(*ParseRateObjective(objective), {&samples, 1}, 0.95)
      .verdict;
}

TEST(RateObjective, ReadsQuantileAndBound) {
  RateObjective objective = *ParseRateObjective("p99.9=1.5s");
  EXPECT_DOUBLE_EQ(objective.p, 0.999);
  EXPECT_EQ(objective.bound, Seconds(1.5));
  for (const char* wrong : {"", "p95", "95=1s", "p0=1s", "p100=1s", "p95=0s",
                            "p95=50", "px=1s", "p95=1s,p99=2s"}) {
    EXPECT_FALSE(ParseRateObjective(wrong).ok()) << wrong;
  }
}

TEST(RateObjective, IsDecidedByTheWholeInterval) {
  LoadSamples samples = TwoSpeeds(400);
  EXPECT_EQ(Judge("p50=10ms", samples), ObjectiveVerdict::kKept);
  EXPECT_EQ(Judge("p50=9ms", samples), ObjectiveVerdict::kViolated);
  EXPECT_EQ(Judge("p99=29ms", samples), ObjectiveVerdict::kViolated);
  EXPECT_EQ(Judge("p99=30ms", samples), ObjectiveVerdict::kKept);
  // The jump from 10 to 30 ms is exactly here.
  EXPECT_EQ(Judge("p90=20ms", samples), ObjectiveVerdict::kUndecided);
}

TEST(RateObjective, CannotBeKeptByTooFewRequests) {
  EXPECT_EQ(Judge("p99=1s", TwoSpeeds(100)), ObjectiveVerdict::kUndecided);
  EXPECT_EQ(Judge("p99=1s", {}), ObjectiveVerdict::kUndecided);
  LoadSamples part = TwoSpeeds(100);
  std::vector<LoadSamples> four(4, part);
  EXPECT_EQ(CheckObjective(*ParseRateObjective("p99=1s"), four, 0.95).verdict,
            ObjectiveVerdict::kKept);
}

// Otherwise a service could keep its objective by failing.
TEST(RateObjective, FailedAndUnansweredRequestsAreTooSlow) {
  for (RequestFate fate : {RequestFate::kFailed, RequestFate::kUnanswered}) {
    LoadSamples samples = TwoSpeeds(400);
    for (size_t i = 0; i < 400; i += 8) {
      samples.samples[i].fate = fate;
      samples.samples[i].status = fate == RequestFate::kFailed ? 500 : 0;
    }
    EXPECT_EQ(Judge("p95=1s", samples), ObjectiveVerdict::kViolated);
  }
}

TEST(RateObjective, SaturatedServiceViolatesIt) {
  LoadSamples samples = SimulateQueue({.utilization = 1.5, .requests = 1000});
  EXPECT_EQ(Judge("p95=1h", samples), ObjectiveVerdict::kViolated);
}

}  // namespace
}  // namespace mete
