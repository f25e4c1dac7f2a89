#include "agent/duration_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agent/live_metric.h"
#include "support/random.h"

namespace mete {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(DurationBounds, AreAscendingAndFineFromOneMillisecondToOneSecond) {
  const std::vector<double> bounds = *DefaultDurationBounds();
  EXPECT_EQ(bounds.size(), 57u);
  EXPECT_EQ(bounds.front(), 0.0001);
  EXPECT_EQ(bounds.back(), 10);
  for (size_t i = 1; i < bounds.size(); ++i) {
    ASSERT_GT(bounds[i], bounds[i - 1]);
    bool fine = bounds[i - 1] >= 0.001 && bounds[i] <= 1;
    EXPECT_LE(bounds[i] / bounds[i - 1], fine ? 1.2501 : 1.5001) << bounds[i];
  }
}

TEST(DurationBounds, ContainTheUsualOnesOfPrometheus) {
  const std::vector<double> bounds = *DefaultDurationBounds();
  for (double usual : {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                       0.25, 0.5, 1.0, 2.5, 5.0, 10.0}) {
    EXPECT_THAT(bounds, Contains(usual));
  }
}

// As histogram_quantile of Prometheus: linear within a bucket.
double HistogramQuantile(const LiveMetric& metric, double p) {
  double rank = p * metric.events();
  double below = 0;
  for (size_t i = 0; i < metric.bounds().size(); ++i) {
    double inside = static_cast<double>(metric.buckets()[i]);
    if (below + inside >= rank) {
      double start = i == 0 ? 0 : metric.bounds()[i - 1];
      return start + (metric.bounds()[i] - start) * (rank - below) / inside;
    }
    below += inside;
  }
  return metric.bounds().back();
}

TEST(DurationBounds, KeepQuantilesWithinAFactorOf1Point25) {
  // True p95 of 5.16 and 10.2 ms became 9.8 and 24.3 ms with two to three
  // bounds per factor of ten.
  for (double p95 : {0.00516, 0.0102, 0.048, 0.31}) {
    LiveMetric metric(AppMetricKind::kTimer);
    Random random(7);
    std::vector<double> values;
    for (int i = 0; i < 20'000; ++i) {
      // Log-normal with sigma 0.02: nearly all in one bucket.
      values.push_back(p95 * std::exp(0.02 * (random.Normal() - 1.6449)));
      metric.Take({.name = "step",
                   .kind = AppMetricKind::kTimer,
                   .value = values.back(),
                   .at = std::chrono::seconds(1)});
    }
    std::ranges::sort(values);
    double truth = values[static_cast<size_t>(0.95 * 20'000)];
    EXPECT_NEAR(HistogramQuantile(metric, 0.95) / truth, 1, 0.25) << p95;
  }
}

TEST(ParseDurationBounds, ReadsAListOfDurations) {
  EXPECT_THAT(**ParseDurationBounds("1ms,2.5ms,1s"),
              ElementsAre(0.001, 0.0025, 1));
}

TEST(ParseDurationBounds, ReadsARangeWithBoundsPerFactorOfTen) {
  const std::vector<double> bounds = **ParseDurationBounds("1ms:100ms:2");
  EXPECT_THAT(bounds, ElementsAre(0.001, DoubleNear(0.00316, 1e-5), 0.01,
                                  DoubleNear(0.0316, 1e-4), 0.1));
}

TEST(ParseDurationBounds, RefusesWhatIsNoHistogram) {
  auto complaint = [](const char* text) {
    auto bounds = ParseDurationBounds(text);
    return bounds.ok() ? "" : bounds.error().message();
  };
  EXPECT_THAT(complaint(""), HasSubstr("duration"));
  EXPECT_THAT(complaint("1ms,1ms"), HasSubstr("not above the bound before it"));
  EXPECT_THAT(complaint("0s,1s"), HasSubstr("not positive"));
  EXPECT_THAT(complaint("1ms:1s"), HasSubstr("1ms:10s:20"));
  EXPECT_THAT(complaint("1s:1ms:5"), HasSubstr("not above the start"));
  EXPECT_THAT(complaint("1ms:1s:0"), HasSubstr("0 bounds"));
  EXPECT_THAT(complaint("1ms:1s:100"), HasSubstr("more than 200"));
}

TEST(DurationBounds, HaveTheseSteps) {
  const std::vector<double> bounds = *DefaultDurationBounds();
  EXPECT_THAT(std::vector(bounds.begin(), bounds.begin() + 8),
              ElementsAre(1e-4, 1.5e-4, 2e-4, 3e-4, 4e-4, 5e-4, 6e-4, 8e-4));
  EXPECT_THAT(std::vector(bounds.begin() + 8, bounds.begin() + 21),
              ElementsAre(1e-3, 1.25e-3, 1.5e-3, 1.75e-3, 2e-3, 2.5e-3, 3e-3,
                          3.5e-3, 4e-3, 5e-3, 6e-3, 7e-3, 8e-3));
  EXPECT_THAT(std::vector(bounds.end() - 10, bounds.end()),
              ElementsAre(1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10));
}

TEST(ParseDurationBounds, ARangeHasAtLeastItsTwoEnds) {
  EXPECT_THAT(**ParseDurationBounds("1ms:1.1ms:1"), ElementsAre(0.001, 0.0011));
}

TEST(ParseDurationBounds, AllowsTwoHundredBounds) {
  EXPECT_EQ((*ParseDurationBounds("1ms:10ms:199"))->size(), 200u);
  EXPECT_EQ(ParseDurationBounds("1ms:10ms:200").error().message(),
            "201 bounds are more than 200");
  EXPECT_EQ(ParseDurationBounds("1ms:10ms:201").error().message(),
            "more than 200 bounds");
}

TEST(ParseDurationBounds, RefusesAnEmptyRangeAndAFourthPart) {
  EXPECT_EQ(ParseDurationBounds("1ms:1ms:5").error().message(),
            "the end is not above the start");
  EXPECT_THAT(ParseDurationBounds("1ms:1s:5:1").error().message(),
              HasSubstr("is not a list like"));
}

}  // namespace
}  // namespace mete
