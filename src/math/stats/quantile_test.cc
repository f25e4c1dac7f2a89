#include "stats/quantile.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Quantile, IsAbsentWithoutValues) {
  EXPECT_EQ(Quantile({}, 0.5), std::nullopt);
}

TEST(Quantile, OfOneValueIsThatValue) {
  std::vector<double> one = {7};
  EXPECT_EQ(Quantile(one, 0), 7);
  EXPECT_EQ(Quantile(one, 0.5), 7);
  EXPECT_EQ(Quantile(one, 1), 7);
}

TEST(Quantile, MedianOfAnEvenCountLiesBetweenTheMiddleTwo) {
  std::vector<double> values = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(*Quantile(values, 0.5), 2.5);
}

// R: quantile(1:10, c(.25, .9), type = 8) gives 2.916667 and 9.633333.
TEST(Quantile, AgreesWithDefinitionEight) {
  std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_NEAR(*Quantile(values, 0.25), 2.916667, 1e-6);
  EXPECT_NEAR(*Quantile(values, 0.9), 9.633333, 1e-6);
}

TEST(Quantile, RanksBeyondTheEndsGiveTheEnds) {
  std::vector<double> values = {1, 2, 3};
  EXPECT_EQ(Quantile(values, 0.99), 3);
  EXPECT_EQ(Quantile(values, 0.01), 1);
}

TEST(AtRank, InterpolatesBetweenNeighbours) {
  const std::vector<double> sorted = {1, 2, 4};
  EXPECT_EQ(AtRank(sorted, 1), 1);
  EXPECT_EQ(AtRank(sorted, 2.5), 3);
  EXPECT_EQ(AtRank(sorted, 3), 4);
}

TEST(Sorted, KeepsEveryValue) {
  EXPECT_EQ(Sorted(std::vector<double>{3, 1, 2, 1}),
            (std::vector<double>{1, 1, 2, 3}));
}

}  // namespace
}  // namespace mete
