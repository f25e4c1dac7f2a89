#include "control/rule_reading.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mete {
namespace {

SloRule Rule() { return {.objective = {.bound = {.value = 10}, .clear = 9}}; }

SeriesValue Series(const std::string& container, double value,
                   Seconds age = Seconds(0)) {
  return {.labels = {{"__name__", "n" + std::to_string(value)},
                     {"container", container}},
          .value = value,
          .age = age};
}

RuleReading Read(SeriesValues series) {
  return ReadRule(Rule(), {{.source = "a", .series = std::move(series)}},
                  Seconds(10));
}

TEST(ReadRule, PutsTheWorstFirst) {
  RuleReading reading = Read({Series("x", 5), Series("y", 8)});
  EXPECT_EQ(reading.worst(), 8);
  EXPECT_EQ(reading.series.size(), 2);
  EXPECT_TRUE(reading.complete);
  SloRule above = Rule();
  above.objective.side = ObjectiveSide::kAbove;
  EXPECT_EQ(ReadRule(above,
                     {{.source = "a",
                       .series = SeriesValues{Series("x", 5), Series("y", 8)}}},
                     Seconds(10))
                .worst(),
            5);
}

TEST(ReadRule, ReportsAMissingSeries) {
  RuleReading reading = Read({});
  EXPECT_EQ(reading.worst(), std::nullopt);
  EXPECT_EQ(reading.remark, "no such series");
}

TEST(ReadRule, OldValuesCountAsMissing) {
  RuleReading reading = Read({Series("x", 50, Seconds(11))});
  EXPECT_EQ(reading.worst(), std::nullopt);
  EXPECT_EQ(reading.remark, "its series are older than 10.0 s");
  EXPECT_EQ(Read({Series("x", 50, Seconds(9))}).worst(), 50);
}

TEST(ReadRule, DividesByTheSeriesWithTheSameLabels) {
  RuleReading reading =
      ReadRule(Rule(),
               {{.source = "a",
                 .series = SeriesValues{Series("x", 5), Series("y", 8)},
                 .divisor = SeriesValues{Series("y", 16), Series("x", 20)}}},
               Seconds(10));
  ASSERT_EQ(reading.series.size(), 2);
  EXPECT_EQ(reading.worst(), 0.5);
  EXPECT_EQ(reading.series[0].divided_by, 16);
  EXPECT_EQ(reading.series[1].value, 0.25);
}

TEST(ReadRule, DividesAQuantileByASeriesWithoutOne) {
  SeriesValue p95 = Series("x", 8);
  p95.labels["quantile"] = "0.95";
  SeriesValue bucket = Series("x", 6);
  bucket.labels["le"] = "1";
  auto divided = [&](const SeriesValue& divisor) {
    return ReadRule(Rule(),
                    {{.source = "a",
                      .series = SeriesValues{p95, bucket},
                      .divisor = SeriesValues{divisor}}},
                    Seconds(10))
        .series;
  };
  ASSERT_EQ(divided(Series("x", 2)).size(), 2);
  EXPECT_EQ(divided(Series("x", 2))[0].value, 4);
  // A divisor with a quantile divides only the same quantile.
  SeriesValue median = Series("x", 2);
  median.labels["quantile"] = "0.5";
  EXPECT_TRUE(divided(median).empty());
  EXPECT_EQ(divided(p95).size(), 1);
}

TEST(ReadRule, HasNoValueWithoutDivisorOrWithZero) {
  RuleReading reading =
      ReadRule(Rule(),
               {{.source = "a",
                 .series = SeriesValues{Series("x", 5), Series("y", 8)},
                 .divisor = SeriesValues{Series("x", 0), Series("z", 1)}}},
               Seconds(10));
  EXPECT_EQ(reading.worst(), std::nullopt);
  EXPECT_EQ(reading.remark, "no series to divide by has the same labels");
  RuleReading by_zero = ReadRule(Rule(),
                                 {{.source = "a",
                                   .series = SeriesValues{Series("x", 5)},
                                   .divisor = SeriesValues{Series("x", 0)}}},
                                 Seconds(10));
  EXPECT_EQ(by_zero.remark, "no series to divide by has the same labels");
}

TEST(ReadRule, SilentSourceMakesTheReadingIncomplete) {
  RuleReading reading =
      ReadRule(Rule(),
               {{.source = "a", .series = Unavailable("connection refused")},
                {.source = "b", .series = SeriesValues{Series("x", 5)}}},
               Seconds(10));
  EXPECT_FALSE(reading.complete);
  EXPECT_EQ(reading.worst(), 5);
  EXPECT_EQ(reading.remark, "");
  EXPECT_EQ(reading.series[0].source, "b");
}

TEST(ReadRule, SaysWhyNoSourceAnswered) {
  RuleReading reading = ReadRule(
      Rule(), {{.source = "a", .series = Unavailable("connection refused")}},
      Seconds(10));
  EXPECT_EQ(reading.remark, "connection refused");
}

TEST(ReadRule, AValueExactlyAsOldAsAllowedCounts) {
  EXPECT_EQ(Read({Series("x", 50, Seconds(10))}).worst(), 50);
}

TEST(ReadRule, ARatioIsAsOldAsItsOlderPart) {
  auto read = [](Seconds age, Seconds divisor_age) {
    return ReadRule(Rule(),
                    {{.source = "a",
                      .series = SeriesValues{Series("x", 5, age)},
                      .divisor = SeriesValues{Series("x", 10, divisor_age)}}},
                    Seconds(10))
        .worst();
  };
  EXPECT_EQ(read(Seconds(1), Seconds(2)), 0.5);
  EXPECT_EQ(read(Seconds(11), Seconds(2)), std::nullopt);
  EXPECT_EQ(read(Seconds(1), Seconds(11)), std::nullopt);
}

TEST(ReadRule, IgnoresValuesThatAreNoNumbers) {
  RuleReading reading = Read({Series("x", NAN), Series("y", 3)});
  EXPECT_EQ(reading.series.size(), 1u);
  EXPECT_EQ(reading.worst(), 3);
  EXPECT_EQ(reading.remark, "");
}

TEST(SeriesText, HasTheNameAndTheLabels) {
  EXPECT_EQ(SeriesText({.labels = {{"__name__", "n"}}}), "n");
  EXPECT_EQ(SeriesText({.labels = {{"__name__", "n"}, {"a", "1"}, {"b", "2"}}}),
            "n{a=\"1\",b=\"2\"}");
}

TEST(ReadRule, AMissingDivisorMakesTheReadingIncomplete) {
  RuleReading reading =
      ReadRule(Rule(),
               {{.source = "a",
                 .series = SeriesValues{Series("x", 5)},
                 .divisor = Result<SeriesValues>(Unavailable("timed out"))}},
               Seconds(10));
  EXPECT_FALSE(reading.complete);
  EXPECT_EQ(reading.remark, "timed out");
  EXPECT_EQ(reading.worst(), std::nullopt);
}

}  // namespace
}  // namespace mete
