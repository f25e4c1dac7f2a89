#include "collect/micro_measurements.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

// 100 ms at full speed, in which every fourth inference is kept waiting.
std::vector<double> WithWaits() {
  std::vector<double> samples;
  for (int i = 0; i < 100; ++i) {
    samples.push_back(i % 4 == 3 ? 0.021 : 0.001);
  }
  return samples;
}

// A quota makes an inference wait, and the device is slow for that reason.
TEST(TypicalSeconds, IncludesTheWaitsOfTheDevice) {
  EXPECT_NEAR(TypicalSeconds(WithWaits(), 0), 0.006, 0.001);
  EXPECT_NEAR(TypicalSeconds(WithWaits(), 0.2), 0.006, 0.001);
}

// Programs that run by chance must not become a property of the device.
TEST(TypicalSeconds, LeavesOutTheWaitsForOtherPrograms) {
  EXPECT_DOUBLE_EQ(TypicalSeconds(WithWaits(), 0.5), 0.001);
}

TEST(TypicalSeconds, OfFewInferencesIsTheirMean) {
  EXPECT_DOUBLE_EQ(TypicalSeconds({0.01, 0.03}, 0), 0.02);
}

}  // namespace
}  // namespace mete
