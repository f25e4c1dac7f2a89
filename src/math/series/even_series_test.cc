#include "series/even_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "series/decaying_histogram.h"
#include "series/spectrum.h"
#include "series/test_waves.h"

namespace mete {
namespace {

TEST(MakeEven, KeepsGapsAndAveragesASlot) {
  const std::vector<double> times = {50, 10, 20, 20, 40};
  const std::vector<double> values = {5, 1, 2, 4, NAN};
  const EvenSeries even = MakeEven(times, values, 10).value();
  ASSERT_EQ(even.values.size(), 5u);
  EXPECT_EQ(even.start, 10);
  EXPECT_EQ(even.values[1], 3);
  EXPECT_TRUE(std::isnan(even.values[2]));
  EXPECT_TRUE(std::isnan(even.values[3]));
  EXPECT_EQ(even.values[4], 5);
}

TEST(MakeEven, TheStepIsTheMedianDistance) {
  const std::vector<double> times = {0, 10, 20, 30, 100};
  const std::vector<double> values(5, 1.0);
  EXPECT_EQ(MakeEven(times, values, 0)->step, 10);
  EXPECT_TRUE(MakeEven({}, {}, 0)->values.empty());
}

TEST(PowerSpectrum, HasItsMaximumAtTheFrequency) {
  const auto series = NoisySine(1000, 50, 0);
  const Spectrum spectrum = PowerSpectrum(series);
  const auto peak = static_cast<double>(
      std::ranges::max_element(spectrum.power) - spectrum.power.begin());
  EXPECT_NEAR(static_cast<double>(spectrum.padded) / peak, 50, 1);
  const auto correlation = Autocorrelation(spectrum);
  EXPECT_DOUBLE_EQ(correlation[0], 1);
  EXPECT_NEAR(correlation[50], 0.95, 0.01);
  EXPECT_TRUE(
      Autocorrelation(PowerSpectrum(std::vector<double>(10, 0.0))).empty());
}

TEST(DecayingHistogram, NewValuesCountMore) {
  DecayingHistogram histogram(0.01, 100);
  EXPECT_TRUE(histogram.empty());
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  for (int i = 0; i < 100; ++i) histogram.Add(8, i);
  for (int i = 1000; i < 1100; ++i) histogram.Add(1, i);
  EXPECT_NEAR(histogram.Quantile(0.9), 1, 0.06);
  EXPECT_NEAR(histogram.Quantile(1), 8, 0.5);
  histogram.Add(5, 1e9);  // everything before has faded
  EXPECT_NEAR(histogram.Quantile(0.01), 5, 0.3);
}

}  // namespace
}  // namespace mete
