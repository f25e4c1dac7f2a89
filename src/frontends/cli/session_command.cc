// mete session run|check|example: measures several applications described by a
// file.
#include "cli/session_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/examples.h"
#include "cli/run_output.h"
#include "domain/run_json.h"
#include "domain/run_words.h"
#include "flags/version.h"
#include "measure/application_spec_json.h"
#include "measure/repeat_summary.h"
#include "measure/reproduce_command.h"
#include "measure/run_session.h"
#include "measure/run_table.h"
#include "report/session_profile.h"
#include "support/command_line.h"
#include "support/json.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

struct SessionFlags {
  std::string spec;
  std::string out;
  bool allow_privileged = false;
};

std::string FormatMetric(const std::optional<ValueSummary>& metric,
                         std::string (*format)(double)) {
  return metric ? format(metric->p50) : "";
}

std::string Cores(double cores) { return fmt::format("{:.2f}", cores); }
std::string Rate(double rate) { return FormatScaled(rate); }
std::string Size(double bytes) {
  return FormatBytes(Bytes{static_cast<uint64_t>(bytes)});
}

// How the completed runs of an application went: "completed", or the verdict on
// the numbers of a network, the worst first.
std::string Completed(const ApplicationResult& application) {
  std::string text = ToWords(OutcomeKind::kCompleted);
  for (const ApplicationRun& done : application.runs) {
    const Run& run = done.run;
    bool timed = run.network() && run.outcome.kind == OutcomeKind::kCompleted;
    if (!timed) continue;
    const VerdictKind verdict = run.verdict().kind;
    text =
        verdict == VerdictKind::kTooFewSamples ? "too few" : ToWords(verdict);
    if (verdict != VerdictKind::kStable) break;
  }
  return text;
}

// Returns "completed", or "completed 2, timed out 1".
std::string Outcomes(const ApplicationResult& application,
                     const RepeatSummary& summary) {
  if (application.runs.empty()) {
    return application.failure ? "not started" : "not run";
  }
  std::string text;
  for (const auto& [kind, count] : summary.outcomes) {
    text += text.empty() ? "" : ", ";
    text += kind == OutcomeKind::kCompleted ? Completed(application)
                                            : ToWords(kind);
    if (summary.outcomes.size() > 1) text += fmt::format(" {}", count);
  }
  return text;
}

// At most. The report has all rates.
constexpr size_t kMostRates = 2;

// The median of a rate that the application reported; "" if it did not.
std::string RateCell(const RepeatSummary& summary, const std::string& name) {
  auto found = summary.app_metrics.find(name);
  if (found == summary.app_metrics.end() || !found->second.rate_hz) return "";
  return fmt::format("{:.4g}", found->second.rate_hz->p50);
}

std::vector<RepeatSummary> Summarise(const SessionResult& session) {
  std::vector<RepeatSummary> summaries;
  for (const ApplicationResult& application : session.applications) {
    std::vector<Run> runs;
    for (const ApplicationRun& done : application.runs) {
      runs.push_back(done.run);
    }
    summaries.push_back(SummariseRepeats(runs));
  }
  return summaries;
}

std::string SessionTable(const SessionResult& session,
                         const std::vector<RepeatSummary>& summaries,
                         size_t most_rates) {
  // Only networks have latencies.
  const bool timed =
      std::ranges::any_of(summaries, [](const RepeatSummary& summary) {
        return summary.latency_seconds.has_value();
      });
  const std::vector<std::string> rates = CommonRates(summaries, most_rates);
  std::vector<Table::Column> columns = {{"application"},
                                        {"runs", Align::kRight},
                                        {"outcome"},
                                        {"time", Align::kRight},
                                        {"cores", Align::kRight},
                                        {"memory", Align::kRight}};
  if (timed) {
    columns.push_back({"latency", Align::kRight});
    columns.push_back({"infer/s", Align::kRight});
  }
  for (const std::string& name : rates) {
    columns.push_back({ShortenMiddle(name, 10) + "/s", Align::kRight});
  }
  Table table(columns);
  for (size_t i = 0; i < summaries.size(); ++i) {
    const ApplicationResult& application = session.applications[i];
    const RepeatSummary& summary = summaries[i];
    std::vector<std::string> row = {
        ShortenMiddle(DisplayName(application.spec), timed ? 16 : 24),
        std::to_string(application.runs.size()),
        Outcomes(application, summary),
        FormatMetric(summary.seconds, FormatSeconds),
        FormatMetric(summary.cpu_cores, Cores),
        FormatMetric(summary.peak_bytes, Size)};
    if (timed) {
      row.push_back(FormatMetric(summary.latency_seconds, FormatSeconds));
      row.push_back(FormatMetric(summary.throughput, Rate));
    }
    for (const std::string& name : rates) {
      row.push_back(RateCell(summary, name));
    }
    table.AddRow(std::move(row));
  }
  return table.Text();
}

size_t Width(const std::string& table) {
  return DisplayWidth(table.substr(0, table.find('\n')));
}

// With as many rates as fit a terminal beside the rest.
std::string SessionTable(const SessionResult& session) {
  constexpr size_t kColumns = 80;
  const std::vector<RepeatSummary> summaries = Summarise(session);
  for (size_t rates = kMostRates; rates > 0; --rates) {
    std::string table = SessionTable(session, summaries, rates);
    if (Width(table) <= kColumns) return table;
  }
  return SessionTable(session, summaries, 0);
}

std::string SessionText(const SessionResult& session) {
  std::string text = SessionTable(session) + "\n";
  if (session.spec.formats.html) {
    text += "report " + (session.folder / kSessionReportFile).string() + "\n";
  }
  if (session.spec.formats.json) {
    text += "profile " + (session.folder / kSessionProfileFile).string() + "\n";
  }
  return text;
}

ExitCode ExitCodeFor(const SessionResult& session) {
  if (session.interrupted) return ExitCode::kInterrupted;
  ExitCode code = ExitCodeFor(CollectRuns(session));
  for (const ApplicationResult& application : session.applications) {
    if (application.failure && code == ExitCode::kDone) {
      code = ExitCode::kError;
    }
  }
  return code;
}

void WarnOfFailures(const SessionResult& session, Console& console) {
  for (const ApplicationResult& application : session.applications) {
    if (!application.failure) continue;
    console.Warn(DisplayName(application.spec) +
                 " was not run: " + application.failure->message());
  }
}

Result<ExitCode> RunIt(Invocation& invocation, const SessionFlags& flags,
                       SessionSpec spec,
                       const SessionDependencies& dependencies) {
  Console& console = invocation.console;
  RunningSessionFiles files(dependencies.platform.clock);
  auto session = RunSession(
      {.spec = std::move(spec),
       .folder = flags.out,
       .allow_privileged = flags.allow_privileged,
       .mete_version = kVersion,
       .so_far = [&](const SessionResult& so_far) { files.Update(so_far); }},
      dependencies, LinesTo(console), invocation.stop);
  console.ClearProgress();
  if (!session.ok()) return session.error();
  Status written = WriteSessionFiles(*session);
  invocation.output.Print({
      .text = [&] { return SessionText(*session); },
      .json = [&] { return ProfileToJson(*session); },
      .csv = [&] { return RunCsv(CollectRuns(*session)); },
  });
  WarnOfFailures(*session, console);
  if (session->interrupted) {
    const std::string out =
        flags.out.empty() ? session->folder.string() : flags.out;
    console.Note(
        "stopped; resume with: " +
        JoinCommandLine({"mete", "session", "run", flags.spec, "--out", out}));
  }
  RETURN_IF_ERROR(session->stored);
  RETURN_IF_ERROR(written);
  return ExitCodeFor(*session);
}

Result<ExitCode> RunFile(Invocation& invocation, const SessionFlags& flags,
                         const Lazy<SessionDependencies>& dependencies) {
  ASSIGN_OR_RETURN(SessionSpec spec, ReadSession(flags.spec));
  ASSIGN_OR_RETURN(SessionDependencies needs, dependencies());
  return RunIt(invocation, flags, std::move(spec), needs);
}

Json CheckJson(const SessionSpec& spec) {
  Json json;
  json["session"] = spec.name;
  json["order"] = ToString(spec.order);
  json["applications"] = Json::array();
  for (const ApplicationSpec& application : spec.applications) {
    json["applications"].push_back(ApplicationSpecToJson(application));
  }
  return json;
}

Table CheckTable(const SessionSpec& spec) {
  Table table({{"application"}, {"runs", Align::kRight}, {"command"}});
  for (const ApplicationSpec& application : spec.applications) {
    table.AddRow({DisplayName(application), std::to_string(application.repeat),
                  MeasureCommand(application)});
  }
  return table;
}

std::string CheckText(const SessionSpec& spec) {
  std::string text = fmt::format(
      "{}: {}, {}\n", spec.name,
      Counted(spec.applications.size(), "application"),
      spec.order == SessionOrder::kTogether ? "side by side"
                                            : "one after the other");
  for (const ApplicationSpec& application : spec.applications) {
    text += fmt::format("\n{}\n  {}\n", DisplayName(application),
                        MeasureCommand(application));
  }
  return text;
}

Result<ExitCode> Check(Invocation& invocation, const SessionFlags& flags,
                       const NetworkCheck& check_network) {
  ASSIGN_OR_RETURN(SessionSpec spec, ReadSession(flags.spec));
  RETURN_IF_ERROR(CheckSession(spec, flags.allow_privileged, check_network));
  invocation.output.Print({
      .text = [&] { return CheckText(spec); },
      .json = [&] { return CheckJson(spec); },
      .csv = [&] { return CheckTable(spec).Csv(); },
  });
  return ExitCode::kDone;
}

void AddSpecFlags(Command command, SessionFlags& flags) {
  command
      .Option("SESSION.yaml", flags.spec,
              "Session file; see mete session example")
      .Required();
  command.Switch("--allow-privileged", flags.allow_privileged,
                 "Allow privileged container options");
}

}  // namespace

void AddSessionCommand(Command root, Verbs& verbs,
                       Lazy<SessionDependencies> dependencies,
                       Lazy<NetworkCheck> network_check) {
  Command session =
      root.Add("session", "Measure several applications in one session",
               "mete session run session.yaml");
  session.WantsSubcommand();

  auto run_flags = std::make_shared<SessionFlags>();
  Command run = session.Add("run", "Run a session and write its report",
                            "mete session run session.yaml --out results");
  AddSpecFlags(run, *run_flags);
  run.Option("--out", run_flags->out,
             "Output folder (default: session name and time). The folder of "
             "an interrupted session continues it")
      .Placeholder("DIR");
  verbs.push_back({.command = run,
                   .run = [run_flags, dependencies](
                              Invocation& invocation) -> Result<ExitCode> {
                     return UsageIfInvalid(
                         invocation,
                         RunFile(invocation, *run_flags, dependencies));
                   },
                   .interruptible = true});

  auto check_flags = std::make_shared<SessionFlags>();
  Command check =
      session.Add("check", "Check a session file and print what it would run",
                  "mete session check session.yaml");
  AddSpecFlags(check, *check_flags);
  verbs.push_back(
      {.command = check,
       .run = [check_flags, network_check = std::move(network_check)](
                  Invocation& invocation) -> Result<ExitCode> {
         ASSIGN_OR_RETURN(NetworkCheck check_network, network_check());
         return UsageIfInvalid(invocation,
                               Check(invocation, *check_flags, check_network));
       }});

  Command example = session.Add("example", "Print an example session file",
                                "mete session example > session.yaml");
  verbs.push_back({.command = example,
                   .run = [](Invocation& invocation) -> Result<ExitCode> {
                     invocation.output.PrintText(std::string(kSessionExample));
                     return ExitCode::kDone;
                   }});
}

}  // namespace mete
