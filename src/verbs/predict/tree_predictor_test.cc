#include "predict/tree_predictor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "predict/test_rows.h"
#include "predict/train_latency.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

TreePredictor Train(FeatureKind kind) {
  static const std::vector<LatencyRow> rows = TestRows();
  return TrainLatency(
             {.rows = rows, .kind = kind, .trees = TestTrees()},
             {.random_folds = 2, .network_folds = 5, .baselines = false}, {},
             {})
      .value()
      .predictor;
}

const TreePredictor& Full() {
  static const TreePredictor predictor = Train(FeatureKind::kFull);
  return predictor;
}

ClusterNode Node(double speed, double load) {
  ClusterNode node;
  node.facts.cores = 1;
  node.facts.ram = Bytes{1'000'000'000};
  node.limits = Limits{.cpus = Millicores{static_cast<int64_t>(1000 * speed)},
                       .threads = 1};
  node.micro = MicroMeasurements{.speeds = {TestSpeed(speed)}};
  node.load = load;
  return node;
}

Estimate Ask(const TreePredictor& predictor, const NetworkTraits& network,
             const ClusterNode& node) {
  const ClusterNode* nodes[] = {&node};
  return predictor
      .Predict({.name = network.name,
                .counts = ToNetworkCounts(network),
                .traits = network},
               nodes, Detail::kWords)
      .front();
}

// The estimate itself, without trees. Every column was 0 to 10 in training.
TreePredictor Plain(FeatureKind kind = FeatureKind::kCounts) {
  const size_t columns = FeatureColumns(kind).size();
  TreePredictor::Parts parts{
      .kind = kind,
      .trees = FlatTrees::Constant(0, columns),
      .ranges = std::vector<ColumnRange>(columns, {.low = 0, .high = 10}),
      .radius = 0.5,
      .ratio_radius = 0.25};
  return TreePredictor(std::move(parts));
}

// Conditions whose columns are all 1.
DeviceConditions Inside() {
  return {.cpus = 2,
          .threads = 4,
          .speed = {.gemm_flops_per_second = 4,
                    .conv_flops_per_second = 8,
                    .depthwise_flops_per_second = 8,
                    .elementwise_bytes_per_second = 2,
                    .node_seconds = 0.5},
          .load = 0};
}

NetworkQuestion SevenCounts(double each) {
  return {.counts = {.conv_layers = each,
                     .pool_layers = each,
                     .fc_layers = each,
                     .filter_details = each,
                     .total_parameters = each,
                     .input_bytes = each,
                     .output_bytes = each}};
}

TEST(TreePredictor, TheIntervalIsTheRadiusInsideTheTrainingRange) {
  Estimate estimate = Plain().Predict(SevenCounts(7), Inside());
  EXPECT_NEAR(estimate.value, 0.25, 1e-9);  // one operation at 4 per second
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 0.5, 1e-9);
  EXPECT_NEAR(std::log(estimate.value / estimate.low), 0.5, 1e-9);
  EXPECT_NEAR(estimate.ratio_radius.value(), 0.25, 1e-9);
  EXPECT_TRUE(estimate.beyond_training.empty());
  EXPECT_TRUE(estimate.device_beyond_training.empty());
}

TEST(TreePredictor, TheWorstColumnWidensBothRadii) {
  // log2(1 + n) = 15 is half a range outside, 10.1 nearly inside.
  Estimate estimate = Plain().Predict(SevenCounts(std::exp2(15) - 1), Inside());
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 0.75, 1e-6);
  EXPECT_NEAR(estimate.ratio_radius.value(), 0.375, 1e-6);
  estimate = Plain().Predict(SevenCounts(std::exp2(10.1) - 1), Inside());
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 0.5, 1e-9);
  estimate = Plain().Predict(SevenCounts(std::exp2(10.3) - 1), Inside());
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 0.515, 1e-5);
}

TEST(TreePredictor, AColumnBelowItsRangeWidensToo) {
  DeviceConditions device = Inside();
  device.speed.node_seconds = 0.25 * std::exp2(-5);  // column -5
  Estimate estimate = Plain().Predict(SevenCounts(7), device);
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 0.75, 1e-6);
  ASSERT_EQ(estimate.device_beyond_training.size(), 1u);
  EXPECT_TRUE(estimate.device_beyond_training[0].starts_with(
      "operations per node 0.03"))
      << estimate.device_beyond_training[0];
  EXPECT_TRUE(estimate.device_beyond_training[0].ends_with(
      " (training range 1 to 1.02 k)"))
      << estimate.device_beyond_training[0];
}

TEST(TreePredictor, AMissingCountWidensByOneRangeAndIsNamed) {
  NetworkQuestion question = SevenCounts(7);
  question.counts.fc_layers.reset();
  Estimate estimate = Plain().Predict(question, Inside());
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 1, 1e-9);
  ASSERT_EQ(estimate.beyond_training.size(), 1u);
  EXPECT_EQ(estimate.beyond_training[0], "fully connected layers is unknown");
}

TEST(TreePredictor, AnAssumedSpeedWidensByAFactorOfThree) {
  DeviceConditions device = Inside();
  device.assumed = true;
  Estimate estimate = Plain().Predict(SevenCounts(7), device);
  EXPECT_NEAR(std::log(estimate.high / estimate.value), 0.5 + std::log(3),
              1e-9);
  EXPECT_NEAR(estimate.ratio_radius.value(), 0.25 + std::log(3), 1e-9);
}

TEST(TreePredictor, NumbersAloneHaveNoWords) {
  ClusterNode node;
  node.facts.cores = 2;
  const ClusterNode* nodes[] = {&node};
  NetworkQuestion far = SevenCounts(1e9);
  Estimate words = Plain().Predict(far, nodes, Detail::kWords)[0];
  Estimate numbers = Plain().Predict(far, nodes, Detail::kNumbers)[0];
  EXPECT_FALSE(words.beyond_training.empty());
  EXPECT_NE(words.assumption, "");
  EXPECT_TRUE(numbers.beyond_training.empty());
  EXPECT_TRUE(numbers.device_beyond_training.empty());
  EXPECT_EQ(numbers.assumption, "");
  EXPECT_EQ(numbers.value, words.value);
}

TEST(TreePredictor, TheSlowdownAppliesToCountsToo) {
  DeviceConditions device = Inside();
  device.threads = 2;
  device.load = 0.5;
  EXPECT_NEAR(Plain().Predict(SevenCounts(7), device).value, 0.5, 1e-9);
  TreePredictor::Parts parts = Plain().parts();
  parts.roofline.load_exponent = 0.5;
  EXPECT_NEAR(TreePredictor(parts).Predict(SevenCounts(7), device).value,
              0.25 * std::sqrt(2), 1e-9);
}

TEST(TreePredictor, ItsOriginSaysWhatItWasTrainedOn) {
  TreePredictor::Parts parts = Plain().parts();
  parts.provenance = {.rows = 12,
                      .networks = 1,
                      .devices = {"a", "b"},
                      .trained_at = *ParseUtc("2026-05-01T00:00:00Z"),
                      .bundled = true};
  EXPECT_EQ(TreePredictor(parts).origin(),
            "roofline, starter: 1 network on 2 devices, 12 runs, 2026-05-01");
}

TEST(TreePredictor, RejectsAnUnknownKindAndOtherUnits) {
  Json json = Plain().ToJson();
  json["kind"] = "half";
  EXPECT_NE(TreePredictor::FromJson(json).error().message().find(
                "kind 'half' is unknown; the file was written by a newer mete"),
            std::string::npos);
  json = Plain().ToJson();
  json["columns"][0]["unit"] = "feet";
  EXPECT_EQ(TreePredictor::FromJson(json).error().code(),
            ErrorCode::kUnsupported);
  json = Plain().ToJson();
  json["columns"].erase(0);
  EXPECT_EQ(TreePredictor::FromJson(json).error().code(),
            ErrorCode::kUnsupported);
}

TEST(TreePredictor, ItsFileKeepsEveryPart) {
  TreePredictor::Parts parts = Plain().parts();
  parts.quantity = Quantity::kJoules;
  parts.roofline.load_exponent = 0.7;
  parts.provenance = {.rows = 12,
                      .networks = 3,
                      .devices = {"a"},
                      .engines = {"fake 1.0"},
                      .table_sha256 = "abc",
                      .seed = 9,
                      .mete_version = "0.1.0",
                      .trained_at = *ParseUtc("2026-05-01T00:00:00Z")};
  auto back = TreePredictor::FromJson(TreePredictor(parts).ToJson());
  ASSERT_TRUE(back.ok()) << back.error().message();
  const TreePredictor::Parts& read = back->parts();
  EXPECT_EQ(read.kind, FeatureKind::kCounts);
  EXPECT_EQ(read.quantity, Quantity::kJoules);
  EXPECT_EQ(read.roofline.load_exponent, 0.7);
  EXPECT_EQ(read.radius, 0.5);
  EXPECT_EQ(read.ratio_radius, 0.25);
  EXPECT_EQ(read.ranges[1].high, 10);
  EXPECT_EQ(read.provenance.rows, 12u);
  EXPECT_EQ(read.provenance.networks, 3u);
  EXPECT_EQ(read.provenance.engines, std::vector<std::string>{"fake 1.0"});
  EXPECT_EQ(read.provenance.table_sha256, "abc");
  EXPECT_EQ(read.provenance.seed, 9u);
  EXPECT_EQ(read.provenance.mete_version, "0.1.0");
  EXPECT_EQ(read.provenance.trained_at, parts.provenance.trained_at);
}

TEST(TreePredictor, PredictsAnUnseenNetwork) {
  LatencyRow row = TestRows({.networks = 1, .speeds = {0.5}, .loads = {0}})[0];
  row.network = TestNetwork(777);
  row.load = 0;
  Estimate estimate = Ask(Full(), row.network, Node(0.5, 0));
  EXPECT_NEAR(estimate.value, TestLaw(row), 0.1 * TestLaw(row));
  EXPECT_LT(estimate.low, estimate.value);
  EXPECT_GT(estimate.high, estimate.value);
}

TEST(TreePredictor, DependsOnLoadAndSpeed) {
  NetworkTraits network = TestNetwork(5);
  double idle = Ask(Full(), network, Node(1, 0)).value;
  EXPECT_NEAR(Ask(Full(), network, Node(1, 0.5)).value / idle, 2, 0.15);
  EXPECT_NEAR(Ask(Full(), network, Node(0.25, 0)).value / idle, 4, 0.3);
}

TEST(TreePredictor, IgnoresDiskUsage) {
  NetworkTraits network = TestNetwork(5);
  ClusterNode node = Node(1, 0.2);
  double before = Ask(Full(), network, node).value;
  node.disk_used = 0.99;
  EXPECT_EQ(Ask(Full(), network, node).value, before);
}

TEST(TreePredictor, NeverFallsWhenLoadRises) {
  NetworkTraits network = TestNetwork(8);
  double before = 0;
  for (int percent = 0; percent <= 100; percent += 2) {
    double value = Ask(Full(), network, Node(1, percent / 100.0)).value;
    ASSERT_GE(value, before) << percent;
    before = value;
  }
}

TEST(TreePredictor, InputsOutsideTheTrainingRangeAreReportedAndWiden) {
  NetworkTraits network = TestNetwork(5);
  Estimate inside = Ask(Full(), network, Node(1, 0.3));
  EXPECT_TRUE(inside.beyond_training.empty());
  Estimate beyond = Ask(Full(), network, Node(1, 0.99));
  // The device is unusual, the network is not.
  EXPECT_TRUE(beyond.beyond_training.empty());
  ASSERT_EQ(beyond.device_beyond_training.size(), 1u);
  EXPECT_TRUE(
      beyond.device_beyond_training[0].starts_with("load 99 % (training "))
      << beyond.device_beyond_training[0];
  EXPECT_GT(beyond.high / beyond.low, inside.high / inside.low);
}

TEST(TreePredictor, PredictsRatiosOfDevicesBetterThanTimes) {
  // The law has no property of devices that training does not see. The only
  // error left in a ratio is the noise of two runs, 2 % each.
  ASSERT_TRUE(Full().parts().ratio_radius);
  EXPECT_NEAR(*Full().parts().ratio_radius, 1.645 * 0.02 * std::sqrt(2), 0.03);
  Estimate estimate = Ask(Full(), TestNetwork(5), Node(1, 0.3));
  EXPECT_EQ(estimate.ratio_radius, Full().parts().ratio_radius);
}

TEST(TreePredictor, AbsentWorkClassIsNeverOutsideTheTrainingRange) {
  NetworkTraits network = TestNetwork(5);
  network.work[static_cast<size_t>(WorkClass::kGemm)] = {};
  for (const std::string& one :
       Ask(Full(), network, Node(1, 0.3)).beyond_training) {
    EXPECT_FALSE(one.starts_with("gemm ")) << one;
  }
}

TEST(TreePredictor, WideningIsLimitedAndTheWorstColumnsAreReported) {
  NetworkTraits network = TestNetwork(5);
  network.batch = 1 << 20;
  network.input_bytes = 1e18;
  network.output_bytes = 1e15;
  Estimate far = Ask(Full(), network, Node(1, 0.3));
  EXPECT_NEAR(std::log(far.high / far.value), 3 * Full().parts().radius, 1e-9);
  ASSERT_EQ(far.beyond_training.size(), 3u);
  EXPECT_TRUE(far.beyond_training[0].starts_with("output size "));
  EXPECT_EQ(far.beyond_training[2], "and 1 more");
}

TEST(TreePredictor, ANetworkALittleOutsideTheTrainingRangeIsNotWorthAWarning) {
  NetworkTraits network = TestNetwork(5);
  const auto& columns = FeatureColumns(FeatureKind::kFull);
  const size_t output =
      std::ranges::find(columns, "output_bytes", &FeatureColumn::name) -
      columns.begin();
  const double most = std::exp2(Full().parts().ranges[output].high);
  network.output_bytes = 1.5 * most;
  EXPECT_TRUE(Ask(Full(), network, Node(1, 0.3)).beyond_training.empty());
  network.output_bytes = 3 * most;
  Estimate far = Ask(Full(), network, Node(1, 0.3));
  ASSERT_EQ(far.beyond_training.size(), 1u);
  EXPECT_TRUE(far.beyond_training[0].starts_with("output size "));
}

TEST(TreePredictor, EstimatedSpeedWidensByMoreThanAFactorOfThree) {
  NetworkTraits network = TestNetwork(5);
  ClusterNode node = Node(1, 0.3);
  node.micro.reset();
  Estimate estimate = Ask(Full(), network, node);
  EXPECT_GT(estimate.high / estimate.value, 3);
  EXPECT_TRUE(estimate.assumption.starts_with(
      "engine speed not measured; estimated from "))
      << estimate.assumption;
}

TEST(TreePredictor, RoundTripsThroughItsFileExactly) {
  TreePredictor back = TreePredictor::FromJson(Full().ToJson()).value();
  for (uint64_t number : {1, 2, 300}) {
    NetworkTraits network = TestNetwork(number);
    EXPECT_EQ(Ask(back, network, Node(0.5, 0.1)).value,
              Ask(Full(), network, Node(0.5, 0.1)).value);
  }
  EXPECT_EQ(back.origin(), Full().origin());
}

TEST(TreePredictor, RejectsAFileWithOtherColumnsByName) {
  Json json = Full().ToJson();
  json["columns"][3]["name"] = "shoe_size";
  Result<TreePredictor> read = TreePredictor::FromJson(json);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(read.error().message().find("'shoe_size'"), std::string::npos);
  EXPECT_NE(read.error().message().find("train it again"), std::string::npos);
}

TEST(TreePredictor, HasNoEstimateForANodeWithoutCpus) {
  ClusterNode node = Node(1, 0);
  node.facts.cores = 0;
  node.limits.reset();
  const ClusterNode* nodes[] = {&node};
  NetworkQuestion question{.traits = TestNetwork(3)};
  EXPECT_TRUE(
      std::isnan(Full().Predict(question, nodes, Detail::kWords)[0].value));
}

TEST(TreePredictor, RejectsOtherFiles) {
  EXPECT_FALSE(TreePredictor::FromJson(Json::object()).ok());
  EXPECT_FALSE(TreePredictor::FromJson(Json::array()).ok());
  Json json = Full().ToJson();
  json["version"] = 99;
  EXPECT_EQ(TreePredictor::FromJson(json).error().code(),
            ErrorCode::kUnsupported);
  json = Full().ToJson();
  json["trees"] = "%%%";
  EXPECT_FALSE(TreePredictor::FromJson(json).ok());
  json = Full().ToJson();
  json.erase("load_exponent");
  EXPECT_EQ(TreePredictor::FromJson(json).error().code(), ErrorCode::kCorrupt);
}

TEST(TreePredictor, CountsPredictorUsesOnlyTheCounts) {
  TreePredictor counts = Train(FeatureKind::kCounts);
  NetworkTraits network = TestNetwork(5);
  ClusterNode node = Node(1, 0);
  const ClusterNode* nodes[] = {&node};
  double value = counts
                     .Predict({.counts = ToNetworkCounts(network)}, nodes,
                              Detail::kWords)[0]
                     .value;
  network.flops *= 1000;
  EXPECT_EQ(
      counts
          .Predict({.counts = ToNetworkCounts(network), .traits = network},
                   nodes, Detail::kWords)[0]
          .value,
      value);
}

}  // namespace
}  // namespace mete
