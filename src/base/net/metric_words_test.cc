#include "net/metric_words.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

// The value, and the rest behind a bar.
std::string Quoted(std::string_view text) {
  auto value = TakeQuoted(text);
  return value.ok() ? *value + "|" + std::string(text)
                    : value.error().message();
}

TEST(TakeQuoted, EndsAtTheQuote) {
  EXPECT_EQ(Quoted(" \t\"a b\", c"), "a b|, c");
  EXPECT_EQ(Quoted("\"\""), "|");
  EXPECT_EQ(Quoted("a"), "value is not quoted");
  EXPECT_EQ(Quoted("\"a"), "unclosed quote");
}

TEST(TakeQuoted, KnowsThreePairsAndKeepsOthers) {
  EXPECT_EQ(Quoted(R"("a\nb\\c\"d\te")"), "a\nb\\c\"d\\te|");
}

TEST(TakeQuoted, AnEscapedQuoteDoesNotClose) {
  EXPECT_EQ(Quoted(R"("a\")"), "unclosed quote");
  EXPECT_EQ(Quoted(R"("a\\")"), "a\\|");
  EXPECT_EQ(Quoted(R"("a\)"), "unclosed quote");
}

TEST(TakeName, EndsBeforeTheFirstOtherCharacter) {
  std::string_view rest = "  _a:1{";
  EXPECT_EQ(TakeName(rest), "_a:1");
  EXPECT_EQ(rest, "{");
  EXPECT_EQ(TakeName(rest), "");
  rest = "9a";
  EXPECT_EQ(TakeName(rest), "");
  rest = "zZ9";
  EXPECT_EQ(TakeName(rest), "zZ9");
  rest = "AaZ0";
  EXPECT_EQ(TakeName(rest), "AaZ0");
}

TEST(TakeName, EndsAtTheNeighboursOfLettersAndDigits) {
  for (char c : {'`', '{', '@', '[', '/', ';'}) {
    const std::string text = std::string("a") + c + "b";
    std::string_view rest = text;
    EXPECT_EQ(TakeName(rest), "a") << c;
    rest = std::string_view(text).substr(1);
    EXPECT_EQ(TakeName(rest), "") << c;
  }
}

TEST(Take, SkipsBlanksAndTakesWholeTokensOnly) {
  std::string_view rest = " \t=~x";
  EXPECT_FALSE(Take(rest, "=="));
  EXPECT_TRUE(Take(rest, "=~"));
  EXPECT_EQ(rest, "x");
}

}  // namespace
}  // namespace mete
