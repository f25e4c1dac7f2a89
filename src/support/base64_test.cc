#include "support/base64.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

// RFC 4648, section 10.
TEST(DecodeBase64, TheExamplesOfTheStandard) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("Zg=="), "f");
  EXPECT_EQ(DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(DecodeBase64("Zm9v"), "foo");
  EXPECT_EQ(DecodeBase64("Zm9vYmFy"), "foobar");
}

TEST(DecodeBase64, RefusesWhatIsNone) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Z===", "Zm9*", "====", "Zg==Zg=="}) {
    EXPECT_FALSE(DecodeBase64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mete
