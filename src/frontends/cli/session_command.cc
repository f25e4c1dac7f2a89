// mete session run|check|example: applications measured in one go, as a file
// describes them.
#include <fmt/format.h>

#include "cli/application_services.h"
#include "cli/examples.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "devices/this_device.h"
#include "domain/run_json.h"
#include "flags/version.h"
#include "measure/application_spec_json.h"
#include "measure/application_text.h"
#include "measure/repeat_summary.h"
#include "measure/reproduce_command.h"
#include "measure/run_session.h"
#include "measure/run_table.h"
#include "report/session_profile.h"
#include "support/json.h"
#include "support/text.h"

namespace mete {
namespace {

struct SessionFlags {
  std::string spec;
  std::string out;
  bool allow_privileged = false;
};

// In the current folder, named so that no session overwrites another.
std::filesystem::path DefaultFolder(const SessionSpec& spec,
                                    const Clock& clock) {
  std::string stamp = FormatUtc(clock.Wall());  // 2024-05-01T12:30:00Z
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return FolderName(spec.name) + "-" + stamp;
}

Status CheckFolder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return {};
  if (!std::filesystem::is_directory(folder, error)) {
    return InvalidInput(folder.string() + " is a file, not a folder");
  }
  if (!std::filesystem::is_empty(folder, error)) {
    return InvalidInput(folder.string() +
                        " holds files already; name another folder with --out");
  }
  return {};
}

std::string Figure(const std::optional<FigureSummary>& figure,
                   std::string (*format)(double)) {
  return figure ? format(figure->p50) : "";
}

std::string Cores(double cores) { return fmt::format("{:.2f}", cores); }
std::string Size(double bytes) {
  return FormatBytes(Bytes{static_cast<uint64_t>(bytes)});
}

// "completed", or "completed 2, timed out 1".
std::string Outcomes(const ApplicationResult& application,
                     const RepeatSummary& summary) {
  if (application.runs.empty()) {
    return application.failure ? "not started" : "not run";
  }
  std::string text;
  for (const auto& [kind, count] : summary.outcomes) {
    text += (text.empty() ? "" : ", ") + WordsOf(kind);
    if (summary.outcomes.size() > 1) text += fmt::format(" {}", count);
  }
  return text;
}

std::string SessionText(const SessionResult& session) {
  Table table({{"application"},
               {"runs", Align::kRight},
               {"outcome"},
               {"time", Align::kRight},
               {"cores", Align::kRight},
               {"memory", Align::kRight}});
  std::vector<Run> all = RunsOf(session);
  for (const ApplicationResult& application : session.applications) {
    std::vector<Run> runs;
    for (const ApplicationRun& done : application.runs) {
      runs.push_back(done.run);
    }
    RepeatSummary summary = SummariseRepeats(runs);
    table.AddRow({ShortenMiddle(NameOf(application.spec), 24),
                  std::to_string(runs.size()), Outcomes(application, summary),
                  Figure(summary.seconds, FormatSeconds),
                  Figure(summary.cpu_cores, Cores),
                  Figure(summary.peak_bytes, Size)});
  }
  std::string text = table.Text() + "\n";
  if (session.spec.formats.html) {
    text += "report " + (session.folder / kSessionReportFile).string() + "\n";
  }
  if (session.spec.formats.json) {
    text += "profile " + (session.folder / kSessionProfileFile).string() + "\n";
  }
  return text;
}

ExitCode CodeOf(const SessionResult& session) {
  if (session.interrupted) return ExitCode::kInterrupted;
  ExitCode code = CodeOf(RunsOf(session));
  for (const ApplicationResult& application : session.applications) {
    if (application.failure && code == ExitCode::kDone) {
      code = ExitCode::kError;
    }
  }
  return code;
}

void WarnOfFailures(const SessionResult& session, Talk& talk) {
  for (const ApplicationResult& application : session.applications) {
    if (!application.failure) continue;
    talk.Warn(NameOf(application.spec) +
              " was not run: " + application.failure->message());
  }
}

Result<ExitCode> RunIt(Invocation& invocation, const SessionFlags& flags) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(SessionSpec spec, ReadSession(flags.spec));
  std::filesystem::path folder = flags.out;
  if (folder.empty()) folder = DefaultFolder(spec, services.TheClock());
  RETURN_IF_ERROR(CheckFolder(folder));
  ASSIGN_OR_RETURN(RunStore * store, services.Store());
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(*store, services.ThisHost(), services.TheClock()));
  Talk& talk = invocation.talk;
  auto session = RunSession(
      {.spec = std::move(spec),
       .context = {.device = device,
                   .mete_version = kVersion,
                   .allow_privileged = flags.allow_privileged},
       .folder = folder},
      OutsideOf(services),
      {.progress = [&](const std::string& line) { talk.Progress(line); },
       .warn = [&](const std::string& line) { talk.Warn(line); },
       .save =
           [&](const Run& run) {
             return store->SaveRun(run).While("the run is not stored");
           }},
      invocation.stop);
  talk.ClearProgress();
  if (!session.ok()) return session.error();
  Status written = WriteSessionFiles(*session);
  // Printed in any case: a full disk must not take the result with it.
  invocation.output.Print({
      .text = [&] { return SessionText(*session); },
      .json = [&] { return ProfileToJson(*session); },
      .csv = [&] { return RunCsv(RunsOf(*session)); },
  });
  WarnOfFailures(*session, talk);
  if (!written.ok()) return written.error();
  return CodeOf(*session);
}

Json CheckJson(const SessionSpec& spec) {
  Json json;
  json["session"] = spec.name;
  json["order"] = NameOf(spec.order);
  json["applications"] = Json::array();
  for (const ApplicationSpec& application : spec.applications) {
    json["applications"].push_back(ApplicationSpecToJson(application));
  }
  return json;
}

Table CheckTable(const SessionSpec& spec) {
  Table table({{"application"}, {"runs", Align::kRight}, {"command"}});
  for (const ApplicationSpec& application : spec.applications) {
    table.AddRow({NameOf(application), std::to_string(application.repeat),
                  MeasureCommand(application)});
  }
  return table;
}

std::string CheckText(const SessionSpec& spec) {
  std::string text = fmt::format(
      "{}: {} application{}, {}\n", spec.name, spec.applications.size(),
      spec.applications.size() == 1 ? "" : "s",
      spec.order == SessionOrder::kTogether ? "side by side"
                                            : "one after the other");
  for (const ApplicationSpec& application : spec.applications) {
    text += fmt::format("\n{}\n  {}\n", NameOf(application),
                        MeasureCommand(application));
  }
  return text;
}

Result<ExitCode> Check(Invocation& invocation, const SessionFlags& flags) {
  ASSIGN_OR_RETURN(SessionSpec spec, ReadSession(flags.spec));
  for (const ApplicationSpec& application : spec.applications) {
    RETURN_IF_ERROR(CheckSpec(application, flags.allow_privileged)
                        .While("application " + NameOf(application)));
  }
  invocation.output.Print({
      .text = [&] { return CheckText(spec); },
      .json = [&] { return CheckJson(spec); },
      .csv = [&] { return CheckTable(spec).Csv(); },
  });
  return ExitCode::kDone;
}

void AddSpecFlags(Command command, SessionFlags& flags) {
  command.Option("SPEC.yaml", flags.spec, "What to run; see session example")
      .Required();
  command.Switch("--allow-privileged", flags.allow_privileged,
                 "Containers may get more power over the machine");
}

}  // namespace

void AddSessionCommand(Command root, Verbs& verbs) {
  Command session = root.Add("session", "Measure applications in one go",
                             "mete session run spec.yaml");
  session.WantsSubcommand();

  auto run_flags = std::make_shared<SessionFlags>();
  Command run = session.Add("run", "Run a session and write its report",
                            "mete session run spec.yaml --out results");
  AddSpecFlags(run, *run_flags);
  run.Option("--out", run_flags->out,
             "Folder for the result (default: name and time)");
  verbs.push_back({.command = run,
                   .run =
                       [run_flags](Invocation& invocation) {
                         return RunIt(invocation, *run_flags);
                       },
                   .interruptible = true});

  auto check_flags = std::make_shared<SessionFlags>();
  Command check = session.Add("check", "Say what a session would run",
                              "mete session check spec.yaml");
  AddSpecFlags(check, *check_flags);
  verbs.push_back(
      {.command = check, .run = [check_flags](Invocation& invocation) {
         return Check(invocation, *check_flags);
       }});

  Command example = session.Add("example", "Print a session to start from",
                                "mete session example > spec.yaml");
  verbs.push_back({.command = example,
                   .run = [](Invocation& invocation) -> Result<ExitCode> {
                     invocation.output.PrintText(std::string(kSessionExample));
                     return ExitCode::kDone;
                   }});
}

}  // namespace mete
