// Tests plots of stored sweeps with the real program and the real gnuplot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "adapters/sqlite/sqlite_sweep_store.h"
#include "support/file.h"
#include "tests/integration/browser.h"

namespace mete {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr uint64_t kMi = 1 << 20;

SweepPoint Point(uint64_t mebibytes, uint64_t millicores, double seconds,
                 const char* step) {
  SweepPoint point{
      .limits = {.memory = mebibytes * kMi, .millicores = millicores},
      .run_id = "r",
      .worked = seconds > 0,
      .duration = Seconds(seconds)};
  if (point.worked) {
    point.steps =
        StepTimes{.name = step, .count = 9, .mean = Seconds(seconds / 10)};
  } else {
    point.outcome.kind = OutcomeKind::kOutOfMemory;
  }
  return point;
}

Sweep Grid(const std::string& id, const std::string& name, const char* step) {
  Sweep sweep{.id = id,
              .key = id,
              .workload = name,
              .plan = {.memory = LimitRange{128 * kMi, 64 * kMi, 32 * kMi},
                       .cpus = LimitRange{1000, 500, 500}},
              .finished = true};
  for (uint64_t cpus : {1000, 500}) {
    double slow = 1000.0 / static_cast<double>(cpus);
    sweep.points.push_back(Point(128, cpus, 2 * slow, step));
    sweep.points.push_back(Point(128, cpus, 2.2 * slow, step));
    sweep.points.push_back(Point(96, cpus, 2.5 * slow, step));
    sweep.points.push_back(Point(64, cpus, 0, step));
  }
  return sweep;
}

class SweepPlotsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto store = SqliteSweepStore::Open({.path = folder_.path() / "s.db"});
    ASSERT_TRUE(store.ok()) << store.error().message();
    for (const Sweep& sweep :
         {Grid("01A", "CNN_1d train CWRU", "epoch"),
          Grid("01B", "CNN_1d-CWRU", "inference"), Grid("01C", "'`\"", "s")}) {
      ASSERT_TRUE((*store)->SaveSweep(sweep).ok());
    }
  }

  // Runs `mete report sweep …` and returns its exit code.
  int Report(const std::string& labels, const std::string& before = "") {
    std::string at = folder_.path().string();
    std::string command = "cd " + at + " && HOME=. METE_STATE=state " + before +
                          " " METE_PROGRAM " --store sqlite:" + at +
                          "/s.db report sweep " + labels +
                          " >out.txt 2>err.txt";
    int status = std::system(command.c_str());
    return WEXITSTATUS(status);
  }
  std::string Said(const char* file = "err.txt") {
    return ReadFile(folder_.path() / file).value();
  }
  std::vector<std::string> Drawn() {
    std::vector<std::string> names;
    auto files = FilesIn(folder_.path() / "plots");
    if (!files.ok()) return names;
    for (const auto& file : *files) names.push_back(file.filename().string());
    return names;
  }
  static bool HasGnuplot() {
    return std::system("gnuplot --version >/dev/null 2>&1") == 0;
  }

  ScratchFolder folder_ = ScratchFolder::Create().value();
};

TEST_F(SweepPlotsTest, WritesEveryPlotToAFile) {
  if (!HasGnuplot()) GTEST_SKIP() << "needs gnuplot (gnuplot-nox)";
  ASSERT_EQ(Report("01A 01B 01C --plots plots"), 0) << Said();
  EXPECT_THAT(Drawn(), UnorderedElementsAre(
                           "least-memory.svg", "time-by-memory.svg",
                           "epoch-by-memory.svg", "inference-by-memory.svg",
                           "step-by-memory.svg", "time-by-cpus.svg",
                           "epoch-by-cpus.svg", "inference-by-cpus.svg",
                           "step-by-cpus.svg", "pareto-front.svg"));
  EXPECT_THAT(Said("out.txt"), IsEmpty());
  EXPECT_THAT(Said(), HasSubstr("wrote plots/least-memory.svg\n"));
  std::string svg =
      ReadFile(folder_.path() / "plots" / "least-memory.svg").value();
  EXPECT_THAT(svg, HasSubstr("ONNX Runtime, CWRU"));
}

TEST_F(SweepPlotsTest, CanWritePngImagesAndThePage) {
  if (!HasGnuplot()) GTEST_SKIP() << "needs gnuplot (gnuplot-nox)";
  ASSERT_EQ(Report("01A --plots plots --format png --out page.html"), 0)
      << Said();
  EXPECT_THAT(ReadFile(folder_.path() / "plots" / "pareto-front.png").value(),
              StartsWith("\x89PNG"));
  EXPECT_THAT(Said("page.html"), HasSubstr("CNN_1d train CWRU"));
}

TEST_F(SweepPlotsTest, ThePageDrawsEveryPlot) {
  std::string browser = FindBrowser(folder_.path());
  if (browser.empty()) GTEST_SKIP() << "no Chromium is installed";
  ASSERT_EQ(Report("01A 01B 01C --out page.html"), 0) << Said();
  std::string page =
      Opened(browser, folder_.path() / "page.html", folder_.path());
  EXPECT_FALSE(Has(page, "data-failed"));
  EXPECT_TRUE(Has(page, "data-drawn=\"9\""));  // all but the bars
  EXPECT_TRUE(Has(page, "class=\"bars\""));
  EXPECT_TRUE(Has(page, "aria-label=\"Pareto front of memory"));
}

TEST_F(SweepPlotsTest, WithoutGnuplotTheErrorSaysWhatToInstall) {
  EXPECT_EQ(Report("01A --plots plots", "PATH=/nowhere"), 1);
  EXPECT_EQ(Said(),
            "mete: gnuplot is not installed (Debian: apt install "
            "gnuplot-nox)\n");
  EXPECT_EQ(Report("01A", "PATH=/nowhere"), 0) << "the page needs none";
}

TEST_F(SweepPlotsTest, AFormatRequiresPlots) {
  EXPECT_EQ(Report("01A --format png"), 2);
  EXPECT_EQ(Said(), "mete report sweep: --format requires --plots\n");
  EXPECT_EQ(Report("01A --plots plots --format pgn"), 2);
  EXPECT_THAT(Said(), HasSubstr("'pgn' is not svg or png; did you mean"));
}

}  // namespace
}  // namespace mete
