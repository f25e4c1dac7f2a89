#include "predict/predictor_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace mete {
namespace {

TEST(PredictorCache, LoadsNewlyTrainedPredictorsAndKeepsThem) {
  SystemClock clock;
  std::atomic<bool> trained = false;
  PredictorCache predictors(
      [&]() -> Result<PredictorSet> {
        if (!trained) return Unavailable("no predictor yet");
        return PredictorSet{.bundled = true};
      },
      clock);
  EXPECT_EQ(predictors.Get().error().message(), "no predictor yet");
  trained = true;
  predictors.Refresh();
  ASSERT_TRUE(predictors.Get().ok());
  EXPECT_TRUE((*predictors.Get())->bundled);
  trained = false;
  predictors.Refresh();
  EXPECT_TRUE(predictors.Get().ok());
}

TEST(PredictorCache, ReportsTheLatestReason) {
  SystemClock clock;
  int reads = 0;
  PredictorCache predictors(
      [&]() -> Result<PredictorSet> {
        return Unavailable("failure " + std::to_string(++reads));
      },
      clock);
  EXPECT_EQ(predictors.Get().error().message(), "failure 1");
  predictors.Refresh();
  EXPECT_EQ(predictors.Get().error().message(), "failure 2");
}

// Remembers for how long somebody wanted to sleep, and sleeps until the end.
class NotingClock final : public Clock {
 public:
  std::chrono::nanoseconds Now() const override { return clock_.Now(); }
  std::chrono::system_clock::time_point Wall() const override {
    return clock_.Wall();
  }
  Seconds ProcessCpu() const override { return clock_.ProcessCpu(); }
  bool SleepFor(std::chrono::nanoseconds wait, std::stop_token stop) override {
    noted_ = wait;
    return clock_.SleepFor(std::chrono::hours(1), std::move(stop));
  }
  std::chrono::nanoseconds noted() const { return noted_; }

 private:
  SystemClock clock_;
  std::atomic<std::chrono::nanoseconds> noted_{};
};

TEST(PredictorCache, LooksAgainEveryTenSeconds) {
  NotingClock clock;
  PredictorCache predictors(
      []() -> Result<PredictorSet> { return PredictorSet{}; }, clock);
  while (clock.noted().count() == 0) std::this_thread::yield();
  EXPECT_EQ(clock.noted(), std::chrono::seconds(10));
}

}  // namespace
}  // namespace mete
