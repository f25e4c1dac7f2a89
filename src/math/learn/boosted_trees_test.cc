#include "learn/boosted_trees.h"

#include <gtest/gtest.h>

#include "learn/errors.h"
#include "learn/test_table.h"

namespace mete {
namespace {

TEST(BoostedTrees, LearnAKnownLaw) {
  KnownLaw law = MakeKnownLaw(2000, 1);
  KnownLaw fresh = MakeKnownLaw(500, 2);
  FlatTrees trees =
      TrainTrees({.table = law.table, .target = law.target}, {}).value();
  std::vector<float> predicted = trees.Predict(fresh.table);
  std::vector<double> truth(fresh.target.begin(), fresh.target.end());
  std::vector<double> answer(predicted.begin(), predicted.end());
  EXPECT_GT(SummariseErrors(truth, answer).r2, 0.95);
}

TEST(BoostedTrees, TheSameSeedGivesTheSameTrees) {
  KnownLaw law = MakeKnownLaw(300, 1);
  TreeSettings settings{.trees = 30, .row_share = 0.7, .seed = 5};
  TrainingRows rows{.table = law.table, .target = law.target};
  EXPECT_EQ(TrainTrees(rows, settings).value().Pack(),
            TrainTrees(rows, settings).value().Pack());
}

TEST(BoostedTrees, NeverDecreaseInAMonotoneColumn) {
  // The target decreases with a; the constraint must not let the prediction do
  // so.
  FeatureTable table{.columns = {"a"}};
  std::vector<float> target;
  for (int i = 0; i < 100; ++i) {
    table.AddRow(std::vector<float>{static_cast<float>(i)});
    target.push_back(static_cast<float>(i % 7) - 0.1f * static_cast<float>(i));
  }
  FlatTrees trees =
      TrainTrees({.table = table, .target = target}, {.monotone = {1}}).value();
  std::vector<float> predicted = trees.Predict(table);
  for (size_t i = 1; i < predicted.size(); ++i) {
    ASSERT_GE(predicted[i], predicted[i - 1]);
  }
}

TEST(BoostedTrees, GainGoesToTheColumnsThatMatter) {
  KnownLaw law = MakeKnownLaw(1000, 1);
  Booster booster =
      Booster::Train({.table = law.table, .target = law.target}, {}).value();
  std::vector<double> shares = booster.GainShares().value();
  ASSERT_EQ(shares.size(), 3u);
  EXPECT_GT(shares[0], 0.3);
  EXPECT_LT(shares[2], 0.05);
}

TEST(BoostedTrees, RejectATableWithoutRows) {
  FeatureTable table{.columns = {"a"}};
  std::vector<float> target;
  EXPECT_FALSE(TrainTrees({.table = table, .target = target}, {}).ok());
  table.AddRow(std::vector<float>{1});
  EXPECT_FALSE(TrainTrees({.table = table, .target = target}, {}).ok());
}

}  // namespace
}  // namespace mete
