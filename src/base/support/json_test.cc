#include "support/json.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(ParseJson(R"({"b":1,"a":2})")->dump(), R"({"b":1,"a":2})");
}

TEST(ParseJson, RejectsInvalidText) {
  auto parsed = ParseJson("{\"a\":}");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(parsed.error().message(), "not valid JSON (column 6)");
  EXPECT_EQ(ParseSortedJson("{\n  \"a\": ]\n}").error().message(),
            "not valid JSON (line 2, column 8)");
}

TEST(ParseJson, RejectsNestingThatWouldOverflowTheStack) {
  std::string deep(200'000, '[');
  EXPECT_EQ(ParseJson(deep).error().message(), "nested more than 100 levels");
  EXPECT_TRUE(ParseJson(std::string(100, '[') + std::string(100, ']')).ok());
}

// {"k0":0,"k1":0,...}
std::string ObjectOf(size_t members) {
  std::string text = "{";
  for (size_t at = 0; at < members; ++at) {
    text += (at > 0 ? ",\"k" : "\"k") + std::to_string(at) + "\":0";
  }
  return text + "}";
}

// Keys in insertion order are compared one by one: 100,000 take many seconds.
TEST(ParseJson, RejectsObjectsThatWouldTakeTooLong) {
  EXPECT_TRUE(ParseJson(ObjectOf(4096)).ok());
  EXPECT_EQ(ParseJson("[" + ObjectOf(4097) + "]").error().message(),
            "an object with more than 4096 keys");
}

TEST(ParseJson, CountsTheKeysOfEachObject) {
  const std::string many = ObjectOf(3000);
  EXPECT_TRUE(ParseJson("[" + many + "," + many + "]").ok());
  std::string inner = many;
  inner.back() = ',';
  EXPECT_TRUE(ParseJson(inner + "\"in\":" + many + "}").ok());
  EXPECT_TRUE(ParseJson("[\"" + std::string(5000, ':') + "\"]").ok());
}

TEST(ParseJson, ReadsSortedObjectsOfAnySize) {
  EXPECT_TRUE(ParseSortedJson(ObjectOf(5000)).ok());
}

TEST(ParseJson, DoesNotCountBracketsInStrings) {
  std::string text = R"(["\\\"[[", ")" + std::string(500, '{') + R"("])";
  EXPECT_TRUE(ParseJson(text).ok());
}

TEST(ReadJson, TurnsAMissingKeyIntoCorrupt) {
  Json json = {{"a", 1}};
  auto read = ReadJson("thing", [&] { return json.at("b").get<int>(); });
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kCorrupt);
  EXPECT_EQ(read.error().message(), "read thing: key 'b' not found");
}

TEST(ReadJson, ReturnsThePlainValue) {
  Json json = {{"a", 1}};
  EXPECT_EQ(*ReadJson("thing", [&] { return json.at("a").get<int>(); }), 1);
}

TEST(ReadJson, KeepsTheCodeOfAnErrorAndSaysWhatWasRead) {
  auto read = ReadJson("thing",
                       []() -> Result<int> { return Unsupported("schema 9"); });
  EXPECT_EQ(read.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(read.error().message(), "read thing: schema 9");
}

}  // namespace
}  // namespace mete
