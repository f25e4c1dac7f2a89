#include "predict/predictor_cache.h"

#include <gtest/gtest.h>

#include <atomic>

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

}  // namespace
}  // namespace mete
