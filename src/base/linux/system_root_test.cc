#include "linux/system_root.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linux/test_machines.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using SystemRootTest = EmptyMachine;

TEST_F(SystemRootTest, ChangesOnlyAbsolutePaths) {
  EXPECT_EQ(SystemRoot("/host").Locate("/proc/stat"), "/host/proc/stat");
  EXPECT_EQ(SystemRoot("/host").Locate("proc/stat"), "proc/stat");
  EXPECT_EQ(SystemRoot().Locate("/proc/stat"), "/proc/stat");
}

TEST_F(SystemRootTest, ALineEndsAtALineEndOrANul) {
  using namespace std::string_literals;
  Put("/one", "  first \nsecond\n");
  Put("/two", "first\0second"s);
  EXPECT_EQ(root.Line("/one"), "first");
  EXPECT_EQ(root.Line("/two"), "first");
}

TEST_F(SystemRootTest, AnEmptyLineIsAbsent) {
  Put("/empty", "");
  Put("/blank", " \nsecond\n");
  EXPECT_EQ(root.Line("/empty"), std::nullopt);
  EXPECT_EQ(root.Line("/blank"), std::nullopt);
  EXPECT_EQ(root.Line("/missing"), std::nullopt);
  EXPECT_EQ(root.Number("/blank"), std::nullopt);
}

TEST_F(SystemRootTest, ANumberMayBeFollowedByText) {
  Put("/number", "-12 kHz\n");
  EXPECT_EQ(root.Number("/number"), -12);
}

TEST_F(SystemRootTest, NamesAreSortedAndNoneOfAMissingFolder) {
  Put("/folder/b", "");
  Put("/folder/c", "");
  Put("/folder/a", "");
  EXPECT_THAT(root.Names("/folder"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(root.Names("/missing"), IsEmpty());
}

TEST_F(SystemRootTest, KnowsWhatExistsAndWhatCanBeWritten) {
  Put("/file", "");
  EXPECT_TRUE(root.Exists("/file"));
  EXPECT_TRUE(root.Writable("/file"));
  EXPECT_FALSE(root.Exists("/missing"));
  EXPECT_FALSE(root.Writable("/missing"));
  EXPECT_EQ(root.TextOrNone("/missing"), "");
}

TEST(SplitLines, HasNoLineAfterTheLastLineEnd) {
  EXPECT_THAT(SplitLines(""), IsEmpty());
  EXPECT_THAT(SplitLines("\n"), IsEmpty());
  EXPECT_THAT(SplitLines("a"), ElementsAre("a"));
  EXPECT_THAT(SplitLines("a\n\nb\n"), ElementsAre("a", "", "b"));
}

TEST(Trimmed, HasNoBlanksAround) {
  EXPECT_EQ(Trimmed(" \ta b\n"), "a b");
  EXPECT_EQ(Trimmed("x"), "x");
  EXPECT_EQ(Trimmed(" \n"), "");
}

TEST(CopyField, IsTheFirstValueOfItsKey) {
  EXPECT_EQ(CopyField("a: 1\nb: 2\nb: 3\n", "b", ':'), "2");
  EXPECT_EQ(CopyField("a: 1\n", "b", ':'), std::nullopt);
}

}  // namespace
}  // namespace mete
