#include "predict/rank_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/fakes/fake_predictor.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ClusterNode Node(const std::string& name, int cores) {
  ClusterNode node{.name = name};
  node.facts.cores = cores;
  return node;
}

PredictorSet Predictors(double spread = 0.01) {
  return {.full = std::make_shared<FakePredictor>(spread, 2),
          .counts = std::make_shared<FakePredictor>(spread)};
}

NetworkQuestion Counts(double parameters) {
  return {.name = "net", .counts = {.total_parameters = parameters}};
}

NetworkQuestion Traits(double weight_bytes) {
  NetworkTraits traits;
  traits.counts.total_parameters = 1'000'000;
  traits.weight_bytes = weight_bytes;
  return {.name = "net", .traits = traits};
}

std::vector<std::string> Names(const Ranking& ranking,
                               const std::vector<ClusterNode>& nodes) {
  std::vector<std::string> names;
  for (const DeviceAnswer& device : ranking.devices) {
    names.push_back(nodes[device.node].name);
  }
  return names;
}

TEST(RankDevices, FastestDeviceComesFirst) {
  std::vector<ClusterNode> nodes = {Node("slow", 1), Node("fast", 4)};
  Ranking ranking =
      RankDevices(Predictors(), Counts(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("fast", "slow"));
  EXPECT_DOUBLE_EQ(ranking.devices[0].estimate->value, 0.25);
  EXPECT_EQ(ranking.tied, 1u);
}

TEST(RankDevices, OverlappingIntervalsAreATie) {
  std::vector<ClusterNode> nodes = {Node("a", 4), Node("b", 5), Node("c", 1)};
  Ranking ranking =
      RankDevices(Predictors(0.2), Counts(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("b", "a", "c"));
  EXPECT_EQ(ranking.tied, 2u);
}

TEST(RankDevices, UnknownNodeComesLastWithAReason) {
  std::vector<ClusterNode> nodes = {Node("dark", 64), Node("known", 1)};
  nodes[0].unknown = "no CPU load";
  Ranking ranking =
      RankDevices(Predictors(), Counts(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("known", "dark"));
  EXPECT_FALSE(ranking.devices[1].estimate.has_value());
  EXPECT_THAT(ranking.devices[1].reasons, ElementsAre("no CPU load"));
}

TEST(RankDevices, EnergyIsNotPredictedFromCounts) {
  PredictorSet predictors = Predictors();
  predictors.energy = std::make_shared<FakePredictor>(0.01);
  std::vector<ClusterNode> nodes = {Node("a", 1)};
  Ranking ranking =
      RankDevices(predictors, Counts(1e9), nodes, Objective::kEnergy);
  EXPECT_FALSE(ranking.devices[0].estimate.has_value());
  EXPECT_THAT(ranking.devices[0].reasons.at(0), HasSubstr("layers"));
  EXPECT_TRUE(RankDevices(predictors, Traits(1), nodes, Objective::kEnergy)
                  .devices[0]
                  .estimate.has_value());
}

TEST(RankDevices, HugeNetworkDoesNotFit) {
  std::vector<ClusterNode> nodes = {Node("a", 1)};
  nodes[0].facts.ram = Gibibytes(8);
  Ranking ranking =
      RankDevices(Predictors(), Traits(3.7e19), nodes, Objective::kLatency);
  EXPECT_EQ(ranking.devices[0].fits_memory, false);
}

TEST(RankDevices, DevicesWithTooLittleMemoryComeLater) {
  std::vector<ClusterNode> nodes = {Node("small", 8), Node("large", 1)};
  nodes[0].facts.ram = Mebibytes(512);
  nodes[1].facts.ram = Gibibytes(8);
  Ranking ranking =
      RankDevices(Predictors(), Traits(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("large", "small"));
  EXPECT_EQ(ranking.devices[1].fits_memory, false);
  EXPECT_THAT(ranking.devices[1].reasons.at(0), HasSubstr("needs"));
  EXPECT_EQ(ranking.tied, 1u);
}

TEST(RankDevices, UsedMemoryIsNotAvailable) {
  std::vector<ClusterNode> nodes = {Node("busy", 1)};
  nodes[0].facts.ram = Gibibytes(8);
  nodes[0].memory_available = Mebibytes(100);
  EXPECT_EQ(RankDevices(Predictors(), Traits(1e9), nodes, Objective::kLatency)
                .devices[0]
                .fits_memory,
            false);
}

TEST(RankDevices, ALimitDoesNotMakeMoreMemoryAvailable) {
  std::vector<ClusterNode> nodes = {Node("limited", 1)};
  nodes[0].facts.ram = Gibibytes(8);
  nodes[0].memory_available = Gibibytes(1);
  nodes[0].limits = Limits{.memory = Gibibytes(4)};
  auto fits = [&] {
    return RankDevices(Predictors(), Traits(2e9), nodes, Objective::kLatency)
        .devices[0]
        .fits_memory;
  };
  EXPECT_EQ(fits(), false);
  nodes[0].memory_available = Gibibytes(6);
  EXPECT_EQ(fits(), true);
  nodes[0].limits->memory = Gibibytes(1);
  EXPECT_EQ(fits(), false);
}

TEST(RankDevices, CountsAloneUseTheCountsPredictor) {
  std::vector<ClusterNode> nodes = {Node("a", 1)};
  auto seconds = [&](const NetworkQuestion& question) {
    return RankDevices(Predictors(), question, nodes, Objective::kLatency)
        .devices[0]
        .estimate->value;
  };
  EXPECT_DOUBLE_EQ(seconds(Counts(1e6)), 0.001);
  EXPECT_DOUBLE_EQ(seconds(Traits(0)), 0.002);
}

TEST(RankDevices, SaysThatEnergyWasNotMeasured) {
  std::vector<ClusterNode> nodes = {Node("a", 1)};
  Ranking ranking =
      RankDevices(Predictors(), Counts(1e6), nodes, Objective::kEnergy);
  EXPECT_FALSE(ranking.devices[0].estimate.has_value());
  EXPECT_THAT(ranking.devices[0].reasons,
              ElementsAre("energy was not measured"));
  EXPECT_EQ(ranking.tied, 0u);
}

// What does not fit comes after what does, what is unknown after both.
TEST(RankDevices, DevicesThatDoNotFitComeBeforeUnknownOnes) {
  std::vector<ClusterNode> nodes = {Node("dark", 1), Node("small", 8),
                                    Node("fits", 1)};
  nodes[0].unknown = "no CPU load";
  nodes[1].facts.ram = Mebibytes(1);
  Ranking ranking =
      RankDevices(Predictors(), Traits(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("fits", "small", "dark"));
  // Its memory is not known: perhaps it fits.
  EXPECT_FALSE(ranking.devices[0].fits_memory);
}

TEST(RankDevices, ANetworkThatNeedsAllMemoryFits) {
  std::vector<ClusterNode> nodes = {Node("a", 1)};
  nodes[0].facts.ram = Mebibytes(1);
  NetworkQuestion question = Traits(1'048'000);
  question.traits->peak_activation_bytes = 576;
  auto fits = [&] {
    return RankDevices(Predictors(), question, nodes, Objective::kLatency)
        .devices[0];
  };
  EXPECT_EQ(fits().fits_memory, true);
  question.traits->peak_activation_bytes = 577;
  EXPECT_EQ(fits().fits_memory, false);
  EXPECT_THAT(fits().reasons,
              ElementsAre("needs 1.0 MiB of memory but has 1.0 MiB"));
}

TEST(RankDevices, ALimitAloneIsTheMemory) {
  std::vector<ClusterNode> nodes = {Node("limited", 1)};
  nodes[0].limits = Limits{.memory = Gibibytes(1)};
  EXPECT_EQ(RankDevices(Predictors(), Traits(2e9), nodes, Objective::kLatency)
                .devices[0]
                .fits_memory,
            false);
}

TEST(RankDevices, EquallyGoodDevicesKeepTheirOrder) {
  std::vector<ClusterNode> nodes = {Node("b", 2), Node("c", 2), Node("a", 2)};
  Ranking ranking =
      RankDevices(Predictors(), Counts(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("b", "c", "a"));
  EXPECT_EQ(ranking.tied, 3u);
}

TEST(RankDevices, SaysThatThereIsNoPredictor) {
  std::vector<ClusterNode> nodes = {Node("a", 1)};
  Ranking ranking = RankDevices({}, Counts(1e6), nodes, Objective::kLatency);
  EXPECT_THAT(ranking.devices[0].reasons,
              ElementsAre("there is no predictor for this"));
}

TEST(RankDevices, AnEstimateThatIsNotANumberIsUnknown) {
  std::vector<ClusterNode> nodes = {Node("a", 0), Node("b", 1)};
  Ranking ranking =
      RankDevices(Predictors(), Counts(1e9), nodes, Objective::kLatency);
  EXPECT_THAT(Names(ranking, nodes), ElementsAre("b", "a"));
  EXPECT_FALSE(ranking.devices[1].estimate);
  EXPECT_THAT(ranking.devices[1].reasons,
              ElementsAre("the predictor has no estimate for it"));
}

TEST(RankDevices, NoNodesYieldAnEmptyRanking) {
  Ranking ranking =
      RankDevices(Predictors(), Counts(1e6), {}, Objective::kLatency);
  EXPECT_TRUE(ranking.devices.empty());
  EXPECT_EQ(ranking.tied, 0u);
}

// Its intervals for one network are too wide to say which device is faster.
class KnownRatios final : public LatencyPredictor {
 public:
  std::vector<Estimate> Predict(const NetworkQuestion&,
                                std::span<const ClusterNode* const> nodes,
                                Detail) const override {
    std::vector<Estimate> estimates;
    for (size_t i = 0; i < nodes.size(); ++i) {
      double value = i == 0 ? 1.0 : i == 1 ? 1.2 : 2.0;
      estimates.push_back({.value = value,
                           .low = value / 5,
                           .high = value * 5,
                           .ratio_radius = 0.3});
    }
    return estimates;
  }
  const std::string& origin() const override { return origin_; }

 private:
  std::string origin_;
};

// Values 1 and 2 with these intervals and radii.
class TwoEstimates final : public LatencyPredictor {
 public:
  TwoEstimates(double high, double low, double one, double two)
      : estimates_{{.value = 1, .low = 0.5, .high = high, .ratio_radius = one},
                   {.value = 2, .low = low, .high = 4, .ratio_radius = two}} {}
  std::vector<Estimate> Predict(const NetworkQuestion&,
                                std::span<const ClusterNode* const>,
                                Detail) const override {
    return estimates_;
  }
  const std::string& origin() const override { return origin_; }
  std::vector<Estimate>& estimates() { return estimates_; }

 private:
  std::vector<Estimate> estimates_;
  std::string origin_;
};

TEST(RankDevices, IntervalsThatTouchAreATie) {
  const std::vector<ClusterNode> nodes(2);
  auto tied = [&](double high, double low) {
    auto predictor = std::make_shared<TwoEstimates>(high, low, 0, 0);
    for (Estimate& one : predictor->estimates()) one.ratio_radius.reset();
    return RankDevices({.counts = predictor}, {.name = "net"}, nodes,
                       Objective::kLatency)
        .tied;
  };
  EXPECT_EQ(tied(1.5, 1.5), 2u);
  EXPECT_EQ(tied(1.5, 1.51), 1u);
  EXPECT_EQ(tied(1.5, 1.49), 2u);
}

TEST(RankDevices, TheLargerRadiusDistinguishes) {
  const std::vector<ClusterNode> nodes(2);
  auto tied = [&](double one, double two) {
    return RankDevices(
               {.counts = std::make_shared<TwoEstimates>(9, 0.1, one, two)},
               {.name = "net"}, nodes, Objective::kLatency)
        .tied;
  };
  const double ratio = std::log(2);
  EXPECT_EQ(tied(0.1, 0.1), 1u);
  EXPECT_EQ(tied(ratio, 0.1), 2u);
  EXPECT_EQ(tied(0.1, ratio), 2u);
  // Only one of them has a radius: their intervals overlap.
  auto half = std::make_shared<TwoEstimates>(9, 0.1, 0.1, 0.1);
  half->estimates()[1].ratio_radius.reset();
  EXPECT_EQ(
      RankDevices({.counts = half}, {.name = "net"}, nodes, Objective::kLatency)
          .tied,
      2u);
}

TEST(RankDevices, AnInfiniteBoundIsNoEstimate) {
  const std::vector<ClusterNode> nodes(2);
  auto known = [&](const std::function<void(Estimate&)>& change) {
    auto predictor = std::make_shared<TwoEstimates>(9, 1, 1, 1);
    change(predictor->estimates()[0]);
    return RankDevices({.counts = predictor}, {.name = "net"}, nodes,
                       Objective::kLatency)
        .devices[1]
        .estimate.has_value();
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(known([](Estimate&) {}));
  EXPECT_FALSE(known([](Estimate& one) { one.high = kInfinity; }));
  EXPECT_FALSE(known([](Estimate& one) { one.low = -kInfinity; }));
  EXPECT_FALSE(known([](Estimate& one) { one.value = NAN; }));
}

TEST(RankDevices, SaysWhatAnEstimateAssumes) {
  auto predictor = std::make_shared<TwoEstimates>(9, 1, 1, 1);
  predictor->estimates()[0].assumption = "guessed";
  Ranking ranking =
      RankDevices({.counts = predictor}, {.name = "net"},
                  std::vector<ClusterNode>(2), Objective::kLatency);
  EXPECT_THAT(ranking.devices[0].reasons, ElementsAre("guessed"));
  EXPECT_TRUE(ranking.devices[1].reasons.empty());
}

TEST(RankDevices, RatiosDistinguishDevicesWhoseIntervalsOverlap) {
  auto predictor = std::make_shared<KnownRatios>();
  std::vector<ClusterNode> nodes(3);
  Ranking ranking = RankDevices({.full = predictor, .counts = predictor},
                                {.name = "net"}, nodes, Objective::kLatency);
  // log 1.2 = 0.18 is within 0.3, log 2 = 0.69 is not.
  EXPECT_EQ(ranking.tied, 2u);
}

}  // namespace
}  // namespace mete
