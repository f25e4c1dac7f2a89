#include "report/report_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_sweeps.h"
#include "support/file.h"
#include "tests/fakes/fake_plot_renderer.h"
#include "tests/fakes/memory_sweep_store.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class ReportSweepsTest : public testing::Test {
 protected:
  void Save(const std::string& id, int64_t second) {
    Sweep sweep{
        .id = id,
        .started_at =
            std::chrono::system_clock::time_point(std::chrono::seconds(second)),
        .workload = "app-" + id,
        .plan = {.memory = LimitRange{100 * kMebi, 60 * kMebi, 20 * kMebi}},
        .points = {MemoryPoint(100, 1), MemoryPoint(80, 2),
                   MemoryPoint(60, 1, false)},
        .finished = true};
    ASSERT_TRUE(store.SaveSweep(sweep).ok());
  }

  Result<std::string> Report(const SweepReportRequest& request) {
    return ReportSweeps(request,
                        {.sweeps = store,
                         .plots = renderer,
                         .on_plot = [this](const std::filesystem::path& file) {
                           drawn.push_back(file);
                         }});
  }

  MemorySweepStore store;
  FakePlotRenderer renderer;
  std::vector<std::filesystem::path> drawn;
  ScratchFolder folder = ScratchFolder::Create().value();
};

TEST_F(ReportSweepsTest, ReportsTheNewestSweepByDefault) {
  Save("01-old", 1);
  Save("02-new", 2);
  auto page = Report({});
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_THAT(*page, HasSubstr("app-02-new"));
  EXPECT_THAT(*page, Not(HasSubstr("app-01-old")));
  EXPECT_THAT(drawn, IsEmpty());
}

TEST_F(ReportSweepsTest, ReportsNamedSweepsSideBySide) {
  Save("01-old", 1);
  Save("02-new", 2);
  auto page = Report({.sweeps = {"01", "02-new"}});
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_THAT(*page, HasSubstr("app-02-new"));
  EXPECT_THAT(*page, HasSubstr("app-01-old"));
}

TEST_F(ReportSweepsTest, SaysWhatToDoWithoutSweeps) {
  auto page = Report({});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().message(),
            "there is no sweep yet; see mete sweep --help");
}

TEST_F(ReportSweepsTest, WritesEveryPlotInTheRequestedFormat) {
  Save("one", 1);
  auto page = Report({.page = false,
                      .plots = folder.path() / "plots",
                      .format = PictureFormat::kPng});
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(*page, "");
  ASSERT_THAT(drawn, Not(IsEmpty()));
  for (const auto& file : drawn) {
    EXPECT_EQ(file.extension(), ".png");
    EXPECT_EQ(ReadFile(file).value(), file.stem().string() + " png");
  }
}

TEST_F(ReportSweepsTest, FailsWhenTheRendererFails) {
  Save("one", 1);
  renderer.failure = Unavailable("gnuplot is not installed");
  auto page = Report({.plots = folder.path()});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().message(), "gnuplot is not installed");
}

TEST(ParsePictureFormat, SuggestsTheNearestSpelling) {
  EXPECT_EQ(ParsePictureFormat("png").value(), PictureFormat::kPng);
  EXPECT_EQ(ParsePictureFormat("pgn").error().message(),
            "'pgn' is not svg or png; did you mean 'png'?");
}

}  // namespace
}  // namespace mete
