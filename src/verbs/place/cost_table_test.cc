#include "place/cost_table.h"

#include <gmock/gmock.h>

#include "place/synthetic_costs.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kTable[] = R"(note: test
applications:
  a:
    cpu_time: 20ms
    pressure: [0.1, 0]
    pressure_per_rate: [0.01, 0.02]
    service:
      p95: {alone: 10ms, slowdown: [{constant: -1, slope: [2, 1]}]}
pressures: [cpu, memory]
)";

TableCosts Table() {
  auto table = ParseCostTable(kTable, "costs.yaml");
  EXPECT_TRUE(table.ok()) << table.error().message();
  return TableCosts(*table, "costs.yaml");
}

LatencyQuestion AskA(SloStatistic statistic = SloStatistic::kP95) {
  return {.application = "a", .rate = 10, .statistic = statistic};
}

TEST(CostTable, AddsPressureWithTheRate) {
  auto pressure = Table().PressureOf("a", 10);
  ASSERT_TRUE(pressure.ok());
  EXPECT_THAT(*pressure,
              ElementsAre(testing::DoubleEq(0.2), testing::DoubleEq(0.2)));
}

TEST(CostTable, SlowsDownOnlyWhereAPieceIsPositive) {
  const std::vector<double> little = {0.2, 0.2};
  const std::vector<double> much = {1, 1};
  EXPECT_DOUBLE_EQ(Table().LatencyUnder(AskA(), little)->time.count(), 0.01);
  EXPECT_DOUBLE_EQ(Table().LatencyUnder(AskA(), much)->time.count(), 0.03);
}

TEST(CostTable, LimitsHoldExactlyWhereTheLatencyIsWithinTheLimit) {
  const auto limits = Table().LimitsFor(AskA(), Seconds(0.02));
  ASSERT_TRUE(limits.ok());
  for (double x = 0; x < 2; x += 0.07) {
    for (double y = 0; y < 2; y += 0.07) {
      const std::vector<double> p = {x, y};
      bool within = true;
      for (const PressureLimit& limit : *limits) {
        within &= limit.weights[0] * x + limit.weights[1] * y <= limit.bound;
      }
      EXPECT_EQ(within, Table().LatencyUnder(AskA(), p)->time.count() <= 0.02)
          << x << " " << y;
    }
  }
}

TEST(CostTable, AnSloBelowTheLatencyAloneHasALimitThatNothingMeets) {
  const auto limits = Table().LimitsFor(AskA(), Seconds(0.005));
  ASSERT_TRUE(limits.ok());
  EXPECT_THAT(limits->front().weights, ElementsAre(0, 0));
  EXPECT_LT(limits->front().bound, 0);
}

TEST(CostTable, NamesWhatItDoesNotKnow) {
  auto unknown = Table().PressureOf("b", 1);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code(), ErrorCode::kNotFound);
  auto statistic = Table().LimitsFor(AskA(SloStatistic::kP99), Seconds(1));
  EXPECT_THAT(statistic.error().message(), HasSubstr("no p99 of a"));
  LatencyQuestion sojourn = AskA();
  sojourn.time = SloTime::kSojourn;
  EXPECT_EQ(Table().LimitsFor(sojourn, Seconds(1)).error().code(),
            ErrorCode::kUnsupported);
}

TEST(CostTable, SurvivesItsFile) {
  const CostTable table = MakeSyntheticCosts(kWeakServer);
  auto again = ParseCostTable(CostTableYaml(table), "x");
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(CostTableYaml(*again), CostTableYaml(table));
}

TEST(CostTable, RejectsVectorsOfTheWrongLengthAndNegativeNumbers) {
  auto wrong = ParseCostTable(
      "pressures: [cpu]\napplications:\n  a:\n    pressure: [1, 2]\n", "f");
  EXPECT_THAT(wrong.error().message(), HasSubstr("f:4"));
  EXPECT_THAT(wrong.error().message(), HasSubstr("expected 1 numbers"));
  auto negative = ParseCostTable(
      "pressures: [cpu]\napplications:\n  a:\n    pressure: [-1]\n", "f");
  EXPECT_THAT(negative.error().message(), HasSubstr("must not be negative"));
  EXPECT_FALSE(ParseCostTable("pressures: [cpu]\n", "f").ok());
}

}  // namespace
}  // namespace mete
