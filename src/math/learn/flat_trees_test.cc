#include "learn/flat_trees.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "learn/boosted_trees.h"
#include "learn/test_table.h"
#include "support/json.h"

namespace mete {
namespace {

TEST(FlatTrees, MatchXgboostBitForBit) {
  KnownLaw law = MakeKnownLaw(500, 1);
  KnownLaw fresh = MakeKnownLaw(2000, 2);  // with missing cells
  Booster booster =
      Booster::Train({.table = law.table, .target = law.target},
                     {.trees = 145, .depth = 6, .learning_rate = 0.1})
          .value();
  FlatTrees flat =
      FlatTrees::FromXgboost(booster.SaveJson().value(), 3).value();
  EXPECT_EQ(flat.trees(), 145u);
  EXPECT_EQ(flat.Predict(fresh.table), booster.Predict(fresh.table).value());
}

TEST(FlatTrees, SendAValueAtAThresholdTheSameWay) {
  // Whole numbers, so that some values equal a threshold.
  FeatureTable table{.columns = {"a"}};
  std::vector<float> target;
  for (int i = 0; i < 200; ++i) {
    table.AddRow(std::vector<float>{static_cast<float>(i % 10)});
    target.push_back(static_cast<float>(i % 10 * (i % 10)));
  }
  Booster booster =
      Booster::Train({.table = table, .target = target}, {.trees = 10}).value();
  FlatTrees flat =
      FlatTrees::FromXgboost(booster.SaveJson().value(), 1).value();
  EXPECT_EQ(flat.Predict(table), booster.Predict(table).value());
}

TEST(FlatTrees, OneRowAndManyRowsAgree) {
  KnownLaw law = MakeKnownLaw(200, 3);
  FlatTrees flat =
      TrainTrees({.table = law.table, .target = law.target}, {.trees = 20})
          .value();
  std::vector<float> all = flat.Predict(law.table);
  for (size_t row = 0; row < law.table.rows(); ++row) {
    ASSERT_EQ(flat.Predict(law.table.Row(row)), all[row]);
  }
}

TEST(FlatTrees, AgreeForColumnsThatAllRowsShare) {
  KnownLaw law = MakeKnownLaw(300, 6);
  FlatTrees flat =
      TrainTrees({.table = law.table, .target = law.target}, {.trees = 40})
          .value();
  for (float shared : {0.3f, std::numeric_limits<float>::quiet_NaN()}) {
    FeatureTable table{.columns = law.table.columns};
    for (size_t row = 0; row < law.table.rows(); ++row) {
      std::span<const float> own = law.table.Row(row);
      table.AddRow(std::vector<float>{shared, own[1], own[2]});
    }
    std::vector<float> all = flat.Predict(table);
    for (size_t row = 0; row < table.rows(); ++row) {
      ASSERT_EQ(flat.Predict(table.Row(row)), all[row]);
    }
  }
  EXPECT_TRUE(flat.Predict(FeatureTable{.columns = law.table.columns}).empty());
}

TEST(FlatTrees, AgreeForRowsBetweenTheSameThresholds) {
  // Trained on 0, 1, 2 only: values between two thresholds get the same answer.
  FeatureTable trained{.columns = {"load", "size"}};
  std::vector<float> target;
  for (int i = 0; i < 90; ++i) {
    auto load = static_cast<float>(i % 3);
    const int step = i / 30;
    auto size = static_cast<float>(step);
    trained.AddRow(std::vector<float>{load, size});
    target.push_back(load * load + 10 * size);
  }
  FlatTrees flat =
      TrainTrees({.table = trained, .target = target}, {.trees = 10}).value();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  FeatureTable asked{.columns = trained.columns};
  for (int i = -10; i < 40; ++i) {
    auto load = static_cast<float>(i) / 10;
    asked.AddRow(std::vector<float>{load, 1.0f});
    asked.AddRow(std::vector<float>{load, kInfinity});
    asked.AddRow(
        std::vector<float>{load, std::numeric_limits<float>::quiet_NaN()});
    asked.AddRow(std::vector<float>{-kInfinity, load});
  }
  std::vector<float> all = flat.Predict(asked);
  for (size_t row = 0; row < asked.rows(); ++row) {
    ASSERT_EQ(flat.Predict(asked.Row(row)), all[row]) << "row " << row;
  }
}

TEST(FlatTrees, SurvivePackingBitByBit) {
  KnownLaw law = MakeKnownLaw(200, 4);
  FlatTrees flat =
      TrainTrees({.table = law.table, .target = law.target}, {.trees = 20})
          .value();
  FlatTrees back = FlatTrees::Unpack(flat.Pack(), 3).value();
  EXPECT_EQ(back.Predict(law.table), flat.Predict(law.table));
}

TEST(FlatTrees, RejectDamagedBytes) {
  KnownLaw law = MakeKnownLaw(50, 5);
  std::string bytes =
      TrainTrees({.table = law.table, .target = law.target}, {.trees = 2})
          .value()
          .Pack();
  EXPECT_FALSE(FlatTrees::Unpack(bytes.substr(0, bytes.size() - 5), 3).ok());
  EXPECT_FALSE(FlatTrees::Unpack("short", 3).ok());
  // A feature that does not exist.
  EXPECT_FALSE(FlatTrees::Unpack(bytes, 1).ok());
}

TEST(FlatTrees, RejectAChildBeforeItsParent) {
  KnownLaw law = MakeKnownLaw(50, 6);
  std::string bytes =
      TrainTrees({.table = law.table, .target = law.target}, {.trees = 1})
          .value()
          .Pack();
  // base score, count, one start; then value, left, feature of the root.
  bytes[4 + 4 + 4 + 4] = 0;
  bytes[4 + 4 + 4 + 4 + 12] = 1;  // the second node points to itself
  EXPECT_FALSE(FlatTrees::Unpack(bytes, 3).ok());
}

// Packs nodes as FlatTrees::Pack does, valid or not.
std::string PackNodes(const std::vector<uint32_t>& starts,
                      const std::vector<FlatTrees::Node>& nodes) {
  const float base = 0;
  const auto trees = static_cast<uint32_t>(starts.size());
  std::string bytes(reinterpret_cast<const char*>(&base), sizeof base);
  bytes.append(reinterpret_cast<const char*>(&trees), sizeof trees);
  bytes.append(reinterpret_cast<const char*>(starts.data()),
               starts.size() * sizeof(uint32_t));
  bytes.append(reinterpret_cast<const char*>(nodes.data()),
               nodes.size() * sizeof(FlatTrees::Node));
  return bytes;
}

TEST(FlatTrees, RejectARightChildBeyondItsTree) {
  const FlatTrees::Node split{.value = 1, .left = 1};
  const FlatTrees::Node leaf{.value = 2};
  EXPECT_TRUE(FlatTrees::Unpack(PackNodes({0}, {split, leaf, leaf}), 1).ok());
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({0}, {split, leaf}), 1).ok());
  // The node behind it belongs to the next tree.
  EXPECT_FALSE(
      FlatTrees::Unpack(PackNodes({0, 2}, {split, leaf, leaf}), 1).ok());
}

TEST(FlatTrees, RejectATreeWithoutNodes) {
  const FlatTrees::Node leaf{.value = 2};
  EXPECT_TRUE(FlatTrees::Unpack(PackNodes({0, 1}, {leaf, leaf}), 1).ok());
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({0, 2}, {leaf, leaf}), 1).ok());
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({0, 0}, {leaf, leaf}), 1).ok());
}

TEST(FlatTrees, RejectNodesThatBelongToNoTree) {
  const FlatTrees::Node stray{.value = 1, .left = 1, .feature = 1000};
  const FlatTrees::Node leaf{.value = 1};
  EXPECT_TRUE(FlatTrees::Unpack(PackNodes({0}, {leaf}), 3).ok());
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({}, {stray}), 3).ok());
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({1}, {stray, leaf}), 3).ok());
}

TEST(FlatTrees, PredictManyRowsWithATreeOfAnyDepth) {
  // A chain of splits: nodes 0, 1, 3, 5, … split; their right children do not.
  constexpr uint32_t kSplits = 200'000;
  std::vector<FlatTrees::Node> nodes(2 * kSplits + 1);
  for (uint32_t split = 0; split < kSplits; ++split) {
    nodes[split == 0 ? 0 : 2 * split - 1] = {.value = 5, .left = 2 * split + 1};
  }
  nodes[2 * kSplits - 1].value = 7;
  const FlatTrees flat = FlatTrees::Unpack(PackNodes({0}, nodes), 1).value();
  const FeatureTable table{.columns = {"a"}, .cells = {1, 2, 9}};
  EXPECT_EQ(flat.Predict(table), (std::vector<float>{7, 7, 0}));
}

TEST(FlatTrees, RejectOtherJson) {
  EXPECT_FALSE(FlatTrees::FromXgboost("{}", 3).ok());
  EXPECT_FALSE(FlatTrees::FromXgboost("[", 3).ok());
}

// XGBoost's JSON for one tree with the given arrays.
std::string TreeJson(const std::string& left, const std::string& right,
                     const std::string& base = "5E-1") {
  return R"({"learner":{"learner_model_param":{"base_score":")" + base +
         R"("},"gradient_booster":{"model":{"trees":[{"left_children":)" +
         left + R"(,"right_children":)" + right +
         R"(,"split_indices":[0,0,0],"split_conditions":[1.5,10,20],)" +
         R"("default_left":[1,0,0]}]}}}})";
}

TEST(FlatTrees, ReadTheTreesOfXgboost) {
  FlatTrees flat =
      FlatTrees::FromXgboost(TreeJson("[1,-1,-1]", "[2,-1,-1]"), 1).value();
  EXPECT_EQ(flat.Predict(std::vector<float>{1}), 10.5f);
  EXPECT_EQ(flat.Predict(std::vector<float>{1.5}), 20.5f);
  EXPECT_EQ(
      flat.Predict(std::vector<float>{std::numeric_limits<float>::quiet_NaN()}),
      10.5f);
  // Base score, number of trees, one start and three nodes.
  EXPECT_EQ(flat.Pack().size(), 12 + 3 * sizeof(FlatTrees::Node));
}

TEST(FlatTrees, RejectAChildThatXgboostDidNotWrite) {
  EXPECT_FALSE(
      FlatTrees::FromXgboost(TreeJson("[3,-1,-1]", "[2,-1,-1]"), 1).ok());
  EXPECT_FALSE(
      FlatTrees::FromXgboost(TreeJson("[1,-1,-1]", "[3,-1,-1]"), 1).ok());
  // A node that is its own child would never end.
  EXPECT_FALSE(
      FlatTrees::FromXgboost(TreeJson("[0,-1,-1]", "[2,-1,-1]"), 1).ok());
}

TEST(FlatTrees, RejectArraysOfDifferentLengths) {
  EXPECT_FALSE(FlatTrees::FromXgboost(TreeJson("[1,-1,-1]", "[2,-1]"), 1).ok());
  EXPECT_FALSE(
      FlatTrees::FromXgboost(TreeJson("[1,-1,-1,-1]", "[2,-1,-1,-1]"), 1).ok());
  EXPECT_FALSE(FlatTrees::FromXgboost(TreeJson("[]", "[]"), 1).ok());
}

TEST(FlatTrees, RejectABaseScoreThatIsNoNumber) {
  auto flat =
      FlatTrees::FromXgboost(TreeJson("[1,-1,-1]", "[2,-1,-1]", "x"), 1);
  ASSERT_FALSE(flat.ok());
  EXPECT_EQ(flat.error().message(), "read boosted trees: 'x' is not a number");
}

TEST(FlatTrees, RejectEveryLengthThatIsTooShort) {
  const FlatTrees::Node leaf{.value = 2};
  const std::string bytes = PackNodes({0, 1}, {leaf, leaf});
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(FlatTrees::Unpack(bytes.substr(0, length), 1).ok()) << length;
  }
  EXPECT_FALSE(FlatTrees::Unpack(bytes + "x", 1).ok());
}

TEST(FlatTrees, AConstantHasNoTrees) {
  FlatTrees flat = FlatTrees::Constant(3.5f, 2);
  EXPECT_EQ(flat.trees(), 0u);
  EXPECT_EQ(flat.Predict(std::vector<float>{1, 2}), 3.5f);
  const FeatureTable table{.columns = {"a", "b"}, .cells = {1, 2, 3, 4}};
  EXPECT_EQ(flat.Predict(table), (std::vector<float>{3.5f, 3.5f}));
  FlatTrees back = FlatTrees::Unpack(flat.Pack(), 2).value();
  EXPECT_EQ(back.Predict(table), flat.Predict(table));
}

TEST(FlatTrees, TwoRowsThatDifferOnlyInTheSecondAreDistinguished) {
  const FlatTrees::Node split{.value = 5, .left = 1};
  const FlatTrees flat =
      FlatTrees::Unpack(PackNodes({0}, {split, {.value = 7}, {.value = 9}}), 1)
          .value();
  const float missing = std::numeric_limits<float>::quiet_NaN();
  const FeatureTable numbers{.columns = {"a"}, .cells = {1, 6}};
  EXPECT_EQ(flat.Predict(numbers), (std::vector<float>{7, 9}));
  const FeatureTable first{.columns = {"a"}, .cells = {missing, 1}};
  EXPECT_EQ(flat.Predict(first), (std::vector<float>{9, 7}));
  const FeatureTable second{.columns = {"a"}, .cells = {1, missing}};
  EXPECT_EQ(flat.Predict(second), (std::vector<float>{7, 9}));
}

TEST(FlatTrees, RejectAFeatureJustBeyondTheColumns) {
  const FlatTrees::Node leaf{.value = 2};
  FlatTrees::Node split{.value = 1, .left = 1, .feature = 1};
  EXPECT_TRUE(FlatTrees::Unpack(PackNodes({0}, {split, leaf, leaf}), 2).ok());
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({0}, {split, leaf, leaf}), 1).ok());
}

TEST(FlatTrees, RejectATreeThatEndsBeyondTheNodes) {
  const FlatTrees::Node leaf{.value = 2};
  EXPECT_FALSE(FlatTrees::Unpack(PackNodes({0, 5}, {leaf, leaf}), 1).ok());
}

TEST(FlatTrees, AThresholdThatIsNoNumberSendsAllToTheRight) {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  const FlatTrees::Node split{.value = missing, .left = 1};
  const FlatTrees flat =
      FlatTrees::Unpack(PackNodes({0}, {split, {.value = 7}, {.value = 9}}), 1)
          .value();
  const FeatureTable table{.columns = {"a"}, .cells = {1, 2}};
  EXPECT_EQ(flat.Predict(table), (std::vector<float>{9, 9}));
}

}  // namespace
}  // namespace mete
