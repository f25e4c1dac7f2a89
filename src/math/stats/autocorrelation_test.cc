#include "stats/autocorrelation.h"

#include <gtest/gtest.h>

#include "stats/test_series.h"

namespace mete {
namespace {

TEST(AutocorrelationTime, IsOneForNoneOneAndConstantValues) {
  EXPECT_EQ(IndicatorAutocorrelationTime({}, 1).tau, 1);
  EXPECT_EQ(IndicatorAutocorrelationTime(std::vector{1.0}, 1).tau, 1);
  EXPECT_EQ(IndicatorAutocorrelationTime(std::vector(100, 2.0), 2).tau, 1);
}

TEST(AutocorrelationTime, IsNearlyOneForIndependentValues) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    auto series = LogNormalSeries({}, seed).Take(500);
    sum += IndicatorAutocorrelationTime(series, 0.01).tau;
  }
  EXPECT_LT(sum / 200, 1.1);
}

// Arcsine law for a Gaussian AR(1) cut at its median: rho(k) = (2/pi)
// asin(phi^k), so tau = 1 + 2 sum rho(k) = 2.98 for phi = 0.6.
TEST(AutocorrelationTime, AgreesWithTheArcsineLaw) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    auto series = LogNormalSeries({.phi = 0.6}, seed).Take(2000);
    sum += IndicatorAutocorrelationTime(series, 0.01).tau;
  }
  EXPECT_NEAR(sum / 100, 2.98, 0.15);
}

// Beyond 8192 values, blocks replace values.
TEST(AutocorrelationTime, AgreesWithTheArcsineLawOnALongSeries) {
  auto series = LogNormalSeries({.phi = 0.6}, 1).Take(200'000);
  EXPECT_NEAR(IndicatorAutocorrelationTime(series, 0.01).tau, 2.98, 0.15);
  auto independent = LogNormalSeries({}, 2).Take(200'000);
  EXPECT_NEAR(IndicatorAutocorrelationTime(independent, 0.01).tau, 1, 0.1);
}

TEST(AutocorrelationTime, IsOneForAlternatingValues) {
  std::vector<double> series;
  for (int i = 0; i < 100; ++i) series.push_back(i % 2);
  EXPECT_EQ(IndicatorAutocorrelationTime(series, 0.5).tau, 1);
}

TEST(AutocorrelationTime, GrowsToTheLengthOfBlocks) {
  std::vector<double> series;
  for (int i = 0; i < 6400; ++i) series.push_back((i / 64) * 7919 % 2);
  EXPECT_GE(IndicatorAutocorrelationTime(series, 0.5).tau, 20);
}

}  // namespace
}  // namespace mete
