#include "report/report_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/file.h"
#include "tests/fakes/memory_run_store.h"

namespace mete {
namespace {

using testing::HasSubstr;

class ReportRunTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(store.SaveDevice({.id = "d", .name = "bench-pc"}).ok());
    run.id = "01RUN";
    run.workload.kind = WorkloadKind::kCommand;
    run.workload.name = "detector";
    run.device_id = "d";
    run.device_name = "bench-pc";
    run.details = ApplicationDetails{.duration = Seconds(2)};
  }

  MemoryRunStore store;
  mete::Run run;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(ReportRunTest, AcceptsAPrefixOfAnId) {
  ASSERT_TRUE(store.SaveRun(run).ok());
  auto report = ReportRun("01", store);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_THAT(report->page, HasSubstr("detector"));
  EXPECT_EQ(report->warning, "");
}

TEST_F(ReportRunTest, WarnsAboutMissingCurvesAndReportsTheRest) {
  run.application()->samples_file = folder.path() / "gone.csv";
  ASSERT_TRUE(store.SaveRun(run).ok());
  auto report = ReportRun("01RUN", store);
  ASSERT_TRUE(report.ok()) << report.error().message();
  EXPECT_THAT(report->warning, HasSubstr("no curves: "));
  EXPECT_THAT(report->warning, HasSubstr("gone.csv"));
  EXPECT_THAT(report->page, HasSubstr("detector"));
}

// Imported runs name paths that somebody else chose.
TEST_F(ReportRunTest, ReadsNoDevicesAndPipes) {
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {std::string("/dev/zero"), pipe.string()}) {
    run.id += "X";
    run.application()->samples_file = path;
    ASSERT_TRUE(store.SaveRun(run).ok());
    auto report = ReportRun(run.id, store);
    ASSERT_TRUE(report.ok()) << report.error().message();
    EXPECT_THAT(report->warning, HasSubstr("is not a regular file"));
  }
}

TEST_F(ReportRunTest, FailsForAnUnknownId) {
  auto report = ReportRun("02", store);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace mete
