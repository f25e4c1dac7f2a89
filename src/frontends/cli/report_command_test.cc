#include "cli/report_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_command.h"
#include "support/file.h"
#include "tests/fakes/fake_plot_renderer.h"
#include "tests/fakes/memory_sweep_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ReportCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    Sweep sweep{
        .id = "01S",
        .workload = "detector",
        .plan = {.memory = LimitRange{100 * kMebi, 80 * kMebi, 20 * kMebi}},
        .points = {{.limits = {.memory = 100 * kMebi},
                    .worked = true,
                    .duration = Seconds(1)},
                   {.limits = {.memory = 80 * kMebi},
                    .worked = true,
                    .duration = Seconds(2)}},
        .finished = true};
    ASSERT_TRUE(store.SaveSweep(sweep).ok());
  }

  CommandRun Report(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"report", "sweep"});
    return RunCommand(arguments, [&](Command root, Verbs& verbs) {
      AddReportCommand(root, verbs, [&]() -> Result<ReportDependencies> {
        return ReportDependencies{.sweeps = store, .plots = renderer};
      });
    });
  }

  MemorySweepStore store;
  FakePlotRenderer renderer;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(ReportCommandTest, ThePageGoesToStdoutUnlessAFileIsNamed) {
  CommandRun run = Report({"01S"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("detector"));
  EXPECT_EQ(run.err, "");
}

TEST_F(ReportCommandTest, PlotsAreWrittenWithoutAPage) {
  CommandRun run = Report({"--plots", folder.path().string()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, StartsWith("wrote " + folder.path().string()));
  EXPECT_FALSE(FilesIn(folder.path()).value().empty());
}

TEST_F(ReportCommandTest, AFormatWithoutPlotsIsAUsageError) {
  CommandRun run = Report({"--format", "png"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "mete report sweep: --format requires --plots\n");
}

TEST_F(ReportCommandTest, AnUnknownSweepIsAnError) {
  CommandRun run = Report({"02"});
  EXPECT_EQ(run.code, 1);
  EXPECT_EQ(run.err,
            "mete: no sweep has the ID '02'; mete report sweep without an ID "
            "shows the newest\n");
}

}  // namespace
}  // namespace mete
