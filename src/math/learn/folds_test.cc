#include "learn/folds.h"

#include <gtest/gtest.h>

#include <set>

namespace mete {
namespace {

TEST(Folds, TestEveryRowOnceAndNeverTrainOnItThen) {
  std::vector<Fold> folds = RandomFolds(103, 10, 42);
  ASSERT_EQ(folds.size(), 10u);
  std::vector<int> tested(103);
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.train.size() + fold.test.size(), 103u);
    std::set<size_t> train(fold.train.begin(), fold.train.end());
    for (size_t row : fold.test) {
      ++tested[row];
      EXPECT_FALSE(train.contains(row));
    }
  }
  EXPECT_EQ(tested, std::vector<int>(103, 1));
}

TEST(Folds, AreNoneForTooFewRows) {
  EXPECT_TRUE(RandomFolds(1, 10, 0).empty());
  EXPECT_EQ(RandomFolds(3, 10, 0).size(), 3u);
  EXPECT_TRUE(GroupFolds(std::vector<std::string>{"a", "a"}, {}).empty());
}

TEST(Folds, NeverSplitAGroup) {
  std::vector<std::string> groups;
  for (int i = 0; i < 60; ++i) groups.push_back("g" + std::to_string(i % 12));
  for (size_t at_most : {0u, 5u}) {
    std::vector<Fold> folds = GroupFolds(groups, {.at_most = at_most});
    EXPECT_EQ(folds.size(), at_most == 0 ? 12u : 5u);
    for (const Fold& fold : folds) {
      EXPECT_FALSE(fold.test.empty());
      std::set<std::string> trained;
      for (size_t row : fold.train) trained.insert(groups[row]);
      for (size_t row : fold.test) EXPECT_FALSE(trained.contains(groups[row]));
    }
  }
}

TEST(Folds, DifferInSizeByAtMostOne) {
  for (const Fold& fold : RandomFolds(103, 10, 42)) {
    EXPECT_GE(fold.test.size(), 10u);
    EXPECT_LE(fold.test.size(), 11u);
  }
}

TEST(Folds, ShuffleTheRows) {
  const std::vector<size_t> test = RandomFolds(100, 2, 42)[0].test;
  size_t even = 0;
  for (size_t row : test) even += row % 2 == 0;
  EXPECT_GT(even, 10u);
  EXPECT_LT(even, 40u);
  EXPECT_NE(test, RandomFolds(100, 2, 43)[0].test);
}

TEST(Folds, TwoAreEnough) {
  EXPECT_EQ(RandomFolds(2, 2, 0).size(), 2u);
  EXPECT_EQ(GroupFolds(std::vector<std::string>{"a", "b"}, {}).size(), 2u);
  EXPECT_EQ(
      GroupFolds(std::vector<std::string>{"a", "b"}, {.at_most = 9}).size(),
      2u);
}

TEST(Folds, GroupsAreSharedOutEvenly) {
  std::vector<std::string> groups;
  for (int i = 0; i < 11; ++i) groups.push_back("g" + std::to_string(i));
  for (const Fold& fold : GroupFolds(groups, {.at_most = 5})) {
    EXPECT_GE(fold.test.size(), 2u);
    EXPECT_LE(fold.test.size(), 3u);
  }
}

}  // namespace
}  // namespace mete
