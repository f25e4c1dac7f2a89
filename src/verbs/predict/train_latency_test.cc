#include "predict/train_latency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "predict/test_rows.h"
#include "predict/training_report.h"
#include "support/json.h"

namespace mete {
namespace {

const Validation& Find(const Trained& trained, const std::string& predictor,
                       Protocol protocol) {
  for (const Validation& one : trained.validations) {
    if (one.predictor == predictor && one.protocol == protocol) return one;
  }
  ADD_FAILURE() << predictor;
  return trained.validations.front();
}

const Trained& Known() {
  static const std::vector<LatencyRow> rows = TestRows();
  static const Trained trained =
      TrainLatency({.rows = rows, .trees = TestTrees()},
                   {.random_folds = 5, .network_folds = 10}, {}, {})
          .value();
  return trained;
}

TEST(TrainLatency, PredictsUnseenNetworksBetterThanEveryBaseline) {
  const ErrorSummary own = *Find(Known(), "mete", Protocol::kNetworkOut).errors;
  EXPECT_LT(own.median_relative, 0.05);
  for (const char* rival :
       {"mean of the device", "PEPPER's columns", "roofline only"}) {
    EXPECT_LT(
        own.median_relative,
        Find(Known(), rival, Protocol::kNetworkOut).errors->median_relative)
        << rival;
  }
}

// What differs from the roofline is different for each network, so there is
// nothing to learn.
TEST(TrainLatency, KeepsTheRooflineWhereTheTreesLoseToIt) {
  std::vector<LatencyRow> rows =
      TestRows({.networks = 8, .speeds = {1, 0.5}, .loads = {0}});
  for (LatencyRow& row : rows) {
    DeviceConditions conditions = *ConditionsFor(row);
    Random random(DeriveSeed(5, row.network.name));
    row.seconds =
        3 * std::exp(0.3 * random.Normal()) *
        Roofline().Seconds(ComputeTerms(row.network, conditions.speed),
                           Slowdown(conditions));
  }
  Trained trained =
      TrainLatency({.rows = rows, .trees = TestTrees()},
                   {.random_folds = 2, .network_folds = 8}, {}, {})
          .value();
  double own =
      Find(trained, "mete", Protocol::kNetworkOut).errors->median_relative;
  double roofline = Find(trained, "roofline only", Protocol::kNetworkOut)
                        .errors->median_relative;
  ASSERT_LT(roofline, own);
  EXPECT_TRUE(trained.roofline_only);
  // One factor for all rows, also after a round trip through the file.
  TreePredictor back =
      TreePredictor::FromJson(trained.predictor.ToJson()).value();
  auto factor = [&](const LatencyRow& row) {
    DeviceConditions conditions = *ConditionsFor(row);
    return back.Predict(ToQuestion(row), conditions).value /
           Roofline().Seconds(ComputeTerms(row.network, conditions.speed),
                              Slowdown(conditions));
  };
  EXPECT_NEAR(factor(rows[0]), factor(rows[7]), 1e-5);
  EXPECT_GT(factor(rows[0]), 2);
  EXPECT_NE(TrainingText(trained).find("worse than the roofline"),
            std::string::npos);
  EXPECT_TRUE(back.origin().starts_with("roofline, "));
}

TEST(TrainLatency, LineThroughAPairHasNoAnswerForAnUnseenNetwork) {
  EXPECT_TRUE(Find(Known(), "linear in load", Protocol::kRandom).errors);
  EXPECT_FALSE(Find(Known(), "linear in load", Protocol::kNetworkOut).errors);
}

TEST(TrainLatency, IntervalsHaveTheirNominalCoverage) {
  EXPECT_NEAR(*Find(Known(), "mete", Protocol::kNetworkOut).coverage, 0.9,
              0.05);
}

TEST(TrainLatency, SameRowsYieldTheSamePredictor) {
  std::vector<LatencyRow> rows = TestRows({.networks = 12});
  TrainOptions options{
      .random_folds = 2, .network_folds = 3, .baselines = false};
  Json one = TrainLatency({.rows = rows, .trees = TestTrees()}, options, {}, {})
                 .value()
                 .predictor.ToJson();
  Json two = TrainLatency({.rows = rows, .trees = TestTrees()}, options, {}, {})
                 .value()
                 .predictor.ToJson();
  EXPECT_EQ(one, two);
}

TEST(TrainLatency, IgnoresFailedRuns) {
  std::vector<LatencyRow> rows = TestRows({.networks = 2});
  rows[0].outcome = OutcomeKind::kOutOfMemory;
  rows[1].seconds.reset();
  rows[2].one_thread.reset();
  EXPECT_EQ(UsableRows({.rows = rows}).size(), rows.size() - 3);
}

TEST(TrainLatency, UsesTheFastestOfRepeatedRuns) {
  std::vector<LatencyRow> rows = TestRows({.networks = 2});
  size_t count = rows.size();
  LatencyRow disturbed = rows[0];
  *disturbed.seconds *= 1.7;
  LatencyRow undisturbed = rows[1];
  *undisturbed.seconds *= 0.9;
  rows.push_back(disturbed);
  rows.push_back(undisturbed);
  std::vector<size_t> usable = UsableRows({.rows = rows});
  ASSERT_EQ(usable.size(), count);
  EXPECT_EQ(usable[0], 0u);
  EXPECT_EQ(usable[1], count + 1);
}

TEST(TrainLatency, RejectsTooFewRowsAndSaysWhatToDo) {
  std::vector<LatencyRow> rows = TestRows({.networks = 2});
  Result<Trained> trained = TrainLatency({.rows = rows}, {}, {}, {});
  ASSERT_FALSE(trained.ok());
  EXPECT_NE(trained.error().message().find("mete collect"), std::string::npos);
}

TEST(TrainLatency, StopsOnRequest) {
  std::vector<LatencyRow> rows = TestRows({.networks = 5});
  std::stop_source stop;
  size_t fits = 0;
  Result<Trained> trained = TrainLatency(
      {.rows = rows}, {},
      [&](size_t, size_t) {
        ++fits;
        stop.request_stop();
      },
      stop.get_token());
  ASSERT_FALSE(trained.ok());
  EXPECT_EQ(trained.error().code(), ErrorCode::kInterrupted);
  EXPECT_EQ(fits, 1u);
}

TEST(TrainLatency, RecordsWhatItLearntFrom) {
  std::vector<LatencyRow> rows = TestRows({.networks = 4, .loads = {0, 0.5}});
  rows[0].engine = "other 1.0";
  rows.back().outcome = OutcomeKind::kOutOfMemory;
  const auto now = std::chrono::system_clock::from_time_t(1'700'000'000);
  Trained trained = TrainLatency({.rows = rows, .trees = TestTrees()},
                                 {.random_folds = 2,
                                  .network_folds = 4,
                                  .seed = 5,
                                  .mete_version = "1.2",
                                  .now = now,
                                  .baselines = false},
                                 {}, {})
                        .value();
  const Provenance& from = trained.predictor.parts().provenance;
  EXPECT_EQ(from.rows, 23u);  // 4 networks, 3 devices, 2 loads; one failed
  EXPECT_EQ(from.networks, 4u);
  EXPECT_EQ(from.devices,
            (std::vector<std::string>{"device-0.250000", "device-0.500000",
                                      "device-1.000000"}));
  EXPECT_EQ(from.engines,
            (std::vector<std::string>{"onnxruntime 1.22.0", "other 1.0"}));
  EXPECT_EQ(from.table_sha256.size(), 64u);
  EXPECT_EQ(from.seed, 5u);
  EXPECT_EQ(from.mete_version, "1.2");
  EXPECT_EQ(from.trained_at, now);
  ASSERT_EQ(trained.validations.size(), 3u);
  EXPECT_EQ(trained.validations[0].protocol, Protocol::kRandom);
  EXPECT_EQ(trained.validations[1].protocol, Protocol::kNetworkOut);
  EXPECT_EQ(trained.validations[2].protocol, Protocol::kDeviceOut);
  for (const Validation& one : trained.validations) {
    EXPECT_EQ(one.predictor, "mete");
    EXPECT_EQ(one.errors->rows, 23u);
  }
  EXPECT_EQ(trained.network_out.rows.size(), 23u);
}

TEST(TrainLatency, KeepsTheRangesOfItsColumns) {
  const auto& columns = FeatureColumns(FeatureKind::kFull);
  const auto& ranges = Known().predictor.parts().ranges;
  auto range = [&](const std::string& name) {
    auto found = std::ranges::find(columns, name, &FeatureColumn::name);
    return ranges[static_cast<size_t>(found - columns.begin())];
  };
  EXPECT_EQ(range("cpus").low, -2);  // log2 of a quarter
  EXPECT_EQ(range("cpus").high, 0);
  EXPECT_EQ(range("threads").low, 1);
  EXPECT_GE(range("load").low, 0);
  EXPECT_LE(range("load").low, 0.02);
  EXPECT_GE(range("load").high, 0.6);
  EXPECT_LE(range("load").high, 0.62);
}

TEST(TrainLatency, AColumnThatIsAlwaysUnknownHasAnEmptyRange) {
  std::vector<LatencyRow> rows = TestRows({.networks = 4, .loads = {0}});
  for (LatencyRow& row : rows) row.ram_bytes.reset();
  Trained trained =
      TrainLatency({.rows = rows, .trees = TestTrees()},
                   {.random_folds = 2, .network_folds = 4, .baselines = false},
                   {}, {})
          .value();
  const auto& columns = FeatureColumns(FeatureKind::kFull);
  auto found =
      std::ranges::find(columns, "memory_headroom", &FeatureColumn::name);
  const ColumnRange range =
      trained.predictor.parts()
          .ranges[static_cast<size_t>(found - columns.begin())];
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 0);
}

TEST(TrainLatency, RanksColumnsByTheirGain) {
  const auto& importance = Known().importance;
  ASSERT_EQ(importance.size(), FeatureColumns(FeatureKind::kFull).size());
  double sum = 0;
  for (size_t i = 0; i < importance.size(); ++i) {
    sum += importance[i].gain;
    if (i > 0) {
      EXPECT_LE(importance[i].gain, importance[i - 1].gain);
    }
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_GT(importance[0].gain, 0.1);
}

// Of networks that were held out: the ratio of two devices is known better
// than either time.
TEST(TrainLatency, KnowsTheRatioOfTwoDevices) {
  const TreePredictor::Parts& parts = Known().predictor.parts();
  ASSERT_TRUE(parts.ratio_radius);
  EXPECT_GT(*parts.ratio_radius, 0.001);
  EXPECT_LT(*parts.ratio_radius, 0.2);
  EXPECT_GT(parts.radius, 0.005);
  EXPECT_LT(parts.radius, 0.4);
  std::vector<LatencyRow> rows =
      TestRows({.networks = 12, .speeds = {1}, .loads = {0}});
  Trained one_device =
      TrainLatency({.rows = rows, .trees = TestTrees()},
                   {.random_folds = 2, .network_folds = 12, .baselines = false},
                   {}, {})
          .value();
  EXPECT_FALSE(one_device.predictor.parts().ratio_radius);
  // There is no second device to leave one out.
  EXPECT_FALSE(Find(one_device, "mete", Protocol::kDeviceOut).errors);
  EXPECT_EQ(one_device.fastest.cases, 0u);
}

// Too few networks for an interval: twice the worst error of those held out.
TEST(TrainLatency, AFewNetworksHaveAWideInterval) {
  std::vector<LatencyRow> rows = TestRows({.networks = 4, .loads = {0}});
  Trained trained =
      TrainLatency({.rows = rows, .trees = TestTrees()},
                   {.random_folds = 2, .network_folds = 4, .baselines = false},
                   {}, {})
          .value();
  double worst = 0;
  const HeldOut& held = trained.network_out;
  for (size_t i = 0; i < held.rows.size(); ++i) {
    worst =
        std::max(worst, std::abs(std::log(held.truth[i] / held.predicted[i])));
  }
  EXPECT_GT(worst, 0.01);
  EXPECT_NEAR(trained.predictor.parts().radius, 2 * worst, 1e-9);
  EXPECT_FALSE(Find(trained, "mete", Protocol::kNetworkOut).coverage);
  // Twice the worst error covers every row of the other folds.
  EXPECT_GT(*Find(trained, "mete", Protocol::kRandom).coverage, 0.9);
}

TEST(TrainLatency, ReportsEveryFit) {
  std::vector<LatencyRow> rows = TestRows({.networks = 4});
  for (bool baselines : {false, true}) {
    std::vector<std::pair<size_t, size_t>> steps;
    ASSERT_TRUE(
        TrainLatency(
            {.rows = rows, .trees = TestTrees()},
            {.random_folds = 2, .network_folds = 3, .baselines = baselines},
            [&](size_t done, size_t of) { steps.emplace_back(done, of); }, {})
            .ok());
    // 2 random folds, 3 of networks, 3 devices, and the last fit.
    const size_t all = 8 * (baselines ? 5 : 1) + 1;
    ASSERT_EQ(steps.size(), all);
    EXPECT_EQ(steps.front(), (std::pair<size_t, size_t>(1, all)));
    EXPECT_EQ(steps.back(), (std::pair(all, all)));
  }
}

TEST(TrainLatency, NeedsTwelveRunsOfThreeNetworks) {
  const TrainOptions options{
      .random_folds = 2, .network_folds = 3, .baselines = false};
  std::vector<LatencyRow> rows =
      TestRows({.networks = 3, .speeds = {1, 0.5}, .loads = {0, 0.5}});
  EXPECT_TRUE(
      TrainLatency({.rows = rows, .trees = TestTrees()}, options, {}, {}).ok());
  rows.pop_back();
  EXPECT_EQ(TrainLatency({.rows = rows, .trees = TestTrees()}, options, {}, {})
                .error()
                .message(),
            "training needs at least 12 usable runs of 3 networks, found 11 of "
            "3; measure more with mete collect");
  rows = TestRows({.networks = 2});
  EXPECT_FALSE(
      TrainLatency({.rows = rows, .trees = TestTrees()}, options, {}, {}).ok());
}

TEST(TrainLatency, LearnsEnergyFromJoules) {
  std::vector<LatencyRow> rows = TestRows({.networks = 6, .loads = {0}});
  for (LatencyRow& row : rows) {
    row.joules = 5 * *row.seconds;
    row.seconds.reset();
  }
  const TrainRequest request{
      .rows = rows, .quantity = Quantity::kJoules, .trees = TestTrees()};
  EXPECT_EQ(TargetFor(request, rows[0]), rows[0].joules);
  EXPECT_EQ(UsableRows(request).size(), rows.size());
  EXPECT_TRUE(UsableRows({.rows = rows}).empty());
  Trained trained =
      TrainLatency(request,
                   {.random_folds = 2, .network_folds = 6, .baselines = true},
                   {}, {})
          .value();
  EXPECT_EQ(trained.predictor.parts().quantity, Quantity::kJoules);
  // The roofline is an estimate of time, so it cannot replace the trees.
  EXPECT_FALSE(trained.roofline_only);
}

TEST(UsableRows, DistinguishBatchesThreadsAndLoads) {
  std::vector<LatencyRow> rows =
      TestRows({.networks = 1, .speeds = {1}, .loads = {0}});
  rows.assign(6, rows[0]);
  rows[1].network.batch = 2;
  rows[2].threads = 2;
  rows[3].load_asked = 0.5;
  rows[4].load_asked.reset();
  rows[5].load_asked.reset();  // under an unknown load, nothing is a repeat
  EXPECT_EQ(UsableRows({.rows = rows}).size(), 6u);
  rows[1] = rows[0];
  EXPECT_EQ(UsableRows({.rows = rows}),
            (std::vector<size_t>{0, 2, 3, 4, 5}));  // the first of equal ones
  rows[0].seconds = 0;
  EXPECT_EQ(UsableRows({.rows = rows}), (std::vector<size_t>{1, 2, 3, 4, 5}));
}

TEST(TrainingReport, FitsATerminal) {
  std::string text = TrainingText(Known());
  size_t widest = 0;
  size_t start = 0;
  for (size_t end = text.find('\n'); end != std::string::npos;
       start = end + 1, end = text.find('\n', start)) {
    widest = std::max(widest, end - start);
  }
  EXPECT_LE(widest, 80u) << text;
  EXPECT_NE(text.find("unseen network"), std::string::npos);
}

}  // namespace
}  // namespace mete
