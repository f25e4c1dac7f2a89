#include "support/core_list.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(CoreList, HasNumbersAndRanges) {
  auto cores = ParseCoreList("0-2,4");
  ASSERT_TRUE(cores.ok()) << cores.error().message();
  ASSERT_EQ(cores->size(), 2u);
  EXPECT_EQ(cores->front().first, 0);
  EXPECT_EQ(cores->front().last, 2);
  EXPECT_EQ(cores->back().first, 4);
  EXPECT_EQ(cores->back().last, 4);
}

TEST(CoreList, RejectsOtherText) {
  EXPECT_EQ(ParseCoreList("a-b").error().message(),
            "'a-b' is not a list of cores; write it like 0-2,4");
  for (const char* text : {"", "-1", "2-1", "1,", "0-", "1.5", "99999999"}) {
    EXPECT_FALSE(ParseCoreList(text).ok()) << text;
  }
}

TEST(CoreList, ListsEveryCoreOnceAndFormatsThemBack) {
  auto cores = ListCores("4,0-2,1");
  ASSERT_TRUE(cores.ok());
  EXPECT_EQ(*cores, (std::vector<int>{0, 1, 2, 4}));
  EXPECT_EQ(FormatCores(*cores), "0-2,4");
  EXPECT_EQ(FormatCores({3}), "3");
  EXPECT_EQ(FormatCores({}), "");
  EXPECT_FALSE(ListCores("x").ok());
}

TEST(CoreList, FindsTheFirstMissingCore) {
  const std::vector<CoreRange> machine = {{.first = 0, .last = 1},
                                          {.first = 3, .last = 3}};
  EXPECT_EQ(FindMissingCore(*ParseCoreList("0,3"), machine), std::nullopt);
  EXPECT_EQ(FindMissingCore(*ParseCoreList("0-3"), machine), 2);
  EXPECT_EQ(FindMissingCore(*ParseCoreList("99"), machine), 99);
}

}  // namespace
}  // namespace mete
