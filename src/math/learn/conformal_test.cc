#include "learn/conformal.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace mete {
namespace {

TEST(Conformal, IsTheOrderStatisticOfTheTheorem) {
  std::vector<double> residuals;
  for (int i = 1; i <= 19; ++i) residuals.push_back(i % 2 == 0 ? i : -i);
  // ceil(20 x 0.9) = 18th smallest magnitude.
  EXPECT_EQ(ConformalRadius(residuals, 0.9), 18);
}

TEST(Conformal, IsAbsentForTooFewResiduals) {
  EXPECT_EQ(ConformalRadius(std::vector<double>{1, 2, 3}, 0.9), std::nullopt);
  EXPECT_EQ(ConformalRadius({}, 0.9), std::nullopt);
}

TEST(Conformal, CoversANewRowWithTheNominalProbability) {
  Random random(7);
  int covered = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> residuals;
    for (int i = 0; i < 50; ++i) residuals.push_back(random.Normal());
    if (std::abs(random.Normal()) <= *ConformalRadius(residuals, 0.9)) {
      ++covered;
    }
  }
  // ceil(51 x 0.9) = 46: 46 / 51 = 0.902; three standard errors are 0.014.
  EXPECT_NEAR(covered / double{kTrials}, 46.0 / 51, 0.014);
}

TEST(Conformal, CountsAGroupOfManyRowsOnce) {
  // Nine groups of one small residual, one of a thousand large ones.
  std::vector<double> residuals(9, 1.0);
  std::vector<std::string> groups;
  for (int i = 0; i < 9; ++i) groups.push_back("g" + std::to_string(i));
  residuals.insert(residuals.end(), 1000, 50.0);
  groups.insert(groups.end(), 1000, "large");
  EXPECT_EQ(GroupConformalRadius(residuals, groups, 0.8), 1);
  EXPECT_EQ(ConformalRadius(residuals, 0.8), 50);
}

TEST(Conformal, EstimatesCoverageWithoutTheRowsOwnGroup) {
  // Twenty similar groups and one far off: that one is not covered.
  std::vector<double> residuals(20, 1.0);
  std::vector<std::string> groups;
  for (int i = 0; i < 20; ++i) groups.push_back("g" + std::to_string(i));
  residuals.push_back(9);
  groups.push_back("odd");
  EXPECT_NEAR(LeaveGroupOutCoverage(residuals, groups, 0.9).value(), 20.0 / 21,
              1e-12);
  std::vector<double> few(residuals.begin(), residuals.begin() + 3);
  std::vector<std::string> their(groups.begin(), groups.begin() + 3);
  EXPECT_FALSE(LeaveGroupOutCoverage(few, their, 0.9).has_value());
}

TEST(Conformal, ReachesTheCoverageExactly) {
  // With the new observation four of five: the fourth smallest magnitude.
  EXPECT_EQ(ConformalRadius(std::vector<double>{4, -1, 3, -2}, 0.8), 4);
  EXPECT_EQ(ConformalRadius(std::vector<double>{4, -1, 3, -2}, 0.81),
            std::nullopt);
  EXPECT_EQ(ConformalRadius(std::vector<double>{4, -1, 3, -2}, 0.6), 3);
}

TEST(Conformal, WeighsTheRowsOfAGroupEqually) {
  // Weights 1/2, 1/2, 1 and 1 for the new group: 2/3 of 3 is reached by 7.
  const std::vector<double> residuals = {-7, 1, 2};
  const std::vector<std::string> groups = {"a", "a", "b"};
  EXPECT_EQ(GroupConformalRadius(residuals, groups, 0.5), 2);
  EXPECT_EQ(GroupConformalRadius(residuals, groups, 0.66), 7);
}

TEST(Conformal, CoverageCountsNegativeResidualsAndThoseAtTheRadius) {
  // Each group sees a radius of 2 from the other two at a coverage of 2/3.
  const std::vector<double> residuals = {-2, 2, -2, -3};
  const std::vector<std::string> groups = {"a", "b", "c", "c"};
  EXPECT_EQ(LeaveGroupOutCoverage(residuals, groups, 0.5), 0.75);
  EXPECT_EQ(LeaveGroupOutCoverage({}, {}, 0.5), std::nullopt);
}

TEST(Conformal, CoverageIsJudgedByTheOtherGroupsAlone) {
  // Nine others and the new one: 0.9 of ten is reached by the largest of nine.
  std::vector<double> residuals(9, 1.0);
  residuals.push_back(9);
  const std::vector<std::string> groups = {"a", "b", "c", "d", "e",
                                           "f", "g", "h", "i", "odd"};
  EXPECT_EQ(LeaveGroupOutCoverage(residuals, groups, 0.9), 0.9);
  // Eight others do not reach it.
  const std::vector<double> nine(residuals.begin() + 1, residuals.end());
  const std::vector<std::string> their(groups.begin() + 1, groups.end());
  EXPECT_EQ(LeaveGroupOutCoverage(nine, their, 0.9), std::nullopt);
}

}  // namespace
}  // namespace mete
