#include "support/json.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(ParseJson(R"({"b":1,"a":2})")->dump(), R"({"b":1,"a":2})");
}

TEST(ParseJson, RejectsInvalidText) {
  EXPECT_EQ(ParseJson("{\"a\":}").error().code(), ErrorCode::kCorrupt);
}

TEST(ParseJson, RejectsNestingThatWouldOverflowTheStack) {
  std::string deep(200'000, '[');
  EXPECT_EQ(ParseJson(deep).error().message(), "nested more than 100 levels");
  EXPECT_TRUE(ParseJson(std::string(100, '[') + std::string(100, ']')).ok());
}

TEST(ParseJson, DoesNotCountBracketsInStrings) {
  std::string text = R"(["\\\"[[", ")" + std::string(500, '{') + R"("])";
  EXPECT_TRUE(ParseJson(text).ok());
}

}  // namespace
}  // namespace mete
