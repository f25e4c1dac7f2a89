#include "report/sweep_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "stats/mean_interval.h"
#include "support/units.h"
#include "sweep/answer.h"
#include "sweep/reference_workload.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

// "64 MiB", "2.5 s": axes have round numbers, and zero has no unit.
std::string Plain(double value, std::string text) {
  if (value <= 0) return "0";
  size_t unit = text.find(' ');
  if (text.find('.') >= unit) return text;
  size_t end = text.find_last_not_of('0', unit - 1);
  if (text[end] != '.') ++end;
  return text.erase(end, unit - end);
}
// Shows all digits, since the ticks of an axis are eighths and quarters of a
// unit.
std::string AxisBytes(double bytes) {
  constexpr double kGibibyte = 1 << 30;
  if (bytes <= 0) return "0";
  bool large = bytes >= kGibibyte;
  return fmt::format("{:g} {}", bytes / (large ? kGibibyte : 1 << 20),
                     large ? "GiB" : "MiB");
}
std::string FormatCpus(double cpus) { return fmt::format("{:g}", cpus); }
std::string SecondsText(double seconds) {
  return Plain(seconds, FormatSeconds(seconds));
}

// In units of the axis: bytes or CPUs.
std::optional<double> GetLimit(const SweepPoint& point, SweptLimit limit) {
  std::optional<uint64_t> value = limit == SweptLimit::kMemory
                                      ? point.limits.memory
                                      : point.limits.millicores;
  if (!value) return std::nullopt;
  double number = static_cast<double>(*value);
  return limit == SweptLimit::kMemory ? number : number / 1000;
}

bool Swept(const Sweep& sweep, SweptLimit limit) {
  return limit == SweptLimit::kMemory ? sweep.plan.memory.has_value()
                                      : sweep.plan.cpus.has_value();
}

bool IsGrid(const Sweep& sweep) { return sweep.plan.memory && sweep.plan.cpus; }

TimedPart TimedPartFor(const StepTimes& steps) {
  if (steps.name == "epoch") return TimedPart::kEpoch;
  if (steps.name == "inference") return TimedPart::kInference;
  return TimedPart::kOtherStep;
}

// One of the statistics of a step's times.
using StepStatistic = Seconds StepTimes::*;
// Absent when the point did not work or has no such part.
std::optional<double> GetSeconds(const SweepPoint& point, TimedPart part,
                                 StepStatistic statistic = &StepTimes::mean) {
  if (!point.worked) return std::nullopt;
  if (part == TimedPart::kRun) return point.duration.count();
  if (!point.steps || TimedPartFor(*point.steps) != part) return std::nullopt;
  return ((*point.steps).*statistic).count();
}

// A network that runs for a given time takes as long under every limit.
bool HasFixedTime(const Sweep& sweep) {
  return sweep.command.find(" --duration ") != std::string::npos &&
         (sweep.command.find(" bench infer ") != std::string::npos ||
          sweep.command.find("mete-torch infer ") != std::string::npos);
}

bool Has(const Sweep& sweep, TimedPart part) {
  return std::ranges::any_of(sweep.points, [&](const SweepPoint& point) {
    return GetSeconds(point, part).has_value();
  });
}

// Two runs show little of how far runs differ.
constexpr size_t kFewestRuns = 3;

// The mean of the runs at one limit with its 95 % interval: for the mean of a
// step that of its estimate, else by how far the runs differ.
PlotPoint MakePlotPoint(double at, const std::vector<const SweepPoint*>& runs,
                        const std::vector<double>& seconds, bool estimate) {
  std::optional<Interval> interval;
  const MeanEstimate of_runs = *EstimateMeanOfRuns(seconds);
  if (estimate) {
    interval = EstimateTime(runs)->interval;
  } else if (seconds.size() >= kFewestRuns) {
    interval = of_runs.interval;
  }
  PlotPoint point{.x = at, .y = of_runs.mean};
  if (interval) {
    point.low = interval->low;
    point.high = interval->high;
  }
  return point;
}

PlotSeries MakeSeries(const std::vector<const SweepPoint*>& points,
                      SweptLimit limit, TimedPart part,
                      StepStatistic statistic = &StepTimes::mean) {
  struct AtLimit {
    std::vector<const SweepPoint*> runs;
    std::vector<double> seconds;
  };
  std::map<double, AtLimit> values;
  std::set<double> failed;
  for (const SweepPoint* point : points) {
    std::optional<double> at = GetLimit(*point, limit);
    if (!at) continue;
    if (!point->worked) failed.insert(*at);
    if (auto seconds = GetSeconds(*point, part, statistic)) {
      values[*at].runs.push_back(point);
      values[*at].seconds.push_back(*seconds);
    }
  }
  const bool estimate =
      part != TimedPart::kRun && statistic == &StepTimes::mean;
  PlotSeries series;
  for (const auto& [at, found] : values) {
    series.points.push_back(
        MakePlotPoint(at, found.runs, found.seconds, estimate));
  }
  series.failures.assign(failed.begin(), failed.end());
  return series;
}

// One curve, or one per value of the other limit if that was swept, too.
std::vector<PlotSeries> MakeCurves(const Sweep& sweep, SweptLimit limit,
                                   TimedPart part) {
  using Other = std::optional<uint64_t>;
  std::map<Other, std::vector<const SweepPoint*>, std::greater<>> by_other;
  bool memory = limit == SweptLimit::kMemory;
  for (const SweepPoint& point : sweep.points) {
    Other other = memory ? point.limits.millicores : point.limits.memory;
    by_other[IsGrid(sweep) ? other : Other()].push_back(&point);
  }
  std::vector<PlotSeries> curves;
  for (const auto& [other, points] : by_other) {
    curves.push_back(MakeSeries(points, limit, part));
    curves.back().label = sweep.workload;
    if (!memory && part != TimedPart::kRun && !IsGrid(sweep)) {
      curves.back().label += ", mean";
    }
    if (other) {
      curves.back().label +=
          ", " + (memory ? CpusText(*other) : MemoryText(*other));
    }
  }
  // Under a CPU limit the mean alone hides that steps either run fast or wait.
  if (memory || part == TimedPart::kRun || IsGrid(sweep)) return curves;
  for (auto [name, statistic] :
       {std::pair{"p50", &StepTimes::p50}, std::pair{"p99", &StepTimes::p99}}) {
    curves.push_back(
        MakeSeries(by_other.begin()->second, limit, part, statistic));
    curves.back().label = sweep.workload + ", " + name;
    curves.back().failures.clear();  // on the first curve
  }
  return curves;
}

PlotAxis LimitAxis(SweptLimit limit) {
  if (limit == SweptLimit::kMemory) {
    return {.title = "memory limit", .format = AxisBytes, .binary = true};
  }
  return {.title = "CPU limit (cores)", .format = FormatCpus};
}

// The labels of a part: in a file name, as a title and on an axis.
struct PartLabels {
  TimedPart part;
  const char* name;
  const char* title;
  const char* axis;
};
constexpr PartLabels kParts[] = {
    {TimedPart::kRun, "time", "Total time", "time of a run"},
    {TimedPart::kEpoch, "epoch", "Time per epoch", "time of an epoch"},
    {TimedPart::kInference, "inference", "Inference latency",
     "time of an inference"},
    {TimedPart::kOtherStep, "step", "Time of a step", "time of a step"}};

const PartLabels& LabelsFor(TimedPart part) {
  return *std::ranges::find(kParts, part, &PartLabels::part);
}

bool Shows(const Plot& plot) {
  return std::ranges::any_of(plot.series, [](const PlotSeries& series) {
    return !series.points.empty() || !series.failures.empty();
  });
}

void AddTimes(const std::vector<Sweep>& sweeps, SweptLimit limit,
              std::vector<Drawing>& drawings) {
  bool memory = limit == SweptLimit::kMemory;
  for (const PartLabels& labels : kParts) {
    Plot plot = TimePlot(sweeps, limit, labels.part);
    if (!Shows(plot)) continue;
    drawings.push_back(
        {.name =
             std::string(labels.name) + (memory ? "-by-memory" : "-by-cpus"),
         .title = std::string(labels.title) +
                  (memory ? " by memory limit" : " by CPU limit"),
         .caption =
             "Means at a limit; bands are 95 % confidence intervals of the "
             "mean where one is known. A cross continues a curve to a "
             "limit that failed; its height means nothing.",
         .content = std::move(plot)});
  }
}

// The mean time of the runs at these limits with its interval, by memory limit.
PlotPoint MakeFrontPoint(const Sweep& sweep, const PointLimits& limits) {
  std::vector<const SweepPoint*> runs;
  for (const SweepPoint& point : sweep.points) {
    if (point.limits == limits) runs.push_back(&point);
  }
  const TimeEstimate time = *EstimateTime(runs);
  PlotPoint point{.x = static_cast<double>(limits.memory.value_or(0)),
                  .y = time.seconds};
  if (time.interval) {
    point.low = time.interval->low;
    point.high = time.interval->high;
  }
  return point;
}

// The points of a plot that are not certainly on the front.
struct OffFront {
  PlotSeries doubtful{.label = "cannot tell", .aside = true};
  PlotSeries beaten{.label = "dominated", .aside = true};
};

void AddFront(const Sweep& sweep, Plot& plot, OffFront& off) {
  const SweepAnswer answer = ComputeAnswer(sweep);
  std::set<PointLimits, decltype([](const auto& a, const auto& b) {
             return std::pair(a.millicores, a.memory) <
                    std::pair(b.millicores, b.memory);
           })>
      others;
  for (const SweepPoint& point : sweep.points) {
    if (point.worked) others.insert(point.limits);
  }
  std::map<uint64_t, std::vector<PlotPoint>, std::greater<>> curves;
  auto limits_at = [&](const FrontPoint& point) {
    return sweep.points[point.place].limits;
  };
  for (const FrontPoint& point : answer.front) {
    const PointLimits limits = limits_at(point);
    PlotPoint made = MakeFrontPoint(sweep, limits);
    if (point.cannot_tell) off.doubtful.points.push_back(made);
    curves[limits.millicores.value_or(0)].push_back(made);
    others.erase(limits);
  }
  for (const FrontPoint& point : answer.near_front) {
    off.doubtful.points.push_back(MakeFrontPoint(sweep, limits_at(point)));
    others.erase(limits_at(point));
  }
  for (const PointLimits& limits : others) {
    off.beaten.points.push_back(MakeFrontPoint(sweep, limits));
  }
  for (auto& [millicores, points] : curves) {
    std::ranges::sort(points, {}, &PlotPoint::x);
    plot.series.push_back(
        {.label = sweep.workload + ", " + CpusText(millicores),
         .points = std::move(points)});
  }
}

// The bar of a sweep's minimum memory, and where it belongs.
struct PlacedBar {
  std::string group;
  // The position among the bars of a network: training, then libtorch, then
  // ONNX Runtime. Absent: stands alone.
  std::optional<std::pair<ReferenceTask, std::string>> place;
  Bar bar;
};

// Absent when memory was not swept or nothing works.
std::optional<PlacedBar> MakeBar(const Sweep& sweep) {
  if (!sweep.plan.memory) return std::nullopt;
  SweepAnswer answer = ComputeAnswer(sweep);
  if (answer.memory.empty()) return std::nullopt;
  const Floor& floor = answer.memory.front().floor;
  if (!floor.smallest) return std::nullopt;
  PlacedBar placed{.group = sweep.workload,
                   .bar = {.value = static_cast<double>(*floor.smallest),
                           .at_most = !floor.fails}};
  if (auto reference = FindReference(sweep.workload)) {
    placed.group = reference->network;
    placed.place.emplace(reference->task, reference->dataset);
    placed.bar.label = TaskText(*reference);
  }
  return placed;
}

}  // namespace

Plot TimePlot(const std::vector<Sweep>& sweeps, SweptLimit limit,
              TimedPart part) {
  Plot plot{.x = LimitAxis(limit),
            .y = {.title = LabelsFor(part).axis,
                  .format = SecondsText,
                  .may_be_log = true}};
  for (const Sweep& sweep : sweeps) {
    bool known =
        part == TimedPart::kRun ? !HasFixedTime(sweep) : Has(sweep, part);
    if (!Swept(sweep, limit) || !known) continue;
    for (PlotSeries& curve : MakeCurves(sweep, limit, part)) {
      plot.series.push_back(std::move(curve));
    }
  }
  return plot;
}

BarChart LeastMemory(const std::vector<Sweep>& sweeps) {
  std::vector<PlacedBar> bars;
  for (const Sweep& sweep : sweeps) {
    if (auto bar = MakeBar(sweep)) bars.push_back(*std::move(bar));
  }
  std::ranges::stable_sort(bars, {}, &PlacedBar::place);
  BarChart chart{
      .axis = {.title = "memory limit", .format = AxisBytes, .binary = true}};
  for (PlacedBar& placed : bars) {
    auto group =
        std::ranges::find(chart.groups, placed.group, &BarGroup::label);
    bool joins = placed.place && group != chart.groups.end() &&
                 !group->bars.front().label.empty();
    if (!joins) {
      chart.groups.push_back({.label = placed.group});
      group = std::prev(chart.groups.end());
    }
    group->bars.push_back(std::move(placed.bar));
  }
  std::ranges::stable_sort(chart.groups, {}, [](const BarGroup& group) {
    return std::ranges::max(group.bars, {}, &Bar::value).value;
  });
  return chart;
}

Plot ParetoPlot(const std::vector<Sweep>& sweeps) {
  Plot plot{.x = LimitAxis(SweptLimit::kMemory),
            .y = {.title = "time", .format = SecondsText, .may_be_log = true}};
  OffFront off;
  for (const Sweep& sweep : sweeps) {
    if (IsGrid(sweep)) AddFront(sweep, plot, off);
  }
  for (PlotSeries* series : {&off.doubtful, &off.beaten}) {
    std::ranges::sort(series->points, {}, &PlotPoint::x);
    if (!series->points.empty()) plot.series.push_back(std::move(*series));
  }
  return plot;
}

std::vector<Drawing> SweepDrawings(const std::vector<Sweep>& sweeps) {
  std::vector<Drawing> drawings;
  BarChart floors = LeastMemory(sweeps);
  size_t bars = 0;
  for (const BarGroup& group : floors.groups) bars += group.bars.size();
  if (bars > 1) {  // a single bar is just a number
    drawings.push_back(
        {.name = "least-memory",
         .title = "Minimum memory that works",
         .caption = "Swap is off unless a sweep allowed it. With ≤, nothing "
                    "smaller was tried.",
         .content = std::move(floors)});
  }
  AddTimes(sweeps, SweptLimit::kMemory, drawings);
  AddTimes(sweeps, SweptLimit::kCpus, drawings);
  Plot front = ParetoPlot(sweeps);
  if (Shows(front)) {
    drawings.push_back(
        {.name = "pareto-front",
         .title = "Pareto front of memory, CPUs and time",
         .caption =
             "Mean time of a step, or of a run without steps; bars are 95 % "
             "confidence intervals. Cannot tell: the interval overlaps with "
             "that of a point that needs less.",
         .content = std::move(front)});
  }
  return drawings;
}

}  // namespace mete
