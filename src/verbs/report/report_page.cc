#include <fmt/format.h>

#include "report/html.h"
#include "report/page_files.h"
#include "report/report_input.h"
#include "report/report_sections.h"
#include "report/summary_text.h"
#include "support/clock.h"
#include "support/units.h"

namespace mete {
namespace {

std::string Subtitle(const ReportInput& input) {
  std::string text = FormatUtc(input.started_at);
  if (input.device) text += " on " + input.device->name;
  if (input.seconds) text += ", took " + FormatSeconds(*input.seconds);
  if (input.applications.size() > 1) {
    text +=
        fmt::format(", {} applications {}", input.applications.size(),
                    input.together ? "side by side" : "one after the other");
  }
  return text;
}

// With several applications: a list of links with their results.
std::string Contents(const ReportInput& input) {
  if (input.applications.size() < 2) return "";
  std::string html = "<nav><ul class=\"contents\">\n";
  for (size_t i = 0; i < input.applications.size(); ++i) {
    const ReportedApplication& application = input.applications[i];
    Judgement judgement =
        Judge(application, SummariseRepeats(application.runs));
    html += fmt::format("<li><a href=\"#app-{}\">{}</a> {}</li>\n", i,
                        Escaped(application.name), Escaped(judgement.headline));
  }
  return html + "</ul></nav>\n";
}

std::string Reproduction(const ReportInput& input) {
  if (input.reproduce.empty()) return "";
  std::string html =
      "<section id=\"reproduce\">\n<h2>Reproduce</h2>\n<pre><code>" +
      Escaped(input.reproduce) + "</code></pre>\n";
  if (!input.description.empty()) {
    html +=
        "<details><summary>The session file</summary>\n"
        "<pre><code>" +
        Escaped(input.description) + "</code></pre>\n</details>\n";
  }
  return html + "</section>\n";
}

}  // namespace

std::string ReportPage(const ReportInput& input) {
  std::string html = PageHead(input.title, {kUplotStyle, kPageStyle});
  html += "<body>\n<header>\n<h1>" + Escaped(input.title) + "</h1>\n";
  html += "<p class=\"quiet\">" + Escaped(Subtitle(input)) + "</p>\n";
  if (input.interrupted) {
    html +=
        "<p class=\"verdict warning\">Interrupted: this report contains only "
        "the results so far.</p>\n";
  }
  html += Contents(input) + "</header>\n<main>\n";
  for (size_t i = 0; i < input.applications.size(); ++i) {
    html += ApplicationSection(input.applications[i], i);
  }
  html += EnvironmentSection(input) + Reproduction(input) + "</main>\n";
  html += "<footer>\n" + ChartLicence() + "</footer>\n";
  return html + ChartScripts() + "</body>\n</html>\n";
}

}  // namespace mete
