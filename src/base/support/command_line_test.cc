#include "support/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitCommandLine, SplitsAtBlanksButNotWithinQuotes) {
  EXPECT_THAT(
      *SplitCommandLine(" ./app  --title 'two words'\t\"a \\\"b\\\"\" "),
      ElementsAre("./app", "--title", "two words", "a \"b\""));
  EXPECT_THAT(*SplitCommandLine("a\\ b 'c\\d' '' x'y'z"),
              ElementsAre("a b", "c\\d", "", "xyz"));
  EXPECT_THAT(*SplitCommandLine("  "), IsEmpty());
}

TEST(SplitCommandLine, RejectsAnUnclosedQuote) {
  auto split = SplitCommandLine("echo 'half");
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().message(), "unclosed '");
}

TEST(JoinCommandLine, QuotesWhatAShellWouldChangeAndSplitsBack) {
  std::vector<std::string> arguments = {"sh", "-c", "echo $HOME; it's", ""};
  EXPECT_EQ(JoinCommandLine(arguments), "sh -c 'echo $HOME; it'\\''s' ''");
  EXPECT_EQ(*SplitCommandLine(JoinCommandLine(arguments)), arguments);
}

}  // namespace
}  // namespace mete
