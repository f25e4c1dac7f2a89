#include "report/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html.h"
#include "report/page_files.h"
#include "report/svg_plot.h"
#include "report/sweep_plots.h"
#include "support/clock.h"
#include "support/units.h"
#include "sweep/answer.h"
#include "sweep/sweep_text.h"

namespace mete {
namespace {

std::string FigureOf(const Drawing& drawing) {
  return "<figure>\n<h3>" + Escaped(drawing.title) + "</h3>\n" +
         SvgOf(drawing) + "<figcaption class=\"quiet\">" +
         EscapedProse(drawing.caption) + "</figcaption>\n</figure>\n";
}

std::string PointRows(const Sweep& sweep, const SweepAnswer& answer) {
  std::string html =
      "<div class=\"wide\"><table>\n<tr><th>limits</th><th>outcome</th>"
      "<th>time</th><th>CPU time</th><th>peak</th><th>throttled</th>"
      "<th>step mean</th><th>step p50</th><th>step p99</th><th>run</th></tr>\n";
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    bool front = std::ranges::find(answer.front, i, &FrontPoint::place) !=
                 answer.front.end();
    auto cell = [](const std::string& text) {
      return "<td>" + Escaped(text) + "</td>";
    };
    html += "<tr>" + cell(LimitsText(point.limits) + (front ? " *" : ""));
    html += cell(OutcomeText(point)) + cell(FormatSeconds(point.duration));
    html += cell(point.cpu_time ? FormatSeconds(*point.cpu_time) : "");
    html += cell(point.peak_memory ? FormatBytes(*point.peak_memory) : "");
    html += cell(
        point.throttled ? fmt::format("{:.0f} %", 100 * *point.throttled) : "");
    html += cell(point.steps ? FormatSeconds(point.steps->mean) : "");
    html += cell(point.steps ? FormatSeconds(point.steps->p50) : "");
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
  for (const std::string& note : NotesOf(sweep, answer)) {
    html += "<p>" + EscapedProse(note) + "</p>\n";
  }
  html += "<details><summary>Every run</summary>\n" + PointRows(sweep, answer) +
          "</details>\n";
  return html + "<h3>One run of it</h3>\n<pre><code>" + Escaped(sweep.command) +
         "</code></pre>\n</section>\n";
}

}  // namespace

std::string SweepPage(const std::vector<Sweep>& sweeps,
                      const std::string& mete_version) {
  std::string html = PageHead("How little it needs", {kPageStyle});
  html += "<body>\n<header>\n<h1>How little it needs</h1>\n</header>\n<main>\n";
  html += "<section>\n";
  for (const Drawing& drawing : SweepDrawings(sweeps))
    html += FigureOf(drawing);
  html += "</section>\n";
  for (const Sweep& sweep : sweeps) html += Section(sweep);
  return html + "</main>\n<footer>mete " + Escaped(mete_version) +
         "</footer>\n</body>\n</html>\n";
}

}  // namespace mete
