#include "reference_networks/resample.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace mete {
namespace {

std::vector<float> Wave(size_t length, double periods) {
  std::vector<float> wave(length);
  for (size_t n = 0; n < length; ++n) {
    wave[n] = static_cast<float>(
        1 + std::sin(2 * std::numbers::pi * periods * static_cast<double>(n) /
                     static_cast<double>(length)));
  }
  return wave;
}

// A wave of whole periods stays the same at any length, including primes.
TEST(Resampled, KeepsAWaveOfWholePeriods) {
  std::vector<float> wave = Wave(1024, 9);
  for (size_t length : {870u, 877u, 1023u, 1024u, 1025u, 1151u, 1176u}) {
    std::vector<float> expected = Wave(length, 9);
    std::vector<float> found = Resampled(wave, length);
    ASSERT_EQ(found.size(), length);
    for (size_t n = 0; n < length; ++n) {
      ASSERT_NEAR(found[n], expected[n], 1e-5) << length << " at " << n;
    }
  }
}

// scipy.signal.resample([1, 2, 0, -1, 3, 1], 4), …, 9) of scipy 1.10.
TEST(Resampled, MatchesScipy) {
  const std::vector<float> signal = {1, 2, 0, -1, 3, 1};
  EXPECT_THAT(
      Resampled(signal, 4),
      testing::Pointwise(testing::FloatNear(1e-5F),
                         {0.666667F, 1.422650F, -0.666667F, 2.577350F}));
  EXPECT_THAT(Resampled(signal, 9),
              testing::Pointwise(
                  testing::FloatNear(1e-5F),
                  {1.000000F, 1.936426F, 1.715143F, 0.000000F, -1.498865F,
                   0.380520F, 3.000000F, 2.062440F, 0.404337F}));
}

}  // namespace
}  // namespace mete
