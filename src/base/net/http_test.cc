#include "net/http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mete {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(PercentEncode, KeepsTheEndsOfEveryRange) {
  EXPECT_EQ(PercentEncode("azAZ09"), "azAZ09");
  EXPECT_EQ(PercentEncode("`{@[/:"), "%60%7B%40%5B%2F%3A");
}

TEST(PercentDecode, KnowsEveryDigit) {
  EXPECT_EQ(PercentDecode("%09%90%Aa%aA%fF%Ff"), "\x09\x90\xaa\xaa\xff\xff");
  for (const char* text : {"%/0", "%:0", "%@0", "%G0", "%`0", "%g0"}) {
    EXPECT_FALSE(PercentDecode(text).has_value()) << text;
  }
}

TEST(PercentEncode, KeepsPlainCharactersAndEncodesTheRest) {
  EXPECT_EQ(PercentEncode("a-Z_0.~"), "a-Z_0.~");
  EXPECT_EQ(PercentEncode("{\"x\": é/}"), "%7B%22x%22%3A%20%C3%A9%2F%7D");
}

TEST(PercentDecode, UndoesTheEncoding) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(PercentDecode(PercentEncode(all)), all);
}

TEST(PercentDecode, RejectsATruncatedEncoding) {
  for (const char* text : {"%", "a%4", "%zz", "%4g"}) {
    EXPECT_FALSE(PercentDecode(text).has_value()) << text;
  }
}

TEST(ParseQuery, SplitsNamesAndValues) {
  EXPECT_THAT(ParseQuery("a=1&b=x+y%26z&c&=d&a=2"),
              ElementsAre(Pair("a", "2"), Pair("b", "x y&z"), Pair("c", "")));
  EXPECT_THAT(ParseQuery("a=1%2B1"), ElementsAre(Pair("a", "1+1")));
  EXPECT_THAT(ParseQuery(""), IsEmpty());
  EXPECT_THAT(ParseQuery("bad=%1"), IsEmpty());
}

TEST(SplitTarget, SplitsPathAndQuery) {
  EXPECT_EQ(SplitTarget("/a/b?c=d?e").path, "/a/b");
  EXPECT_EQ(SplitTarget("/a/b?c=d?e").query, "c=d?e");
  EXPECT_EQ(SplitTarget("/a").query, "");
}

TEST(PercentDecode, NeedsTwoDigitsBehindTheSign) {
  EXPECT_EQ(PercentDecode("%41"), "A");
  EXPECT_EQ(PercentDecode("x%41"), "xA");
  EXPECT_FALSE(PercentDecode("%4").has_value());
  EXPECT_FALSE(PercentDecode("%g1").has_value());
  EXPECT_FALSE(PercentDecode("%1g").has_value());
}

TEST(ParseQuery, LeavesOutWhatIsDamagedAndKeepsTheRest) {
  EXPECT_THAT(ParseQuery("%1=x&a=%1&b=2&&c=3="),
              ElementsAre(Pair("b", "2"), Pair("c", "3=")));
}

}  // namespace
}  // namespace mete
