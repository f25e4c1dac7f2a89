#include "domain/sweep_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

Sweep WholeSweep() {
  auto at = ParseUtc("2026-05-01T12:30:00Z").value();
  SweepPoint point{
      .limits = {.memory = 1000, .millicores = 250},
      .run_id = "r1",
      .outcome = {OutcomeKind::kOutOfMemory, "proof"},
      .started_at = at,
      .duration = Seconds(1.5),
      .cpu_time = Seconds(1.25),
      .peak_memory = Bytes{999},
      .throttled = 0.5,
      .phases = {{"setup", Seconds(0.5)}},
      .steps = StepTimes{"epoch", 2, Seconds(0.4), Seconds(0.3), Seconds(0.5)}};
  point.steps->mean_low = Seconds(0.35);
  point.steps->mean_high = Seconds(0.45);
  point.last_output = "no such layer";
  return {.id = "s1",
          .key = "k",
          .started_at = at,
          .workload = "app",
          .command = "mete measure -- ./app",
          .device_name = "desk",
          .plan = {.memory = LimitRange{1000, 100, 10},
                   .cpus = LimitRange{1000, 250, 250},
                   .search = SweepSearch::kBisect,
                   .repeat = 2,
                   .confirm = 4},
          .points = {point, {.run_id = "r2", .started_at = at}},
          .finished = true,
          .notes = {"other processes use 1.0 of 2 CPUs"}};
}

TEST(SweepJson, SurvivesARoundTrip) {
  Json json = SweepToJson(WholeSweep());
  Sweep back = SweepFromJson(json).value();
  EXPECT_EQ(SweepToJson(back), json);
  EXPECT_EQ(back.plan, WholeSweep().plan);
  EXPECT_EQ(back.points[0].limits, WholeSweep().points[0].limits);
  EXPECT_EQ(back.points[0].steps->count, 2u);
  EXPECT_EQ(back.points[0].steps->mean_low, Seconds(0.35));
  EXPECT_EQ(back.points[0].steps->mean_high, Seconds(0.45));
  EXPECT_FALSE(back.points[1].cpu_time.has_value());
  EXPECT_TRUE(back.finished);
  EXPECT_EQ(back.notes, WholeSweep().notes);
  EXPECT_EQ(back.points[0].last_output, "no such layer");
}

TEST(SweepJson, OmitsAbsentValues) {
  Json point = SweepToJson(WholeSweep())["points"][1];
  for (const char* key : {"memory_limit_bytes", "cpu_seconds", "steps",
                          "phase_seconds", "throttled_ratio"}) {
    EXPECT_FALSE(point.contains(key)) << key;
  }
}

TEST(SweepJson, RejectsUnknownValues) {
  Json json = SweepToJson(WholeSweep());
  json["schema_version"] = Sweep::kSchemaVersion + 1;
  EXPECT_EQ(SweepFromJson(json).error().code(), ErrorCode::kUnsupported);
  json = SweepToJson(WholeSweep());
  json["plan"].erase("search");
  EXPECT_THAT(SweepFromJson(json).error().message(), HasSubstr("search"));
  json = SweepToJson(WholeSweep());
  json["points"][0]["outcome"] = "vanished";
  EXPECT_EQ(SweepFromJson(json).error().code(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace mete
