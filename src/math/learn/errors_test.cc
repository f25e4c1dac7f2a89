#include "learn/errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mete {
namespace {

TEST(Errors, FollowTheirDefinitions) {
  std::vector<double> truth = {1, 2, 4, 10};
  std::vector<double> predicted = {1.1, 2.4, 4, 25};
  ErrorSummary errors = SummariseErrors(truth, predicted);
  EXPECT_EQ(errors.rows, 4u);
  EXPECT_NEAR(errors.mean_absolute, (0.1 + 0.4 + 0 + 15) / 4, 1e-12);
  EXPECT_NEAR(errors.median_relative, 0.15, 1e-12);
  EXPECT_DOUBLE_EQ(errors.within_10, 0.25);  // 1.1 is off by slightly more
  EXPECT_DOUBLE_EQ(errors.within_20, 0.75);
  EXPECT_DOUBLE_EQ(errors.within_factor_2, 0.75);
}

TEST(Errors, AreZeroWithoutRows) {
  EXPECT_EQ(SummariseErrors({}, {}).rows, 0u);
}

TEST(Errors, R2OfTheMeanIsZero) {
  std::vector<double> truth = {1, 2, 3};
  std::vector<double> mean = {2, 2, 2};
  EXPECT_DOUBLE_EQ(SummariseErrors(truth, mean).r2, 0);
}

TEST(RankCorrelation, DependsOnOrderOnly) {
  std::vector<double> a = {1, 2, 3, 4};
  std::vector<double> b = {1, 10, 100, 1000};
  std::vector<double> c = {4, 3, 2, 1};
  EXPECT_DOUBLE_EQ(RankCorrelation(a, b), 1);
  EXPECT_DOUBLE_EQ(RankCorrelation(a, c), -1);
}

TEST(RankCorrelation, GivesTiesTheirMeanRank) {
  // Ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3.
  std::vector<double> a = {1, 2, 2, 3};
  std::vector<double> b = {1, 2, 3, 4};
  EXPECT_NEAR(RankCorrelation(a, b), 4.5 / std::sqrt(4.5 * 5), 1e-12);
  EXPECT_EQ(
      RankCorrelation(std::vector<double>{1, 1}, std::vector<double>{1, 2}), 0);
}

TEST(Errors, CountRowsExactlyAtTheirBounds) {
  ErrorSummary errors = SummariseErrors(std::vector<double>{4, 4, 4, 4},
                                        std::vector<double>{5, 3, 8, 2});
  EXPECT_DOUBLE_EQ(errors.within_20, 0);
  EXPECT_DOUBLE_EQ(errors.within_25, 0.5);
  EXPECT_DOUBLE_EQ(errors.within_factor_2, 1);
  EXPECT_DOUBLE_EQ(errors.root_mean_square, std::sqrt((1 + 1 + 16 + 4) / 4.0));
  EXPECT_DOUBLE_EQ(errors.r2, 0);  // without variance
}

TEST(Errors, AFactorOfTwoCountsInBothDirections) {
  ErrorSummary errors = SummariseErrors(std::vector<double>{4, 4, 4},
                                        std::vector<double>{4, 1.9, 8.1});
  EXPECT_DOUBLE_EQ(errors.within_factor_2, 1.0 / 3);
}

TEST(Errors, R2IsTheExplainedShareOfTheVariance) {
  // Squares of the errors: 1; of the distances from the mean 2: 8.
  ErrorSummary errors =
      SummariseErrors(std::vector<double>{0, 4}, std::vector<double>{1, 4});
  EXPECT_DOUBLE_EQ(errors.r2, 1 - 1.0 / 8);
}

TEST(Errors, SharesAreRightForNearMisses) {
  ErrorSummary errors = SummariseErrors(std::vector<double>{100, 100, 100, 100},
                                        std::vector<double>{85, 115, 78, 109});
  EXPECT_DOUBLE_EQ(errors.within_10, 0.25);
  EXPECT_DOUBLE_EQ(errors.within_20, 0.75);
  EXPECT_DOUBLE_EQ(errors.within_25, 1);
}

TEST(RankCorrelation, IsZeroForOneRowOrAConstantSecondSide) {
  const std::vector<double> one = {1};
  EXPECT_EQ(RankCorrelation(one, one), 0);
  EXPECT_EQ(
      RankCorrelation(std::vector<double>{1, 2}, std::vector<double>{5, 5}), 0);
  EXPECT_EQ(
      RankCorrelation(std::vector<double>{1, 2}, std::vector<double>{5, 6}), 1);
}

TEST(RankCorrelation, OfManyEqualRowsIsZero) {
  const std::vector<double> equal(1000, 7.0);
  std::vector<double> rising;
  for (int i = 0; i < 1000; ++i) rising.push_back(i);
  EXPECT_EQ(RankCorrelation(equal, rising), 0);
  EXPECT_EQ(RankCorrelation(equal, equal), 0);
}

}  // namespace
}  // namespace mete
