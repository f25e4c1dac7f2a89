#include "trial/halving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::optional<MeanEstimate> Around(double mean, double half_width) {
  return MeanEstimate{
      .mean = mean, .interval = Interval{mean - half_width, mean + half_width}};
}
std::optional<MeanEstimate> Unsure(double mean) {
  return MeanEstimate{.mean = mean};
}

TEST(IsSurelyWorse, NeedsIntervalsThatDoNotOverlap) {
  auto best = *Around(10, 1);
  EXPECT_TRUE(IsSurelyWorse(*Around(8, 0.9), best, TrialDirection::kLargest));
  EXPECT_FALSE(IsSurelyWorse(*Around(8, 1.1), best, TrialDirection::kLargest));
  EXPECT_FALSE(IsSurelyWorse(*Unsure(1), best, TrialDirection::kLargest));
  EXPECT_TRUE(IsSurelyWorse(*Around(12, 0.9), best, TrialDirection::kSmallest));
  EXPECT_FALSE(
      IsSurelyWorse(*Around(12, 1.1), best, TrialDirection::kSmallest));
}

TEST(RankVariants, PutsTheBestFirstAndLeavesOutWhatFailed) {
  TrialValues values = {Unsure(3), std::nullopt, Unsure(5), Unsure(4)};
  EXPECT_THAT(RankVariants(values, {0, 1, 2, 3}, TrialDirection::kLargest),
              ElementsAre(2, 3, 0));
  EXPECT_THAT(RankVariants(values, {0, 1, 2}, TrialDirection::kSmallest),
              ElementsAre(0, 2));
}

TEST(NextRound, KeepsTheBetterHalf) {
  TrialValues values = {Unsure(1), Unsure(5), Unsure(4), Unsure(2), Unsure(3)};
  EXPECT_THAT(NextRound(values, {0, 1, 2, 3, 4}, TrialDirection::kLargest),
              ElementsAre(1, 2, 4));
}

TEST(NextRound, KeepsTwoUntilOneIsSurelyBetter) {
  TrialValues close = {Around(10, 1), Around(9.5, 1)};
  EXPECT_THAT(NextRound(close, {0, 1}, TrialDirection::kLargest),
              ElementsAre(0, 1));
  TrialValues apart = {Around(10, 1), Around(5, 1)};
  EXPECT_THAT(NextRound(apart, {0, 1}, TrialDirection::kLargest),
              ElementsAre(0));
}

TEST(NextRound, IsEmptyIfEveryVariantFailed) {
  EXPECT_THAT(
      NextRound({std::nullopt, std::nullopt}, {0, 1}, TrialDirection::kLargest),
      IsEmpty());
}

TEST(CountRounds, GrowsWithTheLogarithm) {
  EXPECT_EQ(CountRounds(1), 1u);
  EXPECT_EQ(CountRounds(2), 2u);
  EXPECT_EQ(CountRounds(3), 3u);
  EXPECT_EQ(CountRounds(4), 3u);
  EXPECT_EQ(CountRounds(5), 4u);
}

TEST(LengthOfRun, SharesTheRemainingTime) {
  EXPECT_EQ(LengthOfRun(Seconds(120), 3, 4), Seconds(10));
  EXPECT_EQ(LengthOfRun(Seconds(-1), 3, 4), Seconds(0));
}

}  // namespace
}  // namespace mete
