#include "adapters/host/speed.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

SpeedRequest Short(int threads) {
  return {.threads = threads,
          .array = Kibibytes(256),
          .trial = Seconds(0.005),
          .trials = 2};
}

TEST(Speed, CountsOperationsInAPlausibleRange) {
  SystemClock clock;
  auto rate = MeasureOperations(Short(2), clock);
  ASSERT_TRUE(rate.ok());
  // The slowest board reaches tens of millions. No two cores reach 100 tera,
  // which is what work that the compiler removed would look like.
  EXPECT_GT(*rate, 1e7);
  EXPECT_LT(*rate, 1e14);
}

TEST(Speed, CountsBytesInAPlausibleRange) {
  SystemClock clock;
  auto rate = MeasureBandwidth(Short(2), clock);
  ASSERT_TRUE(rate.ok());
  EXPECT_GT(*rate, 1e7);
  EXPECT_LT(*rate, 1e13);
}

TEST(Speed, FailsWhenThereIsNotEnoughMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers abort on an impossible allocation";
#endif
  SystemClock clock;
  SpeedRequest request = Short(2);
  // More than any address space.
  request.array = Bytes{uint64_t{1} << 61};
  auto rate = MeasureBandwidth(request, clock);
  ASSERT_FALSE(rate.ok());
  EXPECT_EQ(rate.error().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace mete
