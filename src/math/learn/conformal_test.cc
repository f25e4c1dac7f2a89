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

}  // namespace
}  // namespace mete
