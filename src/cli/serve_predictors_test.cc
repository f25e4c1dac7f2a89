#include "cli/serve_predictors.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace mete {
namespace {

TEST(ServePredictors, AreReadOnceAndLookedForAgainWhileThereAreNone) {
  FakeClock clock;
  int reads = 0;
  bool trained = false;
  ServePredictors predictors(
      [&]() -> Result<PredictorSet> {
        ++reads;
        if (!trained) return Unavailable("no predictor yet");
        return PredictorSet{.starter = true};
      },
      clock);
  EXPECT_EQ(predictors.Get().error().code(), ErrorCode::kUnavailable);
  EXPECT_FALSE(predictors.Get().ok());
  EXPECT_EQ(reads, 1);
  trained = true;
  clock.Advance(std::chrono::seconds(6));
  ASSERT_TRUE(predictors.Get().ok());
  EXPECT_TRUE((*predictors.Get())->starter);
  EXPECT_EQ(reads, 2);
}

}  // namespace
}  // namespace mete
