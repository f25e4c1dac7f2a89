#include "linux/scan.h"

#include <gtest/gtest.h>

#include <array>

namespace mete {
namespace {

TEST(TakeLine, ReturnsEveryLineOnceAndThenNothing) {
  std::string_view rest = "one\n\nthree";
  EXPECT_EQ(TakeLine(rest), "one");
  EXPECT_EQ(TakeLine(rest), "");
  EXPECT_EQ(TakeLine(rest), "three");
  EXPECT_EQ(TakeLine(rest), std::nullopt);
}

TEST(TakeLine, ReturnsNoEmptyLineAfterTheLastLineEnd) {
  std::string_view rest = "one\n";
  EXPECT_EQ(TakeLine(rest), "one");
  EXPECT_EQ(TakeLine(rest), std::nullopt);
}

TEST(FirstWords, StopsWhenTheOutputIsFull) {
  std::array<std::string_view, 2> words;
  EXPECT_EQ(FirstWords("  a\tbc d ", words), 2u);
  EXPECT_EQ(words[1], "bc");
}

TEST(FirstWords, ReturnsHowManyWereFound) {
  std::array<std::string_view, 3> words;
  EXPECT_EQ(FirstWords(" a \n", words), 1u);
  EXPECT_EQ(FirstWords("", words), 0u);
}

TEST(FindField, MatchesWholeKeysOnly) {
  EXPECT_EQ(FindField("total_swap 3\nswap 12\n", "swap", ' '), "12");
  EXPECT_EQ(FindField("swapped 3\n", "swap", ' '), std::nullopt);
}

TEST(FindField, SkipsBlankLinesAndLinesWithoutASeparator) {
  EXPECT_EQ(FindField("   \n\nswap\nswap 5\n", "swap", ' '), "5");
  EXPECT_EQ(FindField("swap\n", "swap", ' '), std::nullopt);
}

TEST(FindField, IsAbsentIfTheFirstValueIsEmpty) {
  EXPECT_EQ(FindField("key:\nkey: 5\n", "key", ':'), std::nullopt);
}

TEST(FindField, MayBeIndented) {
  EXPECT_EQ(FindField("  key : 5 \n", "key", ':'), "5");
}

}  // namespace
}  // namespace mete
