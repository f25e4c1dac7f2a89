#include "support/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWords, SplitsAtBlanksButNotWithinQuotes) {
  EXPECT_THAT(*SplitWords(" ./app  --title 'two words'\t\"a \\\"b\\\"\" "),
              ElementsAre("./app", "--title", "two words", "a \"b\""));
  EXPECT_THAT(*SplitWords("a\\ b 'c\\d' '' x'y'z"),
              ElementsAre("a b", "c\\d", "", "xyz"));
  EXPECT_THAT(*SplitWords("  "), IsEmpty());
}

TEST(SplitWords, RejectsAnUnclosedQuote) {
  auto split = SplitWords("echo 'half");
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().message(), "unclosed '");
}

TEST(JoinWords, QuotesWhatAShellWouldChangeAndSplitsBack) {
  std::vector<std::string> words = {"sh", "-c", "echo $HOME; it's", ""};
  EXPECT_EQ(JoinWords(words), "sh -c 'echo $HOME; it'\\''s' ''");
  EXPECT_EQ(*SplitWords(JoinWords(words)), words);
}

}  // namespace
}  // namespace mete
