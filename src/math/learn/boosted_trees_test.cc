#include "learn/boosted_trees.h"

#include <gtest/gtest.h>

#include <limits>

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

TEST(BoostedTrees, StartFromTheMeanOfTheTargets) {
  FeatureTable table{.columns = {"a"}};
  for (float a : {1.0f, 2.0f, 3.0f}) table.AddRow(std::vector<float>{a});
  std::vector<float> target = {2, 4, 9};
  FlatTrees unmoved = TrainTrees({.table = table, .target = target},
                                 {.trees = 1, .learning_rate = 0})
                          .value();
  EXPECT_EQ(unmoved.trees(), 1u);
  EXPECT_FLOAT_EQ(unmoved.Predict(table.Row(0)), 5);
}

TEST(BoostedTrees, FollowTheHeavierRows) {
  FeatureTable table{.columns = {"a"}};
  for (int i = 0; i < 20; ++i) table.AddRow(std::vector<float>{1});
  std::vector<float> target;
  std::vector<float> weights;
  for (int i = 0; i < 20; ++i) {
    target.push_back(i % 2 == 0 ? 0.0f : 10.0f);
    weights.push_back(i % 2 == 0 ? 1.0f : 99.0f);
  }
  FlatTrees trees =
      TrainTrees({.table = table, .target = target, .weights = weights},
                 {.trees = 200})
          .value();
  EXPECT_GT(trees.Predict(table.Row(0)), 9);
}

TEST(BoostedTrees, RejectWeightsOrDirectionsOfAnotherNumber) {
  FeatureTable table{.columns = {"a"}};
  table.AddRow(std::vector<float>{1});
  const std::vector<float> target = {1};
  EXPECT_TRUE(TrainTrees({.table = table, .target = target}, {}).ok());
  EXPECT_FALSE(
      TrainTrees({.table = table, .target = target, .weights = {1, 2}}, {})
          .ok());
  EXPECT_FALSE(
      TrainTrees({.table = table, .target = target}, {.monotone = {1, 1}})
          .ok());
}

TEST(BoostedTrees, ConstrainTheColumnsInTheirOrder) {
  // Only the second column is constrained; the target falls with both.
  FeatureTable table{.columns = {"a", "b"}};
  std::vector<float> target;
  for (int i = 0; i < 100; ++i) {
    const int tens = i / 10;
    auto a = static_cast<float>(i % 10);
    auto b = static_cast<float>(tens);
    table.AddRow(std::vector<float>{a, b});
    target.push_back(-a - b);
  }
  FlatTrees trees =
      TrainTrees({.table = table, .target = target}, {.monotone = {0, 1}})
          .value();
  auto predict = [&](float a, float b) {
    return trees.Predict(std::vector<float>{a, b});
  };
  EXPECT_LT(predict(9, 5), predict(0, 5) - 5);
  EXPECT_GE(predict(5, 9), predict(5, 0));
}

TEST(BoostedTrees, GainSharesAddUpToOne) {
  KnownLaw law = MakeKnownLaw(300, 1);
  Booster booster =
      Booster::Train({.table = law.table, .target = law.target}, {}).value();
  std::vector<double> shares = booster.GainShares().value();
  EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-6);
  EXPECT_GT(shares[1], shares[2]);
}

TEST(BoostedTrees, NameTheActThatXgboostRefuses) {
  KnownLaw law = MakeKnownLaw(20, 1);
  auto trees = TrainTrees({.table = law.table, .target = law.target},
                          {.trees = 1, .row_share = -1});
  ASSERT_FALSE(trees.ok());
  EXPECT_EQ(trees.error().message().find('\n'), std::string::npos);
}

TEST(BoostedTrees, RejectTargetsAndWeightsThatXgboostRefuses) {
  FeatureTable table{.columns = {"a"}};
  table.AddRow(std::vector<float>{1});
  const float missing = std::numeric_limits<float>::quiet_NaN();
  auto no_target = TrainTrees(
      {.table = table, .target = std::vector<float>{missing}}, {.trees = 0});
  ASSERT_FALSE(no_target.ok());
  EXPECT_TRUE(no_target.error().message().starts_with("pass targets"))
      << no_target.error().message();
  auto no_weight = TrainTrees({.table = table,
                               .target = std::vector<float>{1},
                               .weights = std::vector<float>{-1}},
                              {.trees = 0});
  ASSERT_FALSE(no_weight.ok());
  EXPECT_TRUE(no_weight.error().message().starts_with("pass targets"))
      << no_weight.error().message();
}

}  // namespace
}  // namespace mete
