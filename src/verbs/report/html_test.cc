#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Escaped, CannotStartOrEndElementsOrAttributes) {
  EXPECT_EQ(Escaped("<img src=\"x\" onerror='a&b'>"),
            "&lt;img src=&quot;x&quot; onerror=&#39;a&amp;b&#39;&gt;");
}

TEST(Escaped, KeepsLettersOfEveryLanguageAndDropsControls) {
  EXPECT_EQ(Escaped("Straße → 東京\n\x1b[31m"), "Straße → 東京\n[31m");
}

TEST(Escaped, ReplacesInvalidUtf8) {
  EXPECT_EQ(Escaped("a\xC0\xBC"
                    "b\xFFz\xE2\x80"),
            "a\uFFFD\uFFFDb\uFFFDz\uFFFD\uFFFD");
}

TEST(EscapedProse, KeepsNumbersAndUnitsTogether) {
  EXPECT_EQ(EscapedProse("37 % of 128 MiB <in> 5 s"),
            "37\u00A0% of 128\u00A0MiB &lt;in&gt; 5\u00A0s");
}

TEST(ScriptJson, CannotEndTheEnclosingScript) {
  Json json;
  json["name"] = "</script><script>alert(1)</script><!--\u2028\u2029";
  std::string text = ScriptJson(json);
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr("\u2028")));
  EXPECT_THAT(text, Not(HasSubstr("\u2029")));
  // The text still parses to the same value.
  EXPECT_EQ(*ParseJson(text), json);
}

TEST(ScriptJson, ReplacesInvalidBytesWithoutThrowing) {
  EXPECT_EQ(ScriptJson(Json("\xFF")), "\"\uFFFD\"");
}

}  // namespace
}  // namespace mete
