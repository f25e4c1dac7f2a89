#include "support/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;

TEST(Text, CountsCharactersNotBytes) { EXPECT_EQ(WidthOf("± 2 µs"), 6u); }

TEST(Text, ShortensLongNamesInTheMiddle) {
  EXPECT_EQ(ShortenMiddle("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(ShortenMiddle("abcdefg", 7), "abcdefg");
}

TEST(Text, DoesNotCutACharacterInTwo) {
  EXPECT_EQ(ShortenMiddle("äöüäöüä", 5), "äö…üä");
  EXPECT_THAT(WrapLines("äöüäöü", 4), ElementsAre("äöüä", "öü"));
}

TEST(Text, BreaksAtBlanksAndCutsALongWord) {
  EXPECT_THAT(WrapLines("aa bb cccccc d", 5),
              ElementsAre("aa bb", "ccccc", "c d"));
}

TEST(Text, NothingWrapsToNothing) { EXPECT_EQ(Wrapped(""), ""); }

}  // namespace
}  // namespace mete
