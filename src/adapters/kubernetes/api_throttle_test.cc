#include <gtest/gtest.h>

#include "adapters/kubernetes/api_client.h"

namespace mete {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(ApiThrottle, AllowsABurstAndThenTheRate) {
  ApiThrottle throttle({.per_second = 10, .burst = 2}, 1);
  EXPECT_EQ(throttle.Take(seconds(5)), nanoseconds(0));
  EXPECT_EQ(throttle.Take(seconds(5)), nanoseconds(0));
  EXPECT_EQ(throttle.Take(seconds(5)), milliseconds(100));
  EXPECT_EQ(throttle.Take(seconds(5)), milliseconds(200));
  EXPECT_EQ(throttle.Take(seconds(6)), nanoseconds(0));
}

TEST(ApiThrottle, WaitsLongerEachTimeUpToALimit) {
  ApiThrottle throttle(
      {.first_wait = milliseconds(100), .longest_wait = seconds(1)}, 1);
  for (int attempt = 0; attempt < 12; ++attempt) {
    const auto whole =
        std::min<nanoseconds>(milliseconds(100) * (1 << attempt), seconds(1));
    const nanoseconds wait = throttle.Wait(attempt, std::nullopt);
    EXPECT_GE(wait, whole / 2);
    EXPECT_LE(wait, whole);
  }
}

TEST(ApiThrottle, WaitsAtLeastAsLongAsTheServerAsks) {
  ApiThrottle throttle({}, 1);
  EXPECT_GE(throttle.Wait(0, seconds(7)), seconds(7));
  EXPECT_LT(throttle.Wait(0, seconds(7)), seconds(8));
}

TEST(ApiError, FollowsFromTheStatusAndHasTheServersWords) {
  const char* body =
      R"({"kind":"Status","reason":"Forbidden","message":"no rights"})";
  Error denied = ApiError({.status = 403, .body = body}, "list pods");
  EXPECT_EQ(denied.code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(denied.message(), "list pods: no rights");
  EXPECT_EQ(ApiError({.status = 422}, "x").code(), ErrorCode::kInvalidInput);
  EXPECT_EQ(ApiError({.status = 404}, "x").code(), ErrorCode::kNotFound);
  EXPECT_EQ(ApiError({.status = 500}, "x").message(), "x: status 500");
}

}  // namespace
}  // namespace mete
