#include "support/clock.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

int64_t SecondsAt(const std::string& text) {
  return std::chrono::duration_cast<std::chrono::seconds>(
             ParseUtc(text).value().time_since_epoch())
      .count();
}

TEST(ParseUtc, ReadsATimeStamp) {
  EXPECT_EQ(SecondsAt("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(SecondsAt("2026-11-18T06:05:46Z"), 1'794'981'946);
  EXPECT_EQ(SecondsAt("2261-12-31T23:59:59Z"), 9'214'646'399);
}

TEST(ParseUtc, RejectsImpossibleTimes) {
  for (const char* text :
       {"9999-01-01T00:00:00Z", "2262-01-01T00:00:00Z", "1969-12-31T23:59:59Z",
        "-999-01-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T-1:00:00Z",
        "2026-01-01 00:00:00", "2026-01-01T00:00:00", ""}) {
    EXPECT_FALSE(ParseUtc(text).ok()) << text;
  }
}

}  // namespace
}  // namespace mete
