#include "predict/train_latency.h"

#include <gtest/gtest.h>

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
