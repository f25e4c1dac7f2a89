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

// Evaluated from the definition by another program.
TEST(AutocorrelationTime, FollowsItsDefinition) {
  std::vector<double> series;
  for (int i = 0; i < 150; ++i) series.push_back(i * i / 7 % 10);
  AutocorrelationTime found = IndicatorAutocorrelationTime(series, 4);
  EXPECT_NEAR(found.tau, 1.8864391863844, 1e-9);
  EXPECT_NEAR(found.degrees, 13.636363636364, 1e-9);
  series.clear();
  for (int i = 0; i < 200; ++i) series.push_back((i / 9 * 5 + i / 40) % 8);
  found = IndicatorAutocorrelationTime(series, 3);
  EXPECT_NEAR(found.tau, 5.9789943609023, 1e-9);
  EXPECT_NEAR(found.degrees, 18.181818181818, 1e-9);
}

TEST(AutocorrelationTime, FollowsItsDefinitionOnBlocks) {
  std::vector<double> series;
  for (int i = 0; i < 20'000; ++i) series.push_back(i / 50 * 31 % 7);
  AutocorrelationTime found = IndicatorAutocorrelationTime(series, 2);
  EXPECT_NEAR(found.tau, 28.675200337946, 1e-6);
  EXPECT_NEAR(found.degrees, 350.84210526316, 1e-6);
}

TEST(AutocorrelationTime, OfALongConstantIsOne) {
  const std::vector<double> series(10'000, 2.0);
  for (double threshold : {1.0, 2.0}) {
    AutocorrelationTime found = IndicatorAutocorrelationTime(series, threshold);
    EXPECT_EQ(found.tau, 1);
    EXPECT_EQ(found.degrees, 5000);  // blocks of two
  }
}

TEST(AutocorrelationTime, HasAsManyDegreesAsIndependentValues) {
  std::vector<double> series;
  for (int i = 0; i < 100; ++i) series.push_back(i % 2);
  EXPECT_EQ(IndicatorAutocorrelationTime(series, 0.5).degrees, 100);
  EXPECT_EQ(IndicatorAutocorrelationTime({}, 0.5).degrees, 1);
  EXPECT_EQ(IndicatorAutocorrelationTime(std::vector(7, 1.0), 1).degrees, 7);
}

// Every block of two has the share 0.5, so that the shares do not vary.
TEST(AutocorrelationTime, OfALongAlternatingSeriesIsOne) {
  std::vector<double> series;
  for (int i = 0; i < 10'000; ++i) series.push_back(i % 2);
  AutocorrelationTime found = IndicatorAutocorrelationTime(series, 0.5);
  EXPECT_EQ(found.tau, 1);
  EXPECT_EQ(found.degrees, 5000);
}

TEST(AutocorrelationTime, UsesBlocksFrom8193ValuesOn) {
  EXPECT_EQ(IndicatorAutocorrelationTime(std::vector(8192, 2.0), 2).degrees,
            8192);
  EXPECT_EQ(IndicatorAutocorrelationTime(std::vector(8193, 2.0), 2).degrees,
            4096);
}

}  // namespace
}  // namespace mete
