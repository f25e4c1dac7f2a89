#include "adapters/hook/legacy_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace mete {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using std::chrono::system_clock;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(LegacyMessage, HasValuesAndTheirTime) {
  auto values = ParseLegacyMessage(
      R"({"fps": {"value": 29.5, "timestamp": 1714566600.25}, "n": {"value": 3}})");
  ASSERT_TRUE(values.ok()) << values.error().message();
  ASSERT_EQ(values->size(), 2u);
  EXPECT_EQ((*values)[0].name, "fps");
  EXPECT_EQ((*values)[0].value, 29.5);
  EXPECT_EQ((*values)[0].timestamp, 1714566600.25);
  EXPECT_EQ((*values)[1].value, 3);
  EXPECT_EQ((*values)[1].timestamp, std::nullopt);
}

TEST(LegacyMessage, RejectsOtherValues) {
  for (const char* text :
       {"", "{", "[]", "3", R"({"fps": 3})", R"({"fps": {"value": "3"}})",
        R"({"fps": {"value": NaN}})", R"({"fps": {"value": true}})",
        R"({"fps": {"timestamp": 3}})", "{} {}"}) {
    auto values = ParseLegacyMessage(text);
    ASSERT_FALSE(values.ok()) << text;
    EXPECT_EQ(values.error().code(), ErrorCode::kCorrupt) << text;
  }
}

// WaAP's own example sent one and broke its collector.
TEST(LegacyMessage, RejectsAnIntegerOfThousandsOfDigits) {
  std::string text = R"({"n": {"value": )" + std::string(2565, '7') + "}}";
  EXPECT_FALSE(ParseLegacyMessage(text).ok());
}

TEST(LegacyMessage, SurvivesDeepNesting) {
  EXPECT_FALSE(ParseLegacyMessage(std::string(65536, '[')).ok());
  std::string nest = std::string(30000, '[') + std::string(30000, ']');
  EXPECT_FALSE(ParseLegacyMessage(R"({"n":)" + nest + "}").ok());
}

TEST(LegacySplitter, SplitsJoinedMessages) {
  LegacySplitter splitter;
  EXPECT_THAT(splitter.Feed("{1}\n\n{2}\n\n{3"), ElementsAre("{1}", "{2}"));
  EXPECT_EQ(splitter.rest(), "{3");
}

TEST(LegacySplitter, JoinsMessagesThatArriveInPieces) {
  const std::string text = "{\"a\": 1}\n\n{\"b\": 2}\n\n";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    LegacySplitter splitter;
    auto messages = splitter.Feed(text.substr(0, cut));
    for (auto& more : splitter.Feed(text.substr(cut))) messages.push_back(more);
    EXPECT_THAT(messages, ElementsAre("{\"a\": 1}", "{\"b\": 2}")) << cut;
    EXPECT_EQ(splitter.rest(), "") << cut;
  }
}

TEST(LegacySplitter, TakesSingleBytesAndEmptyMessages) {
  LegacySplitter splitter;
  std::vector<std::string> messages;
  for (char byte : std::string("\n\n{1}\n\n\n\n{2}\n\n")) {
    for (auto& more : splitter.Feed({&byte, 1})) messages.push_back(more);
  }
  EXPECT_THAT(messages, ElementsAre("{1}", "{2}"));
}

TEST(LegacySplitter, DiscardsAnEndlessMessageAndContinuesAfterIt) {
  LegacySplitter splitter;
  const std::string part(1000, 'x');
  for (int i = 0; i < 1000; ++i) {
    EXPECT_THAT(splitter.Feed(part), IsEmpty());
    ASSERT_LE(splitter.rest().size(), LegacySplitter::kMostBytes + 1001);
  }
  EXPECT_EQ(splitter.oversized(), 1u);
  EXPECT_THAT(splitter.Feed("x\n"), IsEmpty());
  EXPECT_THAT(splitter.Feed("\n{2}\n\n"), ElementsAre("{2}"));
  EXPECT_EQ(splitter.oversized(), 1u);
}

TEST(LegacySplitter, TheLimitIsExact) {
  const std::string most(LegacySplitter::kMostBytes, 'x');
  LegacySplitter splitter;
  EXPECT_THAT(splitter.Feed(most + "\n\n"), ElementsAre(most));
  EXPECT_THAT(splitter.Feed(most + "y\n\n{2}\n\n"), ElementsAre("{2}"));
  EXPECT_THAT(splitter.Feed(most + "\n"), IsEmpty());
  EXPECT_THAT(splitter.Feed("\n"), ElementsAre(most));
  EXPECT_EQ(splitter.oversized(), 1u);
}

TwoClocks Now() {
  return {.monotonic = seconds(10000),
          .wall = system_clock::time_point(seconds(1714566600))};
}

TEST(LegacyEvent, MapsItsWallTimeToTheMonotonicClock) {
  AppEvent event =
      ToEvent({.name = "fps", .value = 3, .timestamp = 1714566598.5}, Now());
  EXPECT_EQ(event.name, "fps");
  EXPECT_EQ(event.kind, AppMetricKind::kNumber);
  EXPECT_EQ(event.value, 3);
  EXPECT_EQ(event.at, seconds(10000) - std::chrono::milliseconds(1500));
}

TEST(LegacyEvent, ReplacesAnInvalidTimeByNow) {
  for (std::optional<double> timestamp : std::vector<std::optional<double>>{
           std::nullopt, 0.0, 1714566601.0, -1e300, 1e300,
           std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(ToEvent({.timestamp = timestamp}, Now()).at, seconds(10000))
        << timestamp.value_or(-1);
  }
}

TEST(LegacyEvent, MayBeAnHourOld) {
  EXPECT_EQ(ToEvent({.timestamp = 1714566600.0 - 3600}, Now()).at,
            seconds(10000 - 3600));
  EXPECT_EQ(ToEvent({.timestamp = 1714566600.0 - 3601}, Now()).at,
            seconds(10000));
  EXPECT_EQ(ToEvent({.timestamp = 1714566600.0}, Now()).at, seconds(10000));
}

TEST(LegacySplitter, CountsEveryOversizedMessage) {
  const std::string long_one(LegacySplitter::kMostBytes + 1, 'x');
  LegacySplitter splitter;
  EXPECT_THAT(splitter.Feed(long_one + "\n\n" + long_one + "\n\n{1}\n\n"),
              ElementsAre("{1}"));
  EXPECT_EQ(splitter.oversized(), 2u);
  EXPECT_THAT(splitter.Feed(long_one + "yy"), IsEmpty());
  EXPECT_EQ(splitter.oversized(), 3u);
  EXPECT_THAT(splitter.Feed("\n\n{2}\n\n"), ElementsAre("{2}"));
  EXPECT_EQ(splitter.oversized(), 3u);
}

TEST(LegacySplitter, KeepsAMessageThatIsNotEnded) {
  LegacySplitter splitter;
  EXPECT_THAT(splitter.Feed("{1}\n\n{2}"), ElementsAre("{1}"));
  EXPECT_EQ(splitter.rest(), "{2}");
}

TEST(LegacyMessage, ATimestampThatIsNoNumberIsIgnored) {
  auto values =
      ParseLegacyMessage(R"({"a": {"value": 1, "timestamp": "today"}})");
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(values->at(0).timestamp, std::nullopt);
}

TEST(LegacySplitter, DiscardsAnUnfinishedMessageAsSoonAsItIsTooLong) {
  LegacySplitter splitter;
  // The last byte may be half of the blank line.
  splitter.Feed(std::string(LegacySplitter::kMostBytes + 1, 'x'));
  EXPECT_EQ(splitter.oversized(), 0u);
  splitter.Feed("x");
  EXPECT_EQ(splitter.oversized(), 1u);
  EXPECT_EQ(splitter.rest(), "x");
}

}  // namespace
}  // namespace mete
