#include "net/request_limiter.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RequestLimiter, AllowsABurstAndThenTheRate) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 2, .burst = 3}, clock);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(limiter.Wait("a")) << i;
  EXPECT_EQ(limiter.Wait("a"), seconds(1));
  clock.Advance(milliseconds(500));
  EXPECT_FALSE(limiter.Wait("a"));
  EXPECT_TRUE(limiter.Wait("a"));
}

TEST(RequestLimiter, APauseFillsNoMoreThanTheBurst) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 2, .burst = 3}, clock);
  EXPECT_FALSE(limiter.Wait("a"));
  clock.Advance(seconds(3600));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(limiter.Wait("a")) << i;
  EXPECT_TRUE(limiter.Wait("a"));
}

TEST(RequestLimiter, SaysHowLongToWait) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 0.1, .burst = 1}, clock);
  EXPECT_FALSE(limiter.Wait("a"));
  EXPECT_EQ(limiter.Wait("a"), seconds(10));
  clock.Advance(seconds(4));
  EXPECT_EQ(limiter.Wait("a"), seconds(6));
}

TEST(RequestLimiter, AnAddressDoesNotAffectAnother) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 1, .burst = 1}, clock);
  EXPECT_FALSE(limiter.Wait("a"));
  EXPECT_TRUE(limiter.Wait("a"));
  EXPECT_FALSE(limiter.Wait("b"));
}

TEST(RequestLimiter, NeitherUnixSocketsNorARateOfZeroAreLimited) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 1, .burst = 1}, clock);
  RequestLimiter none({}, clock);
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(limiter.Wait(""));
    EXPECT_FALSE(none.Wait("a"));
  }
}

TEST(RequestLimiter, ForgetsTheAddressThatIsSilentForLongest) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 1, .burst = 1}, clock);
  EXPECT_FALSE(limiter.Wait("busy"));
  for (size_t i = 0; i < 2 * RequestLimiter::kMostAddresses; ++i) {
    EXPECT_FALSE(limiter.Wait(std::to_string(i)));
    EXPECT_TRUE(limiter.Wait("busy"));
  }
  EXPECT_EQ(limiter.addresses(), RequestLimiter::kMostAddresses);
}

TEST(RequestLimiter, ABurstIsAtLeastOneRequest) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 1, .burst = 0.1}, clock);
  EXPECT_FALSE(limiter.Wait("a"));
  EXPECT_EQ(limiter.Wait("a"), seconds(1));
  clock.Advance(seconds(1));
  EXPECT_FALSE(limiter.Wait("a"));
}

TEST(RequestLimiter, RoundsTheWaitUp) {
  FakeClock clock;
  RequestLimiter limiter({.per_second = 0.4, .burst = 1}, clock);
  EXPECT_FALSE(limiter.Wait("a"));
  EXPECT_EQ(limiter.Wait("a"), seconds(3));  // 2.5 s
}

}  // namespace
}  // namespace mete
