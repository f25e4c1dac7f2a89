#include "stats/distributions.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(Distributions, NormalQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(NormalQuantile(0.975), 1.959964, 1e-6);
  EXPECT_NEAR(NormalQuantile(0.01), -2.326348, 1e-6);
}

TEST(Distributions, StudentQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(StudentQuantile(0.975, 1), 12.7062, 1e-4);
  EXPECT_NEAR(StudentQuantile(0.975, 10), 2.228139, 1e-6);
  EXPECT_NEAR(StudentQuantile(0.05, 30), -1.697261, 1e-6);
  EXPECT_NEAR(StudentQuantile(0.975, 1e6), NormalQuantile(0.975), 1e-5);
}

TEST(Distributions, BinomialRankOfTwentyFairTosses) {
  BinomialRank found =
      BinomialQuantile({.n = 20, .p = 0.5, .probability = 0.025});
  EXPECT_EQ(found.rank, 6u);
  EXPECT_NEAR(found.below, 0.0206947, 1e-7);
  EXPECT_NEAR(found.upto, 0.0576591, 1e-7);
}

TEST(Distributions, BinomialSumsHoldForAMillionTrials) {
  BinomialRank found =
      BinomialQuantile({.n = 1'000'000, .p = 0.5, .probability = 0.5});
  EXPECT_EQ(found.rank, 500'000u);
  EXPECT_NEAR(found.below + found.upto, 1, 1e-6);
}

// P(N <= 0) is exactly 1/4: the rank must have more below it.
TEST(Distributions, BinomialRankIsAboveAProbabilityThatARankReachesExactly) {
  BinomialRank found =
      BinomialQuantile({.n = 2, .p = 0.5, .probability = 0.25});
  EXPECT_EQ(found.rank, 1u);
  EXPECT_EQ(found.below, 0.25);
  EXPECT_EQ(found.upto, 0.75);
}

TEST(Distributions, BinomialRankOfNoTrialsIsZero) {
  BinomialRank found = BinomialQuantile({.n = 0, .p = 0.5, .probability = 0.5});
  EXPECT_EQ(found.rank, 0u);
  EXPECT_EQ(found.upto, 1);
}

TEST(Distributions, BinomialRankStopsAtTheCount) {
  BinomialRank found =
      BinomialQuantile({.n = 3, .p = 0.99, .probability = 0.999});
  EXPECT_EQ(found.rank, 3u);
}

TEST(Distributions, BinomialProbabilitiesAreThoseOfTheRank) {
  // Four fair tosses: 1, 4, 6, 4, 1 sixteenths.
  BinomialRank found = BinomialQuantile({.n = 4, .p = 0.5, .probability = 0.5});
  EXPECT_EQ(found.rank, 2u);
  EXPECT_NEAR(found.below, 5.0 / 16, 1e-12);
  EXPECT_NEAR(found.upto, 11.0 / 16, 1e-12);
  found = BinomialQuantile({.n = 4, .p = 0.5, .probability = 0.01});
  EXPECT_EQ(found.rank, 0u);
  EXPECT_EQ(found.below, 0);
  EXPECT_NEAR(found.upto, 1.0 / 16, 1e-12);
}

}  // namespace
}  // namespace mete
