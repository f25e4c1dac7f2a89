#include "load/load_summary.h"

#include <gtest/gtest.h>

#include "load/test_samples.h"

namespace mete {
namespace {

using std::chrono::milliseconds;

// `count` requests every 10 ms, answered after 1, 2, 3 … ms.
LoadSamples Ladder(size_t count) {
  LoadSamples samples{.name = "ladder",
                      .window = milliseconds(10) * count,
                      .arrivals = "constant 100/s"};
  for (size_t i = 0; i < count; ++i) {
    auto at = milliseconds(10) * i;
    // Neighbours are far apart, so that the series has no trend.
    auto took = milliseconds(1) * ((i * 37) % count + 1);
    samples.samples.push_back({.intended = at,
                               .dispatched = at,
                               .sent = at,
                               .received = at + took,
                               .fate = RequestFate::kAnswered,
                               .status = 200});
  }
  return samples;
}

TEST(LoadSummary, CountsHowRequestsEnded) {
  LoadSamples samples = Ladder(100);
  samples.samples[1].fate = RequestFate::kFailed;
  samples.samples[1].status = 503;
  samples.samples[2].fate = RequestFate::kFailed;
  samples.samples[2].status = 0;
  samples.samples[2].fault = HttpFault::kClosed;
  samples.samples[3].fate = RequestFate::kUnanswered;
  samples.samples[3].received.reset();
  samples.samples[99].fate = RequestFate::kNotSent;
  LoadSummary summary = SummarizeLoad(samples);
  EXPECT_EQ(summary.counts.planned, 100u);
  EXPECT_EQ(summary.counts.sent, 99u);
  EXPECT_EQ(summary.counts.answered, 96u);
  EXPECT_EQ(summary.counts.failed, 2u);
  EXPECT_EQ(summary.counts.rejected, 1u);
  EXPECT_EQ(summary.counts.unanswered, 1u);
  EXPECT_EQ(summary.sojourn.count, 97u);
  ASSERT_EQ(summary.notes.size(), 1u);
  EXPECT_EQ(summary.notes[0],
            "failed requests: connection closed (1), status 503 (1)");
}

TEST(LoadSummary, QuantilesHaveIntervals) {
  LoadSummary summary = SummarizeLoad(Ladder(101));
  const TimeQuantile& median = summary.sojourn.At(0.5);
  EXPECT_NEAR(median.value->count(), 0.051, 1e-9);
  EXPECT_LT(*median.low, *median.value);
  EXPECT_GT(*median.high, *median.value);
  EXPECT_EQ(summary.sojourn.max, Seconds(0.101));
  EXPECT_NEAR(summary.sojourn.mean->count(), 0.051, 1e-9);
  // p99 at 95 % needs 368 values.
  EXPECT_TRUE(summary.sojourn.At(0.99).value.has_value());
  EXPECT_FALSE(summary.sojourn.At(0.99).high.has_value());
}

// An unanswered request took longer than any that was answered. Leaving it out
// would make the service look faster the more it loses.
TEST(LoadSummary, UnansweredRequestsCountAsTheSlowest) {
  LoadSamples samples = Ladder(101);
  for (LoadSample& sample : samples.samples) {
    if (*sample.Sojourn() > Seconds(0.010)) continue;
    sample.fate = RequestFate::kUnanswered;  // the ten quickest
    sample.received.reset();
  }
  LoadSummary summary = SummarizeLoad(samples);
  EXPECT_EQ(summary.sojourn.count, 101u);
  EXPECT_NEAR(summary.sojourn.At(0.5).value->count(), 0.061, 1e-9);
  EXPECT_FALSE(summary.sojourn.At(0.95).value.has_value());
  EXPECT_FALSE(summary.sojourn.max.has_value());
  EXPECT_FALSE(summary.sojourn.mean.has_value());
}

TEST(LoadSummary, AchievedRateCountsAnswersWithinTheWindow) {
  LoadSamples samples = Ladder(100);
  samples.samples[99].received = samples.window + milliseconds(1);
  LoadSummary summary = SummarizeLoad(samples);
  EXPECT_DOUBLE_EQ(summary.offered_rate, 100);
  uint64_t late = 0;
  for (const auto& sample : samples.samples) {
    late += *sample.received > samples.window;
  }
  EXPECT_GT(late, 0u);
  EXPECT_DOUBLE_EQ(summary.achieved_rate, static_cast<double>(100 - late));
}

TEST(LoadSummary, SchedulingErrorIsTheLatenessOfTheGenerator) {
  LoadSamples samples = Ladder(101);
  for (size_t i = 0; i < 101; ++i) {
    samples.samples[i].dispatched += std::chrono::microseconds(i);
  }
  SchedulingError error = *SummarizeLoad(samples).scheduling;
  EXPECT_NEAR(error.p50.count(), 50e-6, 1e-9);
  EXPECT_NEAR(error.p99.count(), 99e-6, 1e-6);
  EXPECT_NEAR(error.max.count(), 100e-6, 1e-9);
}

TEST(LoadSummary, ServiceTimesStandBesideSojournTimes) {
  LoadSummary summary = SummarizeLoad(SimulateQueue({.utilization = 0.7}));
  ASSERT_TRUE(summary.service.has_value());
  EXPECT_NEAR(summary.service->At(0.5).value->count(), 1e-3, 1e-9);
  EXPECT_GT(*summary.sojourn.At(0.95).value,
            2.0 * *summary.service->At(0.95).value);
  // What remains is the time in the queue.
  EXPECT_NEAR((summary.sojourn.mean->count() - summary.service->mean->count()),
              summary.queueing->mean->count(), 1e-6);
  EXPECT_FALSE(SummarizeLoad(Ladder(10)).service.has_value());
}

TEST(LoadSummary, SaturatedWindowsHaveNoIntervals) {
  LoadSummary summary =
      SummarizeLoad(SimulateQueue({.utilization = 2, .requests = 1000}));
  EXPECT_TRUE(summary.saturation.saturated());
  EXPECT_TRUE(summary.sojourn.At(0.5).value.has_value());
  EXPECT_FALSE(summary.sojourn.At(0.5).low.has_value());
}

TEST(LoadSummary, NotesLateSendingAndWaitingForConnections) {
  LoadSamples samples = Ladder(100);
  for (LoadSample& sample : samples.samples) {
    sample.dispatched += milliseconds(20);
    *sample.sent += milliseconds(25);
  }
  LoadSummary summary = SummarizeLoad(samples);
  EXPECT_EQ(summary.counts.waited, 100u);
  ASSERT_EQ(summary.notes.size(), 2u);
  EXPECT_TRUE(summary.notes[0].starts_with("100 requests waited in mete"));
  EXPECT_TRUE(summary.notes[1].starts_with("mete was up to 20.0 ms late"));
}

TEST(LoadSummary, LoadWithoutAnswersHasNoQuantiles) {
  LoadSamples samples = Ladder(3);
  for (LoadSample& sample : samples.samples) {
    sample.fate = RequestFate::kNotSent;
  }
  LoadSummary summary = SummarizeLoad(samples);
  EXPECT_EQ(summary.sojourn.count, 0u);
  EXPECT_FALSE(summary.sojourn.At(0.5).value.has_value());
  EXPECT_FALSE(summary.scheduling.has_value());
}

}  // namespace
}  // namespace mete
