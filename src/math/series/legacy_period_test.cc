#include "series/legacy_period.h"

#include <gtest/gtest.h>

#include "series/test_waves.h"

namespace mete {
namespace {

TEST(LegacyPeriod, FindsNarrowPulses) {
  EXPECT_EQ(FindLegacyPeriod(PulseTrain(120, 10, 1)), 10);
}

TEST(LegacyPeriod, NeverFindsASine) {
  for (double period : {6.0, 12.0, 24.0}) {
    EXPECT_FALSE(FindLegacyPeriod(NoisySine(120, period, 0)));
  }
}

TEST(LegacyPeriod, TakesMemoryForAPeriodOfOne) {
  int found = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    double value = 10;
    const auto period = FindLegacyPeriod(SeriesFrom(
        120, [&](double) { return value = 0.9 * value + random.Normal(); }));
    found += period == 1 ? 1 : 0;
  }
  EXPECT_GT(found, 50);
}

TEST(LegacyPeriod, ShortConstantAndIdleSeriesHaveNone) {
  EXPECT_FALSE(FindLegacyPeriod({}));
  EXPECT_FALSE(FindLegacyPeriod(PulseTrain(5, 2, 1)));
  EXPECT_FALSE(FindLegacyPeriod(std::vector<double>(120, 5.0)));
  EXPECT_FALSE(FindLegacyPeriod(std::vector<double>(120, 0.0)));
}

}  // namespace
}  // namespace mete
