#include "support/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;

TEST(CharacterLength, IsTheNumberOfBytesOfTheFirstCharacter) {
  EXPECT_EQ(CharacterLength("a\u00FC"), 1u);
  EXPECT_EQ(CharacterLength("\u00FCa"), 2u);
  EXPECT_EQ(CharacterLength("\u2264"), 3u);
  EXPECT_EQ(CharacterLength("\U0001F600"), 4u);
}

TEST(CharacterLength, IsZeroForInvalidUtf8) {
  EXPECT_EQ(CharacterLength(""), 0u);
  EXPECT_EQ(CharacterLength("\x80"), 0u);
  EXPECT_EQ(CharacterLength("\xE2\x89"), 0u);  // truncated
  EXPECT_EQ(CharacterLength("\xE2zz"), 0u);
  EXPECT_EQ(CharacterLength("\xC0\xAF"), 0u);  // an overlong slash
  EXPECT_EQ(CharacterLength("\xE0\x9F\xBF"), 0u) << "overlong U+07FF";
  EXPECT_EQ(CharacterLength("\xED\xA0\x80"), 0u) << "surrogate U+D800";
  EXPECT_EQ(CharacterLength("\xF0\x8F\xBF\xBF"), 0u) << "overlong U+FFFF";
  EXPECT_EQ(CharacterLength("\xF4\x90\x80\x80"), 0u) << "U+110000";
}

TEST(CharacterLength, AcceptsTheFirstAndLastCharacterOfEachLength) {
  EXPECT_EQ(CharacterLength("\xC2\x80"), 2u);
  EXPECT_EQ(CharacterLength("\xDF\xBF"), 2u);
  EXPECT_EQ(CharacterLength("\xE0\xA0\x80"), 3u);
  EXPECT_EQ(CharacterLength("\xED\x9F\xBF"), 3u) << "before the surrogates";
  EXPECT_EQ(CharacterLength("\xEE\x80\x80"), 3u) << "after the surrogates";
  EXPECT_EQ(CharacterLength("\xEF\xBF\xBF"), 3u);
  EXPECT_EQ(CharacterLength("\xF0\x90\x80\x80"), 4u);
  EXPECT_EQ(CharacterLength("\xF4\x8F\xBF\xBF"), 4u);
}

TEST(Text, CountsCharactersNotBytes) { EXPECT_EQ(DisplayWidth("± 2 µs"), 6u); }

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

TEST(Tame, CutsBetweenCharactersAndReplacesInvalidBytes) {
  EXPECT_EQ(Tame("abc", 3), "abc");
  EXPECT_EQ(Tame("abcd", 3), "abc");
  EXPECT_EQ(Tame("a\xFF"
                 "b",
                 10),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(Tame("ab\xC3\xA4", 3), "ab") << "cut in the middle of an umlaut";
}

}  // namespace
}  // namespace mete
