#include "contention/pressure_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contention/test_pressure.h"

namespace mete {
namespace {

TEST(PressureNetwork, TermsOfADemandDoNotFall) {
  DemandTerms before = TermsOf(0);
  EXPECT_EQ(before, (DemandTerms{1, 0, 0}));
  for (double demand = 0.1; demand < 3; demand += 0.1) {
    DemandTerms terms = TermsOf(demand);
    for (size_t m = 0; m < kDemandTerms; ++m) EXPECT_GE(terms[m], before[m]);
    before = terms;
  }
}

// gamma = 1 makes the slowdown 1 + z.
PressureNetwork OneApplication() {
  PressureNetwork network{.pressures = 1, .gamma = 1};
  PressureApplication application{.service_alone = 0.1};
  application.weights[0] = {0, 1, 0};  // the pressure is the demand
  for (ServiceHead& head : application.service) {
    head = {.offset = std::log(0.1),
            .pieces = {{.constant = -1, .slope = {{2}}, .own = 0}}};
  }
  network.applications.push_back(application);
  return network;
}

TEST(PressureNetwork, TimesGrowFromTheKinkOn) {
  PressureNetwork network = OneApplication();
  EXPECT_NEAR(network.PressureOf(0, 5).parts[0], 0.5, 1e-12);
  EXPECT_NEAR(std::exp(network.LogTimes(0, 5, {{0.5}})[0]), 0.1, 1e-12);
  EXPECT_NEAR(std::exp(network.LogTimes(0, 5, {{1.0}})[0]), 0.1, 1e-12);
  EXPECT_NEAR(std::exp(network.LogTimes(0, 5, {{1.5}})[0]), 0.2, 1e-12);
}

TEST(PressureNetwork, TheRegionEndsWhereTheTimeReachesTheLimit) {
  PressureNetwork network = OneApplication();
  PressureRegion region = network.RegionOf(0, 5, {}, std::log(0.2));
  ASSERT_EQ(region.rows.size(), 1u);
  EXPECT_NEAR(region.rows[0].bound, 3, 1e-12);
  EXPECT_TRUE(region.Contains({{1.499}}));
  EXPECT_FALSE(region.Contains({{1.501}}));
}

TEST(PressureNetwork, NothingMeetsALimitBelowTheTimeAlone) {
  PressureNetwork network = OneApplication();
  EXPECT_FALSE(network.RegionOf(0, 5, {}, std::log(0.09)).Contains({}));
}

TEST(PressureNetwork, SojournTimesFollowTheUtilisation) {
  PressureNetwork network = OneApplication();
  SojournCurve& curve = network.sojourn[0];
  // Equal to the utilisation's logarithm plus 4 between the outermost knots.
  for (size_t i = 0; i < curve.values.size(); ++i) {
    curve.values[i] = std::log(kUtilisationKnots[i]) + 4;
  }
  double log_mean = std::log(0.1);
  double sojourn = network.LogTimes(0, 5, {})[kTimeStatistics];
  EXPECT_NEAR(sojourn, log_mean + std::log(0.5) + 4, 1e-9);
  // It is flat below the first knot, and where nothing can keep up.
  sojourn = network.LogTimes(0, 100, {})[kTimeStatistics];
  EXPECT_NEAR(sojourn, log_mean + std::log(1) + 4, 1e-9);
  network.stable_utilisation = 0.9;
  sojourn = network.LogTimes(0, 100, {})[kTimeStatistics];
  EXPECT_NEAR(sojourn, log_mean + std::log(0.9) + 4, 1e-9);
  sojourn = network.LogTimes(0, 0.01, {})[kTimeStatistics];
  EXPECT_NEAR(sojourn, log_mean + std::log(0.02) + 4, 1e-9);
}

TEST(PressureNetwork, BeyondTheLargestSlowdownWaitingGrowsAsTheServiceTime) {
  PressureNetwork network = OneApplication();
  network.sojourn[0].kappa = 1;
  network.largest_slowdown = 4;
  // At a rate that makes no queue, a slowdown of z + 1 = 2 (p - p_own) is
  // multiplied by itself, up to 4.
  auto sojourn = [&](double pressure) {
    return std::exp(network.LogTimes(0, 1e-3, {{pressure}})[kTimeStatistics]);
  };
  EXPECT_NEAR(sojourn(1.5 + 1e-4), 0.1 * 3 * 3, 1e-6);
  EXPECT_NEAR(sojourn(2.0 + 1e-4), 0.1 * 4 * 4, 1e-6);
  EXPECT_NEAR(sojourn(20.0 + 1e-4), 0.1 * 40 * 4, 1e-6);
}

TEST(PressureNetwork, NoObjectiveIsMetBeyondTheUtilisationThatWasStable) {
  PressureNetwork network = OneApplication();
  network.stable_utilisation = 0.9;
  // At 5 requests per second the mean may be 0.18 s, which others of 0.9 beside
  // the tenant's own 0.5 give.
  EXPECT_FALSE(network.Saturates(5, std::log(0.179)));
  EXPECT_TRUE(network.Saturates(5, std::log(0.181)));
  for (const TimeLabel& label : AllTimeLabels()) {
    PressureRegion region = network.RegionOf(0, 5, label, std::log(1e6));
    EXPECT_TRUE(region.Contains({{1.399}})) << ToString(label);
    EXPECT_FALSE(region.Contains({{1.401}})) << ToString(label);
  }
}

}  // namespace
}  // namespace mete
