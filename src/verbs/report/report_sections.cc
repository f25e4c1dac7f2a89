#include "report/report_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "domain/run_words.h"
#include "measure/application_text.h"
#include "measure/run_table.h"
#include "report/html.h"
#include "report/summary_text.h"
#include "support/clock.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

std::string ToneName(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "good";
    case Tone::kWarning:
      return "warning";
    case Tone::kBad:
      return "bad";
  }
  return "";
}

std::string VerdictText(const Judgement& judgement) {
  std::string html =
      fmt::format("<p class=\"verdict {}\">{}</p>\n", ToneName(judgement.tone),
                  Escaped(judgement.headline));
  if (judgement.sentences.empty()) return html;
  html += "<p class=\"said\">";
  for (const std::string& sentence : judgement.sentences) {
    html += EscapedProse(sentence) + " ";
  }
  return html + "</p>\n";
}

std::string Tiles(const std::vector<Tile>& tiles) {
  if (tiles.empty()) return "";
  std::string html = "<ul class=\"tiles\">\n";
  for (const Tile& tile : tiles) {
    html += fmt::format(
        "<li><span class=\"label\">{}</span> <strong>{}</strong>"
        "<span class=\"remark\">{}</span></li>\n",
        Escaped(tile.label), EscapedProse(tile.value),
        EscapedProse(tile.remark));
  }
  return html + "</ul>\n";
}

// Rows of cells below a header. The first cell of a row is its name.
std::string Rows(const std::vector<std::string>& headings,
                 const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const std::string& heading : headings) {
    html += "<th scope=\"col\">" + Escaped(heading) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      // Sentences may wrap, numbers may not.
      const char* cell = row[i].size() > 40 ? "<td class=\"long\">" : "<td>";
      html += i == 0 ? "<th scope=\"row\">" + Escaped(row[i]) + "</th>"
                     : cell + Escaped(row[i]) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string MetricTable(const RepeatSummary& summary) {
  if (summary.app_metrics.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, metric] : summary.app_metrics) {
    auto format = [&](double value) { return MetricValue(metric.kind, value); };
    auto plain = [](double value) { return fmt::format("{:.4g}", value); };
    auto cell = [&](const std::optional<ValueSummary>& summarised,
                    const auto& how) {
      return summarised ? how(summarised->p50) + " " + Spread(*summarised, how)
                        : std::string("–");
    };
    rows.push_back({name, cell(metric.rate_hz, plain), cell(metric.p50, format),
                    cell(metric.p95, format), cell(metric.p99, format),
                    FormatCount(metric.count), FormatCount(metric.dropped)});
  }
  return "<h3>Metrics reported by the application</h3>\n" +
         Rows({"name", "per second", "median", "95 % below", "99 % below",
               "events", "lost"},
              rows);
}

std::string Ending(const Run& run) {
  return ToWords(run.outcome.kind) + DetailSuffix(run.outcome);
}

std::string RunTable(const ReportedApplication& application) {
  std::vector<std::vector<std::string>> rows;
  auto seconds = [](const std::optional<Seconds>& value) {
    return value ? FormatSeconds(*value) : std::string("–");
  };
  for (size_t i = 0; i < application.runs.size(); ++i) {
    const Run& run = application.runs[i];
    std::optional<Seconds> took;
    if (run.process()) took = run.process()->duration;
    rows.push_back({std::to_string(i + 1), Ending(run), seconds(took),
                    seconds(run.cpu_time),
                    run.peak_rss ? FormatBytes(*run.peak_rss) : "–",
                    FormatUtc(run.started_at), run.id});
  }
  return "<h3>Runs</h3>\n" + Rows({"run", "how it ended", "time", "CPU time",
                                   "peak memory", "started (UTC)", "id"},
                                  rows);
}

// The distribution of the latency of each run of a network.
std::string LatencyRowsTable(const ReportedApplication& application) {
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < application.runs.size(); ++i) {
    const NetworkDetails* network = application.runs[i].network();
    if (!network || !network->latency) continue;
    const LatencySummary& latency = *network->latency;
    std::string range = "–";
    if (latency.p50_low && latency.p50_high) {
      range = FormatSeconds(*latency.p50_low) + " to " +
              FormatSeconds(*latency.p50_high);
    }
    rows.push_back({std::to_string(i + 1), ToWords(network->verdict.kind),
                    FormatCount(network->iterations),
                    FormatSeconds(latency.min), FormatSeconds(latency.mean),
                    FormatSeconds(latency.p50), range,
                    FormatSeconds(latency.p90), FormatSeconds(latency.p95),
                    FormatSeconds(latency.p99), FormatSeconds(latency.max)});
  }
  if (rows.empty()) return "";
  return "<h3>Latency</h3>\n" +
         Rows({"run", "verdict", "inferences", "min", "mean", "median",
               "95 % interval of the median", "90 % below", "95 % below",
               "99 % below", "max"},
              rows);
}

// Lists each note once, even if several runs have it.
std::string Notes(const ReportedApplication& application) {
  std::set<std::string> seen;
  std::string html;
  for (const Run& run : application.runs) {
    std::vector<std::string> notes;
    if (run.process()) notes = run.process()->notes;
    if (run.network()) {
      notes.insert(notes.end(), run.network()->notes.begin(),
                   run.network()->notes.end());
    }
    for (const std::string& note : notes) {
      if (seen.insert(note).second) html += "<li>" + Escaped(note) + "</li>\n";
    }
  }
  return html.empty() ? "" : "<h3>Notes</h3>\n<ul>\n" + html + "</ul>\n";
}

// The run closest to the median is shown first.
size_t TypicalRun(const ReportedApplication& application,
                  const RepeatSummary& summary) {
  size_t typical = 0;
  if (!summary.seconds) return typical;
  auto distance = [&](const Run& run) {
    const ApplicationDetails* details = run.process();
    return details && details->started()
               ? std::abs(details->duration->count() - summary.seconds->p50)
               : 1e300;
  };
  for (size_t i = 1; i < application.runs.size(); ++i) {
    if (distance(application.runs[i]) < distance(application.runs[typical])) {
      typical = i;
    }
  }
  return typical;
}

// A page with the curves of a thousand runs would be too large to open.
constexpr size_t kMostDrawnRuns = 20;
bool IsDrawn(size_t run, size_t typical) {
  return run < kMostDrawnRuns || run == typical;
}

std::string RunChoice(const ReportedApplication& application, size_t place,
                      size_t chosen) {
  if (application.runs.size() < 2) return "";
  std::string html = fmt::format(
      "<label class=\"choice\">Run <select data-charts=\"{}\">", place);
  for (size_t i = 0; i < application.runs.size(); ++i) {
    if (!IsDrawn(i, chosen)) continue;
    html += fmt::format("<option value=\"{}\"{}>{}: {}</option>", i,
                        i == chosen ? " selected" : "", i + 1,
                        Escaped(ToWords(application.runs[i].outcome.kind)));
  }
  return html + "</select></label>\n";
}

std::string Charts(const ReportedApplication& application,
                   const RepeatSummary& summary, size_t place) {
  Json by_run = Json::array();
  bool any = false;
  size_t chosen = TypicalRun(application, summary);
  for (size_t i = 0; i < application.curves.size(); ++i) {
    by_run.push_back(IsDrawn(i, chosen)
                         ? MakeCharts(application.curves[i], application.limits)
                         : Json::array());
    any = any || !by_run.back().empty();
  }
  if (!any) {
    if (application.runs.empty()) return "";
    return "<p class=\"quiet\">Too few samples for a curve over time. A higher "
           "rate (sample: 100Hz) gives more.</p>\n";
  }
  return fmt::format(
      "<h3>Over time</h3>\n{}<div class=\"charts\" id=\"charts-{}\"></div>\n"
      "<noscript><p>The curves need JavaScript; samples.csv has the same "
      "numbers.</p></noscript>\n"
      "<script type=\"application/json\" id=\"data-{}\">{}</script>\n",
      RunChoice(application, place, chosen), place, place, ScriptJson(by_run));
}

std::string Code(const std::string& text) {
  return "<pre><code>" + Escaped(text) + "</code></pre>\n";
}

void AddLoad(const Environment& environment, std::vector<Fact>& facts) {
  if (environment.governor)
    facts.push_back({"Governor", *environment.governor});
  if (environment.load_average) {
    facts.push_back({"Load before the first run",
                     fmt::format("{:.2f}", *environment.load_average)});
  }
  if (environment.temperature_celsius) {
    facts.push_back(
        {"Temperature before the first run",
         fmt::format("{:.0f} °C", *environment.temperature_celsius)});
  }
}

const Run* FirstRun(const ReportInput& input) {
  for (const ReportedApplication& application : input.applications) {
    if (!application.runs.empty()) return &application.runs.front();
  }
  return nullptr;
}

}  // namespace

std::string FactTable(const std::vector<Fact>& facts) {
  std::string html = "<table class=\"facts\">\n";
  for (const Fact& fact : facts) {
    if (fact.value.empty()) continue;
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                        Escaped(fact.name), Escaped(fact.value));
  }
  return html + "</table>\n";
}

std::vector<Fact> LimitFacts(const Limits& limits,
                             const std::optional<Seconds>& timeout) {
  std::vector<Fact> facts;
  if (limits.memory) {
    facts.push_back({"Memory limit", FormatBytes(*limits.memory) +
                                         (limits.swap ? ", may swap" : "")});
  }
  if (limits.cpus) {
    facts.push_back(
        {"CPU limit",
         fmt::format("{:g} CPUs",
                     static_cast<double>(limits.cpus->count) / 1e3)});
  }
  if (limits.cpuset) facts.push_back({"Cores allowed", *limits.cpuset});
  if (limits.pin) facts.push_back({"Pinned to CPUs", *limits.pin});
  if (limits.processes) {
    facts.push_back({"Process limit", FormatCount(*limits.processes)});
  }
  if (limits.threads) {
    facts.push_back({"Recommended threads", std::to_string(*limits.threads)});
  }
  if (timeout) facts.push_back({"Time-out", FormatSeconds(timeout->count())});
  if (facts.empty()) facts.push_back({"Limits", "none"});
  return facts;
}

std::string ApplicationSection(const ReportedApplication& application,
                               size_t place) {
  RepeatSummary summary = SummariseRepeats(application.runs);
  std::string html = fmt::format("<section id=\"app-{}\">\n<h2>{}</h2>\n",
                                 place, Escaped(application.name));
  html += VerdictText(Judge(application, summary));
  html += Tiles(MakeTiles(application, summary));
  html += MetricTable(summary);
  html += LatencyRowsTable(application);
  html += Charts(application, summary, place);
  if (!application.runs.empty()) html += RunTable(application);
  html += "<div class=\"pair\"><div><h3>Limits</h3>\n" +
          FactTable(LimitFacts(application.limits, application.timeout)) +
          "</div>\n";
  if (!application.instructions.empty()) {
    html += "<div><h3>Instructions</h3>\n<p class=\"free\">" +
            Escaped(application.instructions) + "</p></div>\n";
  }
  html += "</div>\n" + Notes(application);
  if (!application.reproduce.empty()) {
    html +=
        "<h3>Run this application alone</h3>\n" + Code(application.reproduce);
  }
  return html + "</section>\n";
}

std::string EnvironmentSection(const ReportInput& input) {
  std::vector<Fact> facts;
  const Run* run = FirstRun(input);
  if (input.device) {
    const DeviceFacts& machine = input.device->facts;
    facts = {{"Device", input.device->name},
             {"Board", machine.board},
             {"Processor", machine.cpu_model},
             {"Cores", std::to_string(machine.cores)},
             {"Memory", FormatBytes(machine.ram)},
             {"Architecture", machine.architecture},
             {"System", machine.os},
             {"Kernel", machine.kernel}};
    for (const std::string& gpu : machine.gpus) facts.push_back({"GPU", gpu});
  } else if (run != nullptr) {
    facts = {{"Device", run->device_name},
             {"Processor", run->environment.cpu_model},
             {"Cores", std::to_string(run->environment.cores)},
             {"Kernel", run->environment.kernel}};
  }
  if (run != nullptr) {
    AddLoad(run->environment, facts);
    if (!run->engine.name.empty()) {
      facts.push_back({"Engine", run->engine.name + " " + run->engine.version});
    }
    if (run->process() && run->process()->started()) {
      facts.push_back({"Usage read from", run->process()->accounting});
    }
  }
  facts.push_back({"Measured with", "mete " + input.mete_version});
  return "<section id=\"environment\">\n<h2>Environment</h2>\n" +
         FactTable(facts) + "</section>\n";
}

}  // namespace mete
