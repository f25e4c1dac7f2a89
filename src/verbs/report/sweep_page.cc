#include "report/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/run_words.h"
#include "report/html.h"
#include "report/page_files.h"
#include "report/plot_chart.h"
#include "report/sweep_plots.h"
#include "support/clock.h"
#include "support/json.h"
#include "support/units.h"
#include "sweep/answer.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

constexpr size_t kColours = 8;  // --curve-0 to --curve-7

// The page script draws the plot.
std::string PlotHtml(const Plot& plot, const Drawing& drawing, size_t place) {
  Json chart = PlotToChart(plot);
  chart["label"] = drawing.title;
  return fmt::format(
      "<div class=\"charts\" id=\"charts-{0}\"></div>\n"
      "<noscript><p>The plot needs JavaScript; the tables of every run below "
      "have its numbers.</p></noscript>\n"
      "<script type=\"application/json\" id=\"data-{0}\">{1}</script>\n",
      place, ScriptJson(Json::array({Json::array({std::move(chart)})})));
}

// Horizontal bars, each with its value. They need no script.
std::string BarsHtml(const BarChart& chart) {
  const double end = ScaleFor(chart).end;
  const std::vector<std::string> kinds = ListKinds(chart);
  std::string html = "<table class=\"bars\">\n";
  for (const BarGroup& group : chart.groups) {
    // A single bar without a label needs no heading.
    bool alone = group.bars.size() == 1 && group.bars[0].label.empty();
    if (!alone) {
      html += "<tr><th colspan=\"2\">" + Escaped(group.label) + "</th></tr>\n";
    }
    for (const Bar& bar : group.bars) {
      auto kind = std::ranges::find(kinds, bar.label) - kinds.begin();
      html += fmt::format(
          "<tr><td>{}</td><td><span class=\"bar\" style=\"width:{:.1f}%;"
          "background:var(--curve-{})\"></span> {}</td></tr>\n",
          Escaped(alone ? group.label : bar.label), 80 * bar.value / end,
          static_cast<size_t>(kind) % kColours,
          EscapedProse(ValueText(bar, chart.axis)));
    }
  }
  return html + "</table>\n";
}

std::string Figure(const Drawing& drawing, size_t place) {
  const auto* plot = std::get_if<Plot>(&drawing.content);
  std::string html = "<figure>\n<h3>" + Escaped(drawing.title) + "</h3>\n";
  html += plot != nullptr ? PlotHtml(*plot, drawing, place)
                          : BarsHtml(std::get<BarChart>(drawing.content));
  return html + "<figcaption class=\"quiet\">" + EscapedProse(drawing.caption) +
         "</figcaption>\n</figure>\n";
}

std::string PointRows(const Sweep& sweep, const SweepAnswer& answer) {
  std::string html =
      "<div class=\"wide\"><table>\n<tr><th>limits</th><th>outcome</th>"
      "<th>time</th><th>CPU time</th><th>peak</th><th>throttled</th>"
      "<th>step mean</th><th>step p50</th><th>step p95</th><th>step p99</th>"
      "<th>95 % interval of the mean</th><th>verdict</th><th>run</th></tr>\n";
  const auto estimates = EstimateTimes(sweep);
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    auto on_front = std::ranges::find(answer.front, i, &FrontPoint::place);
    bool near = std::ranges::find(answer.near_front, i, &FrontPoint::place) !=
                answer.near_front.end();
    std::string mark;
    if (on_front != answer.front.end()) {
      mark = on_front->cannot_tell ? " ?" : " *";
    } else if (near) {
      mark = " ?";
    }
    auto cell = [](const std::string& text) {
      return "<td>" + Escaped(text) + "</td>";
    };
    html += "<tr>" + cell(LimitsText(point.limits) + mark);
    html += cell(OutcomeText(point)) + cell(FormatSeconds(point.duration));
    html += cell(point.cpu_time ? FormatSeconds(*point.cpu_time) : "");
    html += cell(point.peak_memory ? FormatBytes(*point.peak_memory) : "");
    html += cell(
        point.throttled ? fmt::format("{:.0f} %", 100 * *point.throttled) : "");
    html += cell(point.steps ? FormatSeconds(point.steps->mean) : "");
    html += cell(point.steps ? FormatSeconds(point.steps->p50) : "");
    html +=
        cell(point.steps && point.steps->p95 ? FormatSeconds(*point.steps->p95)
                                             : "");
    html += cell(point.steps ? FormatSeconds(point.steps->p99) : "");
    std::optional<TimeEstimate> estimate;
    if (point.worked) estimate = estimates[i];
    html += cell(estimate && estimate->interval
                     ? FormatSeconds(estimate->interval->low) + " to " +
                           FormatSeconds(estimate->interval->high)
                     : "");
    html += cell(estimate ? ToWords(estimate->verdict.kind) : "");
    html += cell(point.run_id) + "</tr>\n";
  }
  return html +
         "</table></div>\n<p class=\"quiet\">* no other run is better in "
         "memory, CPUs and time at once. ? cannot tell: the time is too close "
         "to "
         "that of a run that needs less.</p>\n";
}

std::string Section(const Sweep& sweep) {
  SweepAnswer answer = ComputeAnswer(sweep);
  std::string html = "<section>\n<h2>" + Escaped(sweep.workload) + "</h2>\n";
  html += fmt::format("<p class=\"quiet\">{} on {}, {}, {}</p>\n",
                      FormatUtc(sweep.started_at), Escaped(sweep.device_name),
                      Counted(sweep.points.size(), "run"),
                      sweep.finished ? "finished" : "not finished");
  html += "<p class=\"said\">" + EscapedProse(AnswerText(sweep)) + ".</p>\n";
  for (const std::string& note : MakeNotes(sweep, answer)) {
    html += "<p>" + EscapedProse(note) + "</p>\n";
  }
  html += "<details><summary>Every run</summary>\n" + PointRows(sweep, answer) +
          "</details>\n";
  return html + "<h3>Command of one run</h3>\n<pre><code>" +
         Escaped(sweep.command) + "</code></pre>\n</section>\n";
}

}  // namespace

std::string SweepPage(const std::vector<Sweep>& sweeps,
                      const std::string& mete_version) {
  std::string html = PageHead("Minimum resources", {kUplotStyle, kPageStyle});
  html += "<body>\n<header>\n<h1>Minimum resources</h1>\n</header>\n<main>\n";
  html += "<section>\n";
  const std::vector<Drawing> drawings = SweepDrawings(sweeps);
  for (size_t i = 0; i < drawings.size(); ++i) html += Figure(drawings[i], i);
  html += "</section>\n";
  for (const Sweep& sweep : sweeps) html += Section(sweep);
  return html + "</main>\n<footer>mete " + Escaped(mete_version) +
         ChartLicence() + "</footer>\n" + ChartScripts() + "</body>\n</html>\n";
}

}  // namespace mete
