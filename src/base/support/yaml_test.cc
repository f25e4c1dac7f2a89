#include "support/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/units.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// The error for a file with the keys name, timeout, swap and inner: {depth}.
std::string Complaint(const std::string& text) {
  auto file = ParseYaml(text, "s.yaml");
  if (!file.ok()) return file.error().message();
  std::string name;
  Seconds timeout{0};
  bool swap = false;
  uint64_t depth = 0;
  Status read = ReadYamlMap(
      *file,
      {{"name", TakeText(name)},
       {"timeout", TakeText(ParseDuration, timeout)},
       {"swap", TakeTruth(swap)},
       {"inner", [&](const YamlValue& value) {
          return ReadYamlMap(value, {{"depth", TakeText(ParseCount, depth)}});
        }}});
  return read.ok() ? "" : read.error().message();
}

TEST(Yaml, TakesKnownKeys) {
  EXPECT_EQ(Complaint("name: x\ntimeout: 5s\nswap: yes\ninner: {depth: 3}\n"),
            "");
  EXPECT_EQ(Complaint(""), "");
  EXPECT_EQ(Complaint("inner:\n"), "");
}

TEST(Yaml, NamesTheLineOfAnUnknownKeyAndTheNearestValidOne) {
  EXPECT_EQ(Complaint("name: x\n\ntimout: 5s\n"),
            "s.yaml:3: unknown key 'timout'; did you mean 'timeout'?");
  EXPECT_EQ(Complaint("name: x\ninner:\n  dept: 3\n"),
            "s.yaml:3: unknown key 'dept'; did you mean 'depth'?");
}

TEST(Yaml, NamesTheLineOfAWrongValueOnce) {
  EXPECT_THAT(Complaint("name: x\ntimeout: 5\n"),
              StartsWith("s.yaml:2: timeout: '5' has no unit"));
  EXPECT_EQ(Complaint("swap: maybe\n"),
            "s.yaml:1: swap: 'maybe' is not true or false");
  EXPECT_EQ(Complaint("name: [a]\n"),
            "s.yaml:1: name: expected a single value");
  EXPECT_THAT(Complaint("inner:\n  depth: few\n"),
              StartsWith("s.yaml:2: depth: "));
}

TEST(Yaml, NamesTheLineOfBrokenText) {
  EXPECT_THAT(Complaint("name: x\nlist: [1, 2\n"), StartsWith("s.yaml:3: "));
  EXPECT_THAT(Complaint("- a\n- b\n"), HasSubstr("expected 'key: value'"));
}

TEST(Yaml, RejectsADuplicateKey) {
  EXPECT_EQ(Complaint("name: x\nname: y\n"), "s.yaml:2: duplicate key 'name'");
}

// The parser takes hundreds of bytes for each bracket.
TEST(Yaml, RejectsATextThatIsTooLarge) {
  const std::string large = "a: [" + std::string(4u << 20, '[');
  auto parsed = ParseYaml(large, "f.yaml");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().message(), "f.yaml: larger than 4.0 MiB");
}

TEST(Yaml, RejectsAFileThatExpandsWithoutBound) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += (j > 0 ? ", " : "") + before;
    bomb += "]\n";
  }
  EXPECT_THAT(Complaint(bomb), HasSubstr("expands to too many"));
}

TEST(YamlTexts, TakesAListOrOneValue) {
  auto file = ParseYaml("a: [x, 'y z']\nb: one\nc: {d: e}\n", "s.yaml");
  EXPECT_THAT(*YamlTexts(file->entries[0].value), ElementsAre("x", "y z"));
  EXPECT_THAT(*YamlTexts(file->entries[1].value), ElementsAre("one"));
  EXPECT_FALSE(YamlTexts(file->entries[2].value).ok());
}

}  // namespace
}  // namespace mete
