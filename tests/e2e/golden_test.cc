#include "tests/e2e/golden.h"

#include <gtest/gtest.h>

namespace mete::e2e {
namespace {

TEST(Golden, OnlyPlaceholdersMayDiffer) {
  EXPECT_TRUE(
      LineMatches("p50 <time> (<number> runs)", "p50  8.7 ms (12 runs)"));
  EXPECT_FALSE(LineMatches("p50 <time>", "p50 fast"));
  EXPECT_FALSE(LineMatches("p50 <time>", "p90 8.7 ms"));
}

TEST(Golden, SpecialCharactersAreLiteral) {
  EXPECT_TRUE(LineMatches("a.b (c)?", "a.b (c)?"));
  EXPECT_FALSE(LineMatches("a.b", "axb"));
}

TEST(Golden, AMissingOrExtraLineIsADifference) {
  EXPECT_EQ(FirstDifference({"a"}, {"a"}), "");
  EXPECT_NE(FirstDifference({"a", "b"}, {"a"}), "");
  EXPECT_NE(FirstDifference({"a"}, {"a", "b"}), "");
}

TEST(Golden, LinesMatchesAnyNumberOfLines) {
  EXPECT_EQ(FirstDifference({"a", "<lines>", "d"}, {"a", "b", "c", "d"}), "");
  EXPECT_NE(FirstDifference({"a", "<lines>", "e"}, {"a", "b"}), "");
}

TEST(Golden, ParsesCommandsStdoutStderrAndExitCodes) {
  auto steps = ParseCase("About.\n$ one\nout\n! err\n? 0 4\n\n$ two\n");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].command, "one");
  EXPECT_EQ(steps[0].output, std::vector<std::string>{"out"});
  EXPECT_EQ(steps[0].stderr_lines, std::vector<std::string>{"err"});
  EXPECT_EQ(steps[0].codes, (std::vector<int>{0, 4}));
  EXPECT_EQ(steps[1].codes, std::vector<int>{0});
}

}  // namespace
}  // namespace mete::e2e
