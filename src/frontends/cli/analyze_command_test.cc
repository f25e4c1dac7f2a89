#include "cli/analyze_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/test_command.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

using testing::HasSubstr;

class AnalyzeCommandTest : public testing::Test {
 protected:
  // A wave of 20 s, one value a second.
  AnalyzeCommandTest() {
    std::string csv = "time,value,other\n";
    for (int t = 0; t < 200; ++t) {
      csv += std::to_string(1700000000 + t) + "," +
             std::to_string(50 + 40 * std::sin(t * 0.314159265358979)) + ",1\n";
    }
    EXPECT_TRUE(WriteFileAtomically(file, csv).ok());
  }

  CommandRun Analyze(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"analyze", file});
    return RunCommand(arguments, AddAnalyzeCommand);
  }

  ScratchFolder folder = ScratchFolder::Create().value();
  std::string file = folder.path() / "wave.csv";
};

TEST_F(AnalyzeCommandTest, PrintsThePeriodAndTheForecast) {
  const CommandRun run = Analyze({});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("20.0 s"));
  EXPECT_THAT(run.out, HasSubstr("forecast: 20.0 s ahead"));
}

TEST_F(AnalyzeCommandTest, PrintsAPageThatMakesNoRequests) {
  const CommandRun run = Analyze({"-o", "html"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("<!doctype html>"));
  EXPECT_EQ(run.out.find("<script src="), std::string::npos);
}

TEST_F(AnalyzeCommandTest, PrintsJson) {
  const CommandRun run = Analyze({"-o", "json", "--horizon", "5s"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Json json = ParseJson(run.out).value();
  EXPECT_NEAR(json["periods"][0]["seconds"].get<double>(), 20, 0.1);
  EXPECT_EQ(json["forecast"]["values"].size(), 5u);
}

TEST_F(AnalyzeCommandTest, NamesTheNearestColumn) {
  const CommandRun run = Analyze({"--column", "othr"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("other"));
}

TEST_F(AnalyzeCommandTest, LegacyFindsNoSine) {
  const CommandRun run = Analyze({"--method", "legacy"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("no period"));
}

TEST_F(AnalyzeCommandTest, AStepOfNoTimeIsAUsageError) {
  const CommandRun run = Analyze({"--step", "0s"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("--step: '0s': duration must be positive"));
}

TEST_F(AnalyzeCommandTest, AnUnknownMetricIsAUsageError) {
  EXPECT_EQ(Analyze({"--metric", "gpus"}).code, 2);
}

}  // namespace
}  // namespace mete
