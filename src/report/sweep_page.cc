#include "report/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "report/html.h"
#include "report/page_files.h"
#include "support/clock.h"
#include "support/units.h"
#include "sweep/answer.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

std::string BytesText(double bytes) {
  return FormatBytes(Bytes{static_cast<uint64_t>(std::max(0.0, bytes))});
}
std::string CpusTextOf(double cpus) { return fmt::format("{:g}", cpus); }
std::string SecondsText(double seconds) {
  return seconds == 0 ? "0" : FormatSeconds(seconds);
}

std::optional<double> LimitOf(const SweepPoint& point, SweptLimit limit) {
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

// The runs at one limit. The band of steps reaches to their p99: what the
// unlucky ones get. That of whole runs is their least and their most.
struct AtLimit {
  double sum = 0;
  double count = 0;
  double low = 0;
  double high = 0;

  void Add(double mean, double least, double most) {
    low = count == 0 ? least : std::min(low, least);
    high = count == 0 ? most : std::max(high, most);
    sum += mean;
    count += 1;
  }
};

PlotSeries SeriesOf(const std::vector<const SweepPoint*>& points,
                    SweptLimit limit, bool steps) {
  std::map<double, AtLimit> values;
  std::set<double> failed;
  for (const SweepPoint* one : points) {
    const SweepPoint& point = *one;
    std::optional<double> at = LimitOf(point, limit);
    if (!at) continue;
    if (!point.worked) failed.insert(*at);
    if (!point.worked || (steps && !point.steps)) continue;
    if (steps) {
      values[*at].Add(point.steps->mean, point.steps->p50, point.steps->p99);
    } else {
      values[*at].Add(point.seconds, point.seconds, point.seconds);
    }
  }
  PlotSeries series;
  for (const auto& [at, value] : values) {
    double mean = value.sum / value.count;
    series.points.push_back({.x = at,
                             .y = mean,
                             .low = std::min(value.low, mean),
                             .high = std::max(value.high, mean)});
  }
  series.failures.assign(failed.begin(), failed.end());
  return series;
}

// A curve for every value of the other limit, where that was swept too.
std::vector<PlotSeries> CurvesOf(const Sweep& sweep, SweptLimit limit,
                                 bool steps) {
  using Other = std::optional<uint64_t>;
  std::map<Other, std::vector<const SweepPoint*>, std::greater<>> by_other;
  bool memory = limit == SweptLimit::kMemory;
  bool both = sweep.plan.memory && sweep.plan.cpus;
  for (const SweepPoint& point : sweep.points) {
    Other other = memory ? point.limits.millicores : point.limits.memory;
    by_other[both ? other : Other()].push_back(&point);
  }
  std::vector<PlotSeries> curves;
  for (const auto& [other, points] : by_other) {
    curves.push_back(SeriesOf(points, limit, steps));
    curves.back().label = sweep.workload;
    if (other) {
      curves.back().label +=
          ", " + (memory ? CpusText(*other) : MemoryText(*other));
    }
  }
  return curves;
}

std::string Figure(const std::string& title, const std::string& remark,
                   const std::string& svg) {
  return "<figure>\n<h3>" + Escaped(title) + "</h3>\n" + svg +
         "<figcaption class=\"quiet\">" + EscapedProse(remark) +
         "</figcaption>\n</figure>\n";
}

std::string Plots(const std::vector<Sweep>& sweeps, SweptLimit limit) {
  bool any = std::ranges::any_of(
      sweeps, [&](const Sweep& sweep) { return Swept(sweep, limit); });
  if (!any) return "";
  std::string of = limit == SweptLimit::kMemory ? "memory limit" : "CPU limit";
  std::string html = Figure(
      "Time of a run by " + of,
      "Means of the runs at a limit; the band spans them. Crosses failed.",
      SvgOf(TimePlot(sweeps, limit, false)));
  Plot steps = TimePlot(sweeps, limit, true);
  bool told = std::ranges::any_of(steps.series, [](const PlotSeries& series) {
    return !series.points.empty();
  });
  if (told) {
    html += Figure("Time of a step by " + of,
                   "Means of epochs or inferences; the band goes from their "
                   "median to their 99th percentile. Crosses failed.",
                   SvgOf(steps));
  }
  return html;
}

// The least memory of every sweep that has one, the smallest first.
std::string Floors(const std::vector<Sweep>& sweeps) {
  std::vector<Bar> bars;
  for (const Sweep& sweep : sweeps) {
    if (!sweep.plan.memory) continue;
    SweepAnswer answer = AnswerOf(sweep);
    if (answer.memory.empty() || !answer.memory.front().floor.smallest)
      continue;
    const Floor& floor = answer.memory.front().floor;
    bars.push_back({.label = sweep.workload,
                    .value = static_cast<double>(*floor.smallest),
                    .at_most = !floor.fails});
  }
  if (bars.size() < 2) return "";
  std::ranges::stable_sort(bars, {}, &Bar::value);
  PlotAxis axis{.format = BytesText, .binary = true};
  return Figure("Least memory that works",
                "Swap is off unless a sweep allowed it.", SvgOf(bars, axis));
}

std::string PointRows(const Sweep& sweep, const SweepAnswer& answer) {
  std::string html =
      "<div class=\"wide\"><table>\n<tr><th>limits</th><th>outcome</th>"
      "<th>time</th><th>CPU time</th><th>peak</th><th>throttled</th>"
      "<th>step mean</th><th>step p99</th><th>run</th></tr>\n";
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    bool front = std::ranges::find(answer.front, i, &FrontPoint::place) !=
                 answer.front.end();
    auto cell = [](const std::string& text) {
      return "<td>" + Escaped(text) + "</td>";
    };
    html += "<tr>" + cell(LimitsText(point.limits) + (front ? " *" : ""));
    html += cell(OutcomeText(point)) + cell(FormatSeconds(point.seconds));
    html += cell(point.cpu_seconds ? FormatSeconds(*point.cpu_seconds) : "");
    html += cell(point.peak_memory ? FormatBytes(*point.peak_memory) : "");
    html += cell(
        point.throttled ? fmt::format("{:.0f} %", 100 * *point.throttled) : "");
    html += cell(point.steps ? FormatSeconds(point.steps->mean) : "");
    html += cell(point.steps ? FormatSeconds(point.steps->p99) : "");
    html += cell(point.run_id) + "</tr>\n";
  }
  return html +
         "</table></div>\n<p class=\"quiet\">* not beaten in memory, CPUs and "
         "time at once</p>\n";
}

std::string Section(const Sweep& sweep) {
  SweepAnswer answer = AnswerOf(sweep);
  std::string html = "<section>\n<h2>" + Escaped(sweep.workload) + "</h2>\n";
  html += fmt::format("<p class=\"quiet\">{} on {}, {} runs, {}</p>\n",
                      FormatUtc(sweep.started_at), Escaped(sweep.device_name),
                      sweep.points.size(),
                      sweep.finished ? "finished" : "not finished");
  html += "<p class=\"said\">" + EscapedProse(AnswerText(sweep)) + ".</p>\n";
  html += "<details><summary>Every run</summary>\n" + PointRows(sweep, answer) +
          "</details>\n";
  return html + "<h3>One run of it</h3>\n<pre><code>" + Escaped(sweep.command) +
         "</code></pre>\n</section>\n";
}

}  // namespace

Plot TimePlot(const std::vector<Sweep>& sweeps, SweptLimit limit, bool steps) {
  bool memory = limit == SweptLimit::kMemory;
  Plot plot{.x = {.title = memory ? "memory limit" : "CPU limit",
                  .format = memory ? BytesText : CpusTextOf,
                  .binary = memory},
            .y = {.title = steps ? "time of a step" : "time of a run",
                  .format = SecondsText}};
  for (const Sweep& sweep : sweeps) {
    if (!Swept(sweep, limit)) continue;
    for (PlotSeries& curve : CurvesOf(sweep, limit, steps)) {
      plot.series.push_back(std::move(curve));
    }
  }
  return plot;
}

std::string SweepPage(const std::vector<Sweep>& sweeps,
                      const std::string& mete_version) {
  std::string html = PageHead("How little it needs", {kPageStyle});
  html += "<body>\n<header>\n<h1>How little it needs</h1>\n</header>\n<main>\n";
  std::string plots = Floors(sweeps) + Plots(sweeps, SweptLimit::kMemory) +
                      Plots(sweeps, SweptLimit::kCpus);
  html += "<section>\n" + plots + "</section>\n";
  for (const Sweep& sweep : sweeps) html += Section(sweep);
  return html + "</main>\n<footer>mete " + Escaped(mete_version) +
         "</footer>\n</body>\n</html>\n";
}

}  // namespace mete
