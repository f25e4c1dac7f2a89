#include "predict/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "learn/errors.h"
#include "predict/train_latency.h"
#include "stats/quantile.h"
#include "support/random.h"

namespace mete {
namespace {

constexpr size_t kNetworks = 60;
constexpr WorkClass kUsed[] = {WorkClass::kPointwise, WorkClass::kSpatial,
                               WorkClass::kDepthwise, WorkClass::kGemm,
                               WorkClass::kElementwise};

// A network whose work is mostly in one or two classes.
NetworkTraits RandomNetwork(size_t number) {
  Random random(DeriveSeed(number, "network"));
  NetworkTraits network;
  network.name = "network-" + std::to_string(number);
  network.nodes = 20 + 10 * static_cast<double>(random.Below(10));
  double size = std::exp(random.Normal());
  for (WorkClass which : kUsed) {
    double share = std::pow(random.Uniform(), 3);
    ClassWork& work = network.work[static_cast<size_t>(which)];
    work.nodes = network.nodes / 5;
    work.flops = which == WorkClass::kElementwise ? 0 : 2e9 * size * share;
    work.macs = work.flops / 2;
    // Elementwise work takes as long as the others: 0.3 GB at 4 GB/s.
    work.bytes = (work.flops > 0 ? 2e7 : 3e8) * size * share;
    network.flops += work.flops;
    network.macs += work.macs;
  }
  return network;
}

// A device that reaches its micro-measurements up to one factor per class.
struct TestDevice {
  std::string name;
  double speed = 1;
  double spatial = 1;
  double depthwise = 1;
  double common = 1;
};

LatencyRow MakeRow(size_t number, const TestDevice& device) {
  LatencyRow row;
  row.network = RandomNetwork(number);
  row.device = device.name;
  row.cpus = 1;
  row.cores = 1;
  row.one_thread = EngineSpeed{.threads = 1,
                               .gemm_flops_per_second = 2e10 * device.speed,
                               .conv_flops_per_second = 1.5e10 * device.speed,
                               .depthwise_flops_per_second = 4e9 * device.speed,
                               .elementwise_bytes_per_second = 4e9,
                               .node_seconds = 5e-6};
  RooflineTerms terms = ComputeTerms(row.network, *row.one_thread);
  terms[static_cast<size_t>(WorkClass::kSpatial)] *= device.spatial;
  terms[static_cast<size_t>(WorkClass::kDepthwise)] *= device.depthwise;
  double seconds = 0;
  for (double term : terms) seconds += term;
  Random random(DeriveSeed(number, device.name));
  row.seconds = device.common * seconds * std::exp(0.02 * random.Normal());
  return row;
}

const TestDevice kNew = {
    .name = "new", .speed = 1.3, .spatial = 0.5, .depthwise = 4, .common = 1.4};

std::vector<LatencyRow> SourceRows() {
  std::vector<LatencyRow> rows;
  for (const TestDevice& device :
       {TestDevice{"a", 1}, TestDevice{"b", 0.5}, TestDevice{"c", 2}}) {
    for (size_t i = 0; i < kNetworks; ++i) rows.push_back(MakeRow(i, device));
  }
  return rows;
}

std::shared_ptr<const TreePredictor> TrainBase(
    const std::vector<LatencyRow>& rows) {
  TrainRequest request{.rows = rows};
  request.trees.trees = 60;
  FittedTrees fitted = FitTrees(request, UsableRows(request)).value();
  TreePredictor::Parts parts{
      .roofline = fitted.roofline, .trees = fitted.trees, .radius = 0.1};
  parts.ranges.resize(FeatureColumns(FeatureKind::kFull).size(),
                      {-1e30F, 1e30F});
  return std::make_shared<const TreePredictor>(std::move(parts));
}

// A predictor, ten networks chosen and run on the new device, and all others
// for validation.
struct Scene {
  std::vector<LatencyRow> sources = SourceRows();
  std::shared_ptr<const TreePredictor> base = TrainBase(sources);
  std::vector<LatencyRow> calibration;
  std::vector<LatencyRow> others;

  Scene() {
    std::set<std::string> chosen;
    for (size_t row : ChooseCalibrationNetworks(sources, 10)) {
      chosen.insert(sources[row].network.name);
    }
    for (size_t i = 0; i < kNetworks; ++i) {
      LatencyRow row = MakeRow(i, kNew);
      (chosen.contains(row.network.name) ? calibration : others).push_back(row);
    }
  }

  template <typename Predictor>
  double MedianError(const Predictor& predictor, double factor = 1) const {
    std::vector<double> errors;
    for (const LatencyRow& row : others) {
      Estimate predicted =
          predictor.Predict(ToQuestion(row), *ConditionsFor(row));
      errors.push_back(
          std::abs(std::log(factor * predicted.value / *row.seconds)));
    }
    return *Quantile(errors, 0.5);
  }

  double BestFactor() const {
    std::vector<double> ratios;
    for (const LatencyRow& row : calibration) {
      ratios.push_back(
          *row.seconds /
          base->Predict(ToQuestion(row), *ConditionsFor(row)).value);
    }
    return *Quantile(ratios, 0.5);
  }
};

TEST(CalibratedPredictor, BeatsTheBasePredictorAndASingleFactorOnANewDevice) {
  Scene scene;
  ASSERT_EQ(scene.calibration.size(), 10u);
  auto calibrated = CalibratedPredictor::Fit(scene.base, scene.calibration);
  ASSERT_TRUE(calibrated.ok()) << calibrated.error().message();
  double own = scene.MedianError(*calibrated);
  EXPECT_LT(own, 0.5 * scene.MedianError(*scene.base));
  EXPECT_LT(own, 0.7 * scene.MedianError(*scene.base, scene.BestFactor()));
  EXPECT_LT(own, 0.2);
}

TEST(CalibratedPredictor, IntervalContainsMostNetworks) {
  Scene scene;
  auto calibrated = CalibratedPredictor::Fit(scene.base, scene.calibration);
  ASSERT_TRUE(calibrated.ok());
  double held = 0;
  for (const LatencyRow& row : scene.others) {
    Estimate predicted =
        calibrated->Predict(ToQuestion(row), *ConditionsFor(row));
    if (predicted.low <= *row.seconds && *row.seconds <= predicted.high) ++held;
  }
  EXPECT_GE(held / static_cast<double>(scene.others.size()), 0.8);
}

TEST(CalibratedPredictor, DoesNotChangeAnswersForOtherNodes) {
  Scene scene;
  auto calibrated = CalibratedPredictor::Fit(scene.base, scene.calibration);
  ASSERT_TRUE(calibrated.ok());
  ClusterNode known{.name = "a"};
  known.facts.cores = 1;
  known.micro = MicroMeasurements{.speeds = {*scene.sources[0].one_thread}};
  ClusterNode fresh = known;
  fresh.name = "new";
  ClusterNode namesake = fresh;
  namesake.facts.cores = 4;
  const ClusterNode* nodes[] = {&known, &fresh, &namesake};
  NetworkQuestion question = ToQuestion(scene.others[0]);
  std::vector<Estimate> before =
      scene.base->Predict(question, nodes, Detail::kWords);
  std::vector<Estimate> after =
      calibrated->Predict(question, nodes, Detail::kWords);
  EXPECT_EQ(after[0].value, before[0].value);
  EXPECT_NE(after[1].value, before[1].value);
  EXPECT_EQ(after[2].value, before[2].value);
  EXPECT_NE(calibrated->origin().find("calibrated for new (runs: 10)"),
            std::string::npos);
}

TEST(CalibratedPredictor, OneRunYieldsOneFactor) {
  Scene scene;
  std::span<const LatencyRow> one(scene.calibration.data(), 1);
  auto calibrated = CalibratedPredictor::Fit(scene.base, one);
  ASSERT_TRUE(calibrated.ok());
  const LatencyRow& row = one[0];
  EXPECT_NEAR(calibrated->Predict(ToQuestion(row), *ConditionsFor(row)).value /
                  *row.seconds,
              1, 0.05);
}

TEST(CalibratedPredictor, RejectsNoRunsAndRunsOfTwoDevices) {
  Scene scene;
  std::vector<LatencyRow> mixed = {scene.calibration[0], scene.sources[0]};
  EXPECT_FALSE(CalibratedPredictor::Fit(scene.base, mixed).ok());
  EXPECT_FALSE(CalibratedPredictor::Fit(scene.base, {}).ok());
  std::vector<LatencyRow> failed = {scene.calibration[0]};
  failed[0].outcome = OutcomeKind::kOutOfMemory;
  EXPECT_FALSE(CalibratedPredictor::Fit(scene.base, failed).ok());
}

TEST(CalibratedPredictor, NeedsAPredictorOfTimesFromLayers) {
  Scene scene;
  for (bool counts : {true, false}) {
    TreePredictor::Parts parts = scene.base->parts();
    if (counts) {
      parts.kind = FeatureKind::kCounts;
    } else {
      parts.quantity = Quantity::kJoules;
    }
    auto fitted = CalibratedPredictor::Fit(
        std::make_shared<const TreePredictor>(parts), scene.calibration);
    ASSERT_FALSE(fitted.ok());
    EXPECT_EQ(fitted.error().message(),
              "calibrate: expected a latency predictor that uses traits");
  }
}

TEST(CalibratedPredictor, SkipsRunsWithoutATime) {
  Scene scene;
  std::vector<LatencyRow> rows = scene.calibration;
  rows[0].seconds = 0;
  rows[1].seconds.reset();
  rows[2].one_thread.reset();
  auto fitted = CalibratedPredictor::Fit(scene.base, rows);
  ASSERT_TRUE(fitted.ok());
  EXPECT_EQ(fitted->rows(), 7u);
}

TEST(CalibratedPredictor, WithoutLayersTheAnswerIsThatOfTheBase) {
  Scene scene;
  auto fitted = CalibratedPredictor::Fit(scene.base, scene.calibration);
  NetworkQuestion question = ToQuestion(scene.others[0]);
  question.traits.reset();
  const DeviceConditions conditions = *ConditionsFor(scene.others[0]);
  EXPECT_EQ(fitted->Predict(question, conditions).value,
            scene.base->Predict(question, conditions).value);
}

// Errors were corrected, so the interval may not get narrower than that of the
// base, and its middle moves.
TEST(CalibratedPredictor, TheIntervalIsAtLeastAsWideAsBefore) {
  Scene scene;
  TreePredictor::Parts parts = scene.base->parts();
  for (double radius : {0.001, 2.0}) {
    parts.radius = radius;
    auto base = std::make_shared<const TreePredictor>(parts);
    auto fitted = CalibratedPredictor::Fit(base, scene.calibration);
    const LatencyRow& row = scene.others[0];
    Estimate one = fitted->Predict(ToQuestion(row), *ConditionsFor(row));
    Estimate before = base->Predict(ToQuestion(row), *ConditionsFor(row));
    const double above = std::log(one.high / one.value);
    EXPECT_NEAR(above, std::log(one.value / one.low), 1e-9);
    if (radius > 1) {
      EXPECT_NEAR(above, std::log(before.high / before.value), 1e-9);
    } else {
      EXPECT_GT(above, 0.01);
      EXPECT_LT(above, 1);
    }
  }
}

TEST(CalibratedPredictor, ConcernsTheDeviceWithItsThreads) {
  Scene scene;
  auto fitted = CalibratedPredictor::Fit(scene.base, scene.calibration);
  ClusterNode node{.name = "new"};
  node.facts.cores = 1;
  node.micro = MicroMeasurements{.speeds = {*scene.calibration[0].one_thread}};
  EXPECT_TRUE(fitted->Concerns(node));
  node.limits = Limits{.threads = 2};
  EXPECT_FALSE(fitted->Concerns(node));
  node.limits = Limits{.cpus = Millicores{500}, .threads = 1};
  EXPECT_FALSE(fitted->Concerns(node));
  node.limits.reset();
  node.facts.cores = 0;  // nothing is known of it
  EXPECT_FALSE(fitted->Concerns(node));
}

TEST(CalibratedDevices, CorrectsEachDeviceByItsOwnRuns) {
  Scene scene;
  std::vector<LatencyRow> slow = scene.calibration;
  for (LatencyRow& row : slow) {
    row.device = "slow";
    row.seconds = 10 * *row.seconds;
  }
  std::vector<CalibratedPredictor> own;
  own.push_back(
      CalibratedPredictor::Fit(scene.base, scene.calibration).value());
  own.push_back(CalibratedPredictor::Fit(scene.base, slow).value());
  const CalibratedDevices devices(scene.base, std::move(own));
  EXPECT_TRUE(devices.origin().ends_with(
      ", calibrated for new (runs: 10), calibrated for slow (runs: 10)"))
      << devices.origin();
  ClusterNode fresh{.name = "new"};
  fresh.facts.cores = 1;
  fresh.micro = MicroMeasurements{.speeds = {*scene.calibration[0].one_thread}};
  ClusterNode lame = fresh;
  lame.name = "slow";
  ClusterNode other = fresh;
  other.name = "other";
  const ClusterNode* nodes[] = {&other, &lame, &fresh};
  const NetworkQuestion question = ToQuestion(scene.calibration[0]);
  auto all = devices.Predict(question, nodes, Detail::kNumbers);
  EXPECT_EQ(all[0].value,
            scene.base->Predict(question, nodes, Detail::kNumbers)[0].value);
  EXPECT_NEAR(all[1].value / all[2].value, 10, 1);
  EXPECT_NEAR(all[2].value / *scene.calibration[0].seconds, 1, 0.3);
}

TEST(ChooseCalibrationNetworks, TakesEachNetworkOnce) {
  std::vector<LatencyRow> rows = SourceRows();
  std::vector<size_t> chosen = ChooseCalibrationNetworks(rows, 500);
  std::set<std::string> names;
  for (size_t row : chosen) names.insert(rows[row].network.name);
  EXPECT_EQ(chosen.size(), kNetworks);
  EXPECT_EQ(names.size(), kNetworks);
  EXPECT_TRUE(ChooseCalibrationNetworks({}, 10).empty());
}

TEST(ChooseCalibrationNetworks, TakesTheOutliersAmongSimilarNetworks) {
  std::vector<LatencyRow> rows;
  for (size_t i = 0; i < 32; ++i) {
    LatencyRow row = MakeRow(0, kNew);
    row.network.name = "network-" + std::to_string(i);
    row.network.work = {};
    WorkClass only = i == 30   ? WorkClass::kDepthwise
                     : i == 31 ? WorkClass::kGemm
                               : WorkClass::kSpatial;
    row.network.work[static_cast<size_t>(only)].flops = 1e9;
    rows.push_back(row);
  }
  std::vector<size_t> chosen = ChooseCalibrationNetworks(rows, 3);
  std::set<size_t> kinds;
  for (size_t row : chosen) kinds.insert(std::max<size_t>(row, 29));
  EXPECT_EQ(kinds, (std::set<size_t>{29, 30, 31}));
}

TEST(ChooseCalibrationNetworks, CoversTheWorkClasses) {
  std::vector<LatencyRow> rows = SourceRows();
  for (WorkClass which : kUsed) {
    double largest = 0;
    for (size_t row : ChooseCalibrationNetworks(rows, 10)) {
      RooflineTerms terms =
          ComputeTerms(rows[row].network, *rows[row].one_thread);
      double sum = 0;
      for (double term : terms) sum += term;
      largest = std::max(largest, terms[static_cast<size_t>(which)] / sum);
    }
    EXPECT_GT(largest, 0.25) << ToString(which);
  }
}

}  // namespace
}  // namespace mete
