#include "series/find_periods.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random.h"

namespace mete {
namespace {

std::vector<double> Sine(size_t n, double period, double noise) {
  Random random(7);
  std::vector<double> series;
  for (size_t t = 0; t < n; ++t) {
    series.push_back(std::sin(2 * std::numbers::pi * static_cast<double>(t) / period) +
                     noise * random.Normal());
  }
  return series;
}

TEST(FindPeriods, FindsASine) {
  auto periods = FindPeriods(Sine(120, 20, 0.2));
  ASSERT_FALSE(periods.empty());
  EXPECT_NEAR(periods[0].length, 20, 0.2);
}

}  // namespace
}  // namespace mete
