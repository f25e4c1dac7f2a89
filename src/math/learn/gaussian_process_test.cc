#include "learn/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

TEST(GaussianProcess, PassesThroughItsRowsWithoutNoise) {
  Points points = {{0.0}, {1.0}, {2.0}};
  std::vector<double> values = {1, 3, 2};
  GaussianProcess process =
      GaussianProcess::Fit(points, values, {.noise = 1e-9}).value();
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(process.Predict(points[i]).mean, values[i], 1e-4);
    EXPECT_NEAR(process.Predict(points[i]).variance, 0, 1e-4);
  }
}

TEST(GaussianProcess, IsLessCertainFarAway) {
  Points points = {{0.0}, {1.0}};
  std::vector<double> values = {1, 2};
  GaussianProcess process =
      GaussianProcess::Fit(points, values, Kernel{}).value();
  EXPECT_GT(process.Predict(std::vector<double>{9.0}).variance,
            process.Predict(std::vector<double>{0.5}).variance * 5);
}

TEST(GaussianProcess, FindsALineFromFewRows) {
  Points points;
  std::vector<double> values;
  for (int i = 0; i < 8; ++i) {
    points.push_back({i / 4.0, (i * i % 5) / 4.0});
    values.push_back(2 * points.back()[0] - points.back()[1] + 7);
  }
  GaussianProcess process = GaussianProcess::Fit(points, values).value();
  EXPECT_NEAR(process.Predict(std::vector<double>{3.0, 0.5}).mean, 12.5, 0.3);
}

TEST(GaussianProcess, NeverLowersTheLikelihoodByFitting) {
  Points points = {{0.0}, {0.5}, {1.0}, {2.0}, {3.0}};
  std::vector<double> values = {0, 0.4, 0.9, 1.0, 0.2};
  double plain =
      GaussianProcess::Fit(points, values, Kernel{}).value().log_likelihood();
  EXPECT_GT(GaussianProcess::Fit(points, values).value().log_likelihood(),
            plain);
}

TEST(GaussianProcess, RejectsRowsOfDifferentLengths) {
  EXPECT_FALSE(
      GaussianProcess::Fit({{1.0}, {1.0, 2.0}}, std::vector<double>{1, 2})
          .ok());
  EXPECT_FALSE(GaussianProcess::Fit({}, {}).ok());
}

// Evaluated from equations 2.25, 2.26 and 2.30 by another program.
TEST(GaussianProcess, FollowsTheEquationsForAGivenKernel) {
  const Points points = {{0, 1}, {1, 3}, {-1, 0.5}};
  const std::vector<double> values = {1, 3, -0.5};
  GaussianProcess process = GaussianProcess::Fit(points, values,
                                                 {.rbf_variance = 2,
                                                  .length = 0.5,
                                                  .linear_variance = 0.3,
                                                  .constant = 0.7,
                                                  .noise = 0.1})
                                .value();
  EXPECT_NEAR(process.log_likelihood(), -5.494424107164, 1e-9);
  GaussianEstimate between = process.Predict(std::vector<double>{0.5, 2});
  EXPECT_NEAR(between.mean, 1.900443379659, 1e-9);
  EXPECT_NEAR(between.variance, 1.808797961724, 1e-9);
  GaussianEstimate at_a_row = process.Predict(points[0]);
  EXPECT_NEAR(at_a_row.mean, 0.993782712723, 1e-9);
  EXPECT_NEAR(at_a_row.variance, 0.095413271274, 1e-9);
}

TEST(GaussianProcess, RejectsEqualRowsWithoutNoise) {
  auto process = GaussianProcess::Fit({{1.0}, {1.0}}, std::vector<double>{1, 2},
                                      {.noise = -1});
  ASSERT_FALSE(process.ok());
  EXPECT_EQ(process.error().code(), ErrorCode::kInvalidInput);
}

TEST(GaussianProcess, RejectsAnotherNumberOfValues) {
  EXPECT_FALSE(GaussianProcess::Fit({{1.0}}, std::vector<double>{1, 2}).ok());
  EXPECT_FALSE(
      GaussianProcess::Fit({{1.0}, {2.0}}, std::vector<double>{1}).ok());
}

// Found by another program with the same factors and order.
TEST(GaussianProcess, SearchesTheKernelStepByStep) {
  const Points bent = {{0.0}, {0.5}, {1.0}, {2.0}, {3.0}};
  GaussianProcess hump =
      GaussianProcess::Fit(bent, std::vector<double>{0, 0.4, 0.9, 1.0, 0.2})
          .value();
  EXPECT_NEAR(hump.log_likelihood(), -1.9772607228, 1e-8);
  EXPECT_NEAR(hump.kernel().rbf_variance, 0.64, 1e-9);
  EXPECT_NEAR(hump.kernel().length, 1.25, 1e-9);
  EXPECT_NEAR(hump.kernel().linear_variance, 1e-6, 1e-12);
  EXPECT_NEAR(hump.kernel().noise, 2e-4, 1e-12);
  EXPECT_EQ(hump.kernel().constant, 1);
  Points eight;
  for (int i = 0; i < 8; ++i) eight.push_back({static_cast<double>(i)});
  GaussianProcess step =
      GaussianProcess::Fit(eight,
                           std::vector<double>{0, 0.1, 0, 0.2, 3, 3.1, 2.9, 3})
          .value();
  EXPECT_NEAR(step.log_likelihood(), -12.0263517251, 1e-8);
  EXPECT_NEAR(step.kernel().rbf_variance, 1, 1e-9);
  EXPECT_NEAR(step.kernel().length, 1, 1e-9);
  EXPECT_NEAR(step.kernel().linear_variance, 0.1, 1e-9);
  EXPECT_NEAR(step.kernel().noise, 0.125, 1e-9);
}

}  // namespace
}  // namespace mete
