#include "load/arrival_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mete {
namespace {

using std::chrono::milliseconds;

std::vector<double> GapsOf(const ArrivalSchedule& schedule) {
  std::vector<double> gaps;
  for (size_t i = 1; i < schedule.times.size(); ++i) {
    gaps.push_back(Seconds(schedule.times[i] - schedule.times[i - 1]).count());
  }
  return gaps;
}

TEST(ArrivalSchedule, ConstantArrivalsHaveEqualGapsFromZero) {
  auto schedule = ConstantArrivals({.rate = 4, .window = Seconds(1)});
  ASSERT_TRUE(schedule.ok());
  EXPECT_EQ(schedule->times, (std::vector<std::chrono::nanoseconds>{
                                 milliseconds(0), milliseconds(250),
                                 milliseconds(500), milliseconds(750)}));
  EXPECT_EQ(schedule->window, std::chrono::seconds(1));
  EXPECT_EQ(schedule->origin, "constant 4/s");
  EXPECT_DOUBLE_EQ(schedule->rate(), 4);
}

TEST(ArrivalSchedule, PoissonArrivalsRepeatWithTheSameSeedOnly) {
  ArrivalRequest request{.rate = 100, .window = Seconds(10), .seed = 7};
  auto once = PoissonArrivals(request);
  auto again = PoissonArrivals(request);
  request.seed = 8;
  auto other = PoissonArrivals(request);
  EXPECT_EQ(once->times, again->times);
  EXPECT_NE(once->times, other->times);
  EXPECT_EQ(once->origin, "poisson 100/s, seed 7");
}

// A longer window continues the same stream, so a load can be prolonged.
TEST(ArrivalSchedule, ShorterWindowIsThePrefixOfALongerOne) {
  auto whole = PoissonArrivals({.rate = 50, .window = Seconds(10)});
  auto half = PoissonArrivals({.rate = 50, .window = Seconds(5)});
  ASSERT_LT(half->times.size(), whole->times.size());
  EXPECT_TRUE(
      std::equal(half->times.begin(), half->times.end(), whole->times.begin()));
  EXPECT_GE(whole->times[half->times.size()], std::chrono::seconds(5));
}

// An exponential gap has the mean 1/rate, a standard deviation equal to it,
// and exceeds it with probability 1/e.
TEST(ArrivalSchedule, PoissonGapsAreExponential) {
  auto schedule = PoissonArrivals({.rate = 1000, .window = Seconds(100)});
  std::vector<double> gaps = GapsOf(*schedule);
  double count = static_cast<double>(gaps.size());
  EXPECT_NEAR(count, 1e5, 5 * std::sqrt(1e5));
  double sum = 0;
  double squares = 0;
  for (double gap : gaps) {
    sum += gap;
    squares += gap * gap;
  }
  double mean = sum / count;
  EXPECT_NEAR(mean, 1e-3, 2e-5);
  EXPECT_NEAR(std::sqrt(squares / count - mean * mean), mean, 2e-5);
  auto longer = std::count_if(gaps.begin(), gaps.end(),
                              [](double gap) { return gap > 1e-3; });
  EXPECT_NEAR(static_cast<double>(longer) / count, std::exp(-1), 0.01);
}

TEST(ArrivalSchedule, RefusesRatesAndWindowsThatAreNotPositive) {
  for (double rate : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_FALSE(PoissonArrivals({.rate = rate, .window = Seconds(1)}).ok());
    EXPECT_FALSE(ConstantArrivals({.rate = rate, .window = Seconds(1)}).ok());
  }
  for (double window : {0.0, -1.0, 1e-12, 1e15, std::nan("")}) {
    EXPECT_FALSE(PoissonArrivals({.rate = 1, .window = Seconds(window)}).ok());
  }
}

TEST(ArrivalSchedule, RefusesMoreRequestsThanItCanRecord) {
  auto schedule = ConstantArrivals({.rate = 1e9, .window = Seconds(3600)});
  ASSERT_FALSE(schedule.ok());
  EXPECT_EQ(schedule.error().code(), ErrorCode::kInvalidInput);
  EXPECT_NE(schedule.error().message().find("at most 50,000,000"),
            std::string::npos);
}

}  // namespace
}  // namespace mete
