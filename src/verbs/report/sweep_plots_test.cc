#include "report/sweep_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_sweeps.h"

namespace mete {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Sweep Memory(const std::string& name) {
  return {
      .workload = name,
      .plan = {.memory = LimitRange{100 * kMebi, 60 * kMebi, 20 * kMebi}},
      .points = {MemoryPoint(100, 1), MemoryPoint(100, 2), MemoryPoint(100, 3),
                 MemoryPoint(80, 2), MemoryPoint(60, 1, false)},
      .finished = true};
}

Sweep WithSteps(const std::string& name, const std::string& step) {
  Sweep sweep = Memory(name);
  for (SweepPoint& point : sweep.points) {
    if (!point.worked) continue;
    point.steps = StepTimes{.name = step, .mean = Seconds(0.5)};
  }
  return sweep;
}

Sweep Grid() {
  Sweep grid = Memory("a");
  grid.plan.cpus = LimitRange{1000, 500, 500};
  grid.points = {MemoryPoint(100, 1), MemoryPoint(80, 1), MemoryPoint(100, 3),
                 MemoryPoint(80, 3)};
  for (size_t i = 0; i < grid.points.size(); ++i) {
    grid.points[i].limits.millicores = i < 2 ? 1000 : 500;
  }
  return grid;
}

std::vector<std::string> ListNames(const std::vector<Drawing>& drawings) {
  std::vector<std::string> names;
  for (const Drawing& drawing : drawings) names.push_back(drawing.name);
  return names;
}

TEST(TimePlot, RepeatedRunsAreOnePointWithA95PercentInterval) {
  Plot plot = TimePlot({Memory("a")}, SweptLimit::kMemory, TimedPart::kRun);
  ASSERT_THAT(plot.series, SizeIs(1));
  ASSERT_THAT(plot.series[0].points, SizeIs(2));
  const PlotPoint& top = plot.series[0].points[1];
  EXPECT_DOUBLE_EQ(top.y, 2);
  // t of 2 degrees at 97.5 % is 4.30265; s = 1, n = 3.
  EXPECT_NEAR(top.low.value(), 0.0, 1e-4);
  EXPECT_NEAR(top.high.value(), 2 + 4.30265 / std::sqrt(3), 1e-4);
  EXPECT_THAT(plot.series[0].failures, ElementsAre(60.0 * kMebi));
}

TEST(TimePlot, AxesShowRoundNumbers) {
  Plot plot = TimePlot({Memory("a")}, SweptLimit::kMemory, TimedPart::kRun);
  EXPECT_EQ(plot.x.format(0), "0");
  EXPECT_EQ(plot.x.format(64 * kMebi), "64 MiB");
  EXPECT_EQ(plot.x.format(1.5 * kMebi), "1.5 MiB");
  EXPECT_EQ(plot.y.format(0), "0");
  EXPECT_EQ(plot.y.format(2.5), "2.5 s");
  EXPECT_EQ(plot.y.format(10), "10 s");
  EXPECT_EQ(plot.y.format(0.2), "200 ms");
}

TEST(TimePlot, OneRunHasNoInterval) {
  Plot plot = TimePlot({Memory("a")}, SweptLimit::kMemory, TimedPart::kRun);
  EXPECT_FALSE(plot.series[0].points[0].low);
  EXPECT_FALSE(plot.series[0].points[0].high);
}

TEST(TimePlot, IntervalsDoNotExtendBelowZero) {
  Sweep sweep = Memory("a");
  sweep.points = {MemoryPoint(100, 1), MemoryPoint(100, 1),
                  MemoryPoint(100, 9)};
  Plot plot = TimePlot({sweep}, SweptLimit::kMemory, TimedPart::kRun);
  EXPECT_EQ(plot.series[0].points[0].low, 0);
}

TEST(TimePlot, GridHasACurvePerValueOfTheOtherLimit) {
  Plot plot = TimePlot({Grid()}, SweptLimit::kMemory, TimedPart::kRun);
  ASSERT_THAT(plot.series, SizeIs(2));
  EXPECT_EQ(plot.series[0].label, "a, 1 CPU");
  EXPECT_EQ(plot.series[1].label, "a, 0.5 CPUs");
}

TEST(TimePlot, LeavesOutSweepsOfAnotherLimit) {
  Plot plot = TimePlot({Memory("a")}, SweptLimit::kCpus, TimedPart::kRun);
  EXPECT_TRUE(plot.series.empty());
}

TEST(SweepDrawings, EpochsAndInferencesHaveSeparatePlots) {
  auto drawings =
      SweepDrawings({WithSteps("a", "epoch"), WithSteps("b", "inference")});
  EXPECT_THAT(ListNames(drawings),
              ElementsAre("least-memory", "time-by-memory", "epoch-by-memory",
                          "inference-by-memory"));
  const Plot& epochs = std::get<Plot>(drawings[2].content);
  ASSERT_THAT(epochs.series, SizeIs(1));
  EXPECT_EQ(epochs.series[0].label, "a");
}

TEST(SweepDrawings, AreEmptyWithoutRuns) {
  EXPECT_TRUE(SweepDrawings({}).empty());
  EXPECT_TRUE(SweepDrawings({{.workload = "a"}}).empty());
}

TEST(ParetoPlot, DrawsTheFrontBeforeDominatedPoints) {
  Plot plot = ParetoPlot({Grid()});
  ASSERT_THAT(plot.series, SizeIs(3));
  EXPECT_EQ(plot.series[0].label, "a, 1 CPU");
  ASSERT_THAT(plot.series[0].points, SizeIs(1));
  EXPECT_DOUBLE_EQ(plot.series[0].points[0].x, 80 * kMebi);
  EXPECT_EQ(plot.series[1].label, "a, 0.5 CPUs");
  EXPECT_TRUE(plot.series[2].aside);
  // Single runs have no interval, so that only the point that needs the least
  // is certain.
  EXPECT_EQ(plot.series[2].label, "cannot tell");
  EXPECT_THAT(plot.series[2].points, SizeIs(3));
}

TEST(ParetoPlot, PointsThatAreCertainlySlowerAreDominated) {
  Sweep grid = Grid();
  for (size_t i = 0; i < grid.points.size(); ++i) {
    double mean = i == 2 ? 5 : grid.points[i].duration.count();
    grid.points[i].steps = StepTimes{.name = "inference",
                                     .count = 100,
                                     .mean = Seconds(mean),
                                     .mean_low = Seconds(0.9 * mean),
                                     .mean_high = Seconds(1.1 * mean)};
  }
  Plot plot = ParetoPlot({grid});
  EXPECT_EQ(plot.series.back().label, "dominated");
  ASSERT_THAT(plot.series.back().points, SizeIs(1));
  EXPECT_DOUBLE_EQ(plot.series.back().points[0].y, 5);
}

TEST(ParetoPlot, RepeatedRunsAreOneMean) {
  Sweep grid = Grid();
  grid.points[0].duration = Seconds(4);  // 100 MiB and 1 CPU
  grid.points.push_back(grid.points[0]);
  grid.points.back().duration = Seconds(2);
  PlotSeries doubtful = ParetoPlot({grid}).series.back();
  ASSERT_THAT(doubtful.points, SizeIs(3));
  EXPECT_DOUBLE_EQ(doubtful.points[1].y, 3);
  EXPECT_DOUBLE_EQ(doubtful.points[2].y, 3);
}

TEST(TimePlot, FailuresBelongToOneCurve) {
  Sweep sweep = WithSteps("a", "inference");
  sweep.plan = {.cpus = LimitRange{1000, 250, 250}};
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    sweep.points[i].limits = {.millicores = 1000 - 250 * (i / 2)};
  }
  Plot plot = TimePlot({sweep}, SweptLimit::kCpus, TimedPart::kInference);
  ASSERT_THAT(plot.series, SizeIs(3));
  EXPECT_EQ(plot.series[0].label, "a, mean");
  EXPECT_THAT(plot.series[0].failures, ElementsAre(0.5));
  EXPECT_THAT(plot.series[1].failures, testing::IsEmpty());
}

TEST(TimePlot, LeavesOutTheTotalTimeOfNetworksThatRunForAGivenTime) {
  Sweep sweep = WithSteps("a", "inference");
  EXPECT_THAT(ListNames(SweepDrawings({sweep})),
              testing::Contains("time-by-memory"));
  sweep.command = "mete measure -- mete bench infer a.onnx --duration 5s";
  EXPECT_THAT(ListNames(SweepDrawings({sweep})),
              ElementsAre("inference-by-memory"));
}

TEST(ParetoPlot, UsesOnlyGrids) {
  EXPECT_TRUE(ParetoPlot({Memory("a")}).series.empty());
}

TEST(LeastMemory, GroupsTheBarsOfOneNetwork) {
  BarChart chart =
      LeastMemory({Memory("CNN_1d-CWRU"), Memory("app"),
                   Memory("CNN_1d infer CWRU"), Memory("CNN_1d train CWRU")});
  ASSERT_THAT(chart.groups, SizeIs(2));
  EXPECT_EQ(chart.groups[1].label, "CNN_1d");
  ASSERT_THAT(chart.groups[1].bars, SizeIs(3));
  EXPECT_EQ(chart.groups[1].bars[0].label, "training, CWRU");
  EXPECT_EQ(chart.groups[1].bars[1].label, "libtorch inference, CWRU");
  EXPECT_EQ(chart.groups[1].bars[2].label, "ONNX Runtime, CWRU");
  EXPECT_DOUBLE_EQ(chart.groups[1].bars[0].value, 80 * kMebi);
  EXPECT_EQ(chart.groups[0].label, "app");
  EXPECT_EQ(chart.groups[0].bars[0].label, "");
}

TEST(LeastMemory, LeavesOutSweepsThatNeverWorked) {
  Sweep sweep = Memory("a");
  for (SweepPoint& point : sweep.points) point.worked = false;
  EXPECT_TRUE(LeastMemory({sweep}).groups.empty());
}

}  // namespace
}  // namespace mete
