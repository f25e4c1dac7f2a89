#include "support/base64.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

// RFC 4648, section 10.
TEST(DecodeBase64, DecodesTheExamplesOfTheStandard) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("Zg=="), "f");
  EXPECT_EQ(DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(DecodeBase64("Zm9v"), "foo");
  EXPECT_EQ(DecodeBase64("Zm9vYmFy"), "foobar");
}

TEST(DecodeBase64, RejectsInvalidText) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Z===", "Zm9*", "====", "Zg==Zg=="}) {
    EXPECT_FALSE(DecodeBase64(text).has_value()) << text;
  }
}

// RFC 4648, section 10.
TEST(Base64, EncodesTheVectorsOfTheStandard) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
}

TEST(Base64, RestoresEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(DecodeBase64(EncodeBase64(bytes)), bytes);
}

}  // namespace
}  // namespace mete
