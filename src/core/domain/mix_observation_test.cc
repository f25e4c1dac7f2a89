#include "domain/mix_observation.h"

#include <gtest/gtest.h>

namespace mete {
namespace {

MixObservation Observation() {
  MixObservation row;
  row.mix = "random-017";
  row.kind = MixKind::kRandom;
  row.seed = 18446744073709551615u;
  row.device = "vm";
  row.cores = 2;
  row.window_s = 8;
  row.started_at = std::chrono::system_clock::from_time_t(1714566600);
  row.tenant = {.application = "text-bert-small", .instances = 2, .rate = 12.5};
  row.sent = 200;
  row.answered = 198;
  row.failed = 1;
  row.saturated = true;
  row.service = {.mean = 0.01, .p50 = 0.009, .p75 = 0.011, .p95 = 0.02};
  row.usage.cpu_cores = 0.25;
  return row;
}

TEST(MixObservation, SurvivesARoundTrip) {
  MixObservation row = Observation();
  auto rows = ParseMixCsv(MixCsvHeader() + ToCsvLine(row));
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(ToCsvLine(rows->front()), ToCsvLine(row));
  EXPECT_EQ(rows->front().tenant.instances, 2);
  EXPECT_EQ(rows->front().seed, row.seed);
  EXPECT_EQ(rows->front().service.p95, 0.02);
}

TEST(MixObservation, LeavesWhatWasNotMeasuredEmpty) {
  MixObservation row = Observation();
  auto rows = ParseMixCsv(MixCsvHeader() + ToCsvLine(row));
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->front().service.p99, std::nullopt);
  EXPECT_EQ(rows->front().sojourn.mean, std::nullopt);
  EXPECT_EQ(rows->front().usage.cache_misses_per_s, std::nullopt);
}

TEST(MixObservation, NamesTheLineAndColumnOfAWrongCell) {
  std::string line = ToCsvLine(Observation());
  line.replace(line.find("random,"), 6, "medley");
  auto rows = ParseMixCsv(MixCsvHeader() + line);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().message(),
            "line 2, column kind: unknown kind of mix 'medley'; there are "
            "baseline, pairwise, random and active");
}

TEST(MixObservation, RefusesNegativeLoad) {
  MixObservation row = Observation();
  const std::string good = MixCsvHeader() + ToCsvLine(row);
  row.tenant.rate = -2;
  auto rows = ParseMixCsv(good + ToCsvLine(row));
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().message(), "line 3, column rate: -2 is negative");
  row.tenant = {.application = "a", .instances = -1, .rate = 0};
  rows = ParseMixCsv(good + ToCsvLine(row));
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().message(), "line 3, column instances: -1 is negative");
  row.tenant = {.application = "a", .instances = 0, .rate = 0};
  EXPECT_TRUE(ParseMixCsv(good + ToCsvLine(row)).ok());
}

TEST(MixObservation, RefusesOtherTables) {
  auto rows = ParseMixCsv("network,sha256\n");
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().message(),
            "line 1: expected column 'mix', found 'network'; is this a table "
            "of mete contend --export-table?");
}

}  // namespace
}  // namespace mete
