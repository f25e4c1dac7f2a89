#include "analyze/analyze_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "analyze/test_usage.h"
#include "support/file.h"
#include "support/gzip.h"
#include "support/random.h"

namespace mete {
namespace {

TEST(AnalyzeFile, ReadsCompressedFiles) {
  const auto folder = ScratchFolder::Create().value();
  std::string csv;
  Random random(1);
  for (int t = 0; t < 200; ++t) {
    csv += std::to_string(t) + "," +
           std::to_string(1 + TestWave(t, 25) + 0.05 * random.Normal()) + "\n";
  }
  const std::string file = folder.path() / "wave.csv.gz";
  ASSERT_TRUE(WriteFileAtomically(file, *Gzip(csv)).ok());
  const FileAnalysis analysis = AnalyzeFile({.file = file}).value();
  ASSERT_EQ(analysis.analysis.periods.size(), 1u);
  EXPECT_NEAR(analysis.analysis.periods[0].length.count(), 25, 0.25);
  EXPECT_EQ(analysis.kind.kind, JobKind::kTraining);
}

TEST(AnalyzeFile, AMetricAddsRightSizing) {
  const auto folder = ScratchFolder::Create().value();
  const std::string file = folder.path() / "memory.csv";
  ASSERT_TRUE(WriteFileAtomically(file, "0,1000000\n60,2000000\n").ok());
  const auto analysis = AnalyzeFile({.file = file, .metric = "memory"}).value();
  ASSERT_TRUE(analysis.sizing.memory);
  EXPECT_DOUBLE_EQ(analysis.sizing.memory->peak, 2e6);
}

// Twenty kilobytes that take gigabytes as cells.
TEST(AnalyzeFile, RefusesMoreLinesThanASeriesHas) {
  const auto folder = ScratchFolder::Create().value();
  const std::string file = folder.path() / "lines.csv.gz";
  const std::string lines(10'000'001, '\n');
  ASSERT_TRUE(WriteFileAtomically(file, *Gzip(lines)).ok());
  EXPECT_EQ(AnalyzeFile({.file = file}).error().message(),
            "read " + file + ": 10000001 lines are too many; at most 10000000");
  ASSERT_TRUE(WriteFileAtomically(file, *Gzip(lines.substr(1))).ok());
  EXPECT_TRUE(AnalyzeFile({.file = file}).ok());
}

TEST(AnalyzeFile, FailsWithoutTheFile) {
  EXPECT_EQ(AnalyzeFile({.file = "/no/such/file"}).error().code(),
            ErrorCode::kNotFound);
}

// Production series with known periods; see bench/periods for all of them.
TEST(AnalyzeFile, FindsTheDayInProductionSeries) {
  const char* given = std::getenv("METE_DATA");
  const std::filesystem::path data =
      given != nullptr ? given : METE_SHARED_DATA;
  const auto file = data / "period-series" / "input0.csv.gz";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "no data: " << file;
  }
  const auto analysis = AnalyzeFile({.file = file.string()}).value();
  ASSERT_FALSE(analysis.analysis.periods.empty());
  EXPECT_DOUBLE_EQ(analysis.analysis.periods[0].length.count(), 86400);
}

}  // namespace
}  // namespace mete
