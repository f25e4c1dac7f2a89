// mete control: keeps objectives on live series, by acting on what disturbs.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "cli/control_tables.h"
#include "cli/controlling.h"
#include "cli/examples.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "control/slo_yaml.h"
#include "support/csv.h"
#include "support/json.h"

namespace mete {
namespace {

struct ControlFlags {
  std::string config;
  std::string audit;
  bool act = false;
  bool once = false;
  bool check = false;
  bool keep = false;
  bool example = false;
};

// The rules with what their series say now.
struct Looked {
  SloRules rules;
  std::vector<RuleReading> readings;
  std::map<std::string, std::string> silent;  // sources and why
};

Result<Looked> Look(Invocation& invocation, const ControlFlags& flags) {
  Looked looked;
  ASSIGN_OR_RETURN(looked.rules, ReadSloRules(flags.config));
  ASSIGN_OR_RETURN(SeriesSources sources,
                   OpenSources(looked.rules, invocation.services));
  auto answers = AskSources(looked.rules, sources, invocation.stop);
  for (size_t i = 0; i < answers.size(); ++i) {
    looked.readings.push_back(
        ReadRule(looked.rules.rules[i], answers[i], looked.rules.stale_after));
    for (const SourceAnswer& answer : answers[i]) {
      if (answer.series.ok()) continue;
      looked.silent[answer.source] = answer.series.error().message();
    }
  }
  return looked;
}

void WarnOfUnknown(const Looked& looked, Talk& talk) {
  for (const auto& [source, why] : looked.silent) {
    talk.Warn(source + " does not answer: " + why);
  }
  for (size_t i = 0; i < looked.readings.size(); ++i) {
    const RuleReading& reading = looked.readings[i];
    if (reading.remark.empty() || !reading.complete) continue;
    talk.Warn(looked.rules.rules[i].name + ": " + reading.remark);
  }
}

Result<ExitCode> LookOnce(Invocation& invocation, const ControlFlags& flags) {
  ASSIGN_OR_RETURN(Looked looked, Look(invocation, flags));
  invocation.output.Print({
      .text = [&] { return RuleTable(looked.rules, looked.readings).Text(); },
      .json = [&] { return RuleJson(looked.rules, looked.readings); },
      .csv = [&] { return RuleTable(looked.rules, looked.readings).Csv(); },
  });
  WarnOfUnknown(looked, invocation.talk);
  if (flags.check) return ExitCode::kDone;
  bool unknown = false;
  for (size_t i = 0; i < looked.readings.size(); ++i) {
    switch (StandingOf(looked.rules.rules[i], looked.readings[i])) {
      case RuleStanding::kMet:
        break;
      case RuleStanding::kViolated:
        return ExitCode::kInfeasible;
      case RuleStanding::kUnknown:
        unknown = true;
        break;
    }
  }
  return unknown ? ExitCode::kError : ExitCode::kDone;
}

void PrintDecision(Output& output, const AuditEntry& entry) {
  const std::string time = FormatUtc(entry.time);
  switch (output.format()) {
    case OutputFormat::kTable:
      output.Print({.text = [&] {
        return fmt::format("{} {}\n", time, AuditEntryText(entry));
      }});
      break;
    case OutputFormat::kJson:
      output.PrintText(AuditEntryToJson(entry).dump(
                           -1, ' ', false, Json::error_handler_t::replace) +
                       "\n");
      break;
    case OutputFormat::kCsv:
      output.PrintText(CsvLine({time, entry.rule, entry.decision, entry.before,
                                entry.after, AuditEntryText(entry)}));
      break;
  }
}

Result<ExitCode> Control(Invocation& invocation, const ControlFlags& flags) {
  ASSIGN_OR_RETURN(SloRules rules, ReadSloRules(flags.config));
  std::filesystem::path audit = flags.audit;
  if (audit.empty()) audit = DefaultAuditFile(invocation.environment);
  Output& output = invocation.output;
  auto controller = Controller::Open(
      {.rules = std::move(rules),
       .audit = audit,
       .act = flags.act,
       .keep = flags.keep,
       .tell = [&](const AuditEntry& entry) { PrintDecision(output, entry); }},
      invocation.services);
  if (!controller.ok()) return controller.error();
  invocation.talk.Note(
      flags.act ? "acting; decisions are written to " + audit.string()
                : "dry run: nothing is changed without --act; decisions are "
                  "written to " +
                      audit.string());
  if (output.format() == OutputFormat::kCsv) {
    output.PrintText(CsvLine(
        {"time", "rule", "decision", "state_before", "state_after", "text"}));
  }
  RETURN_IF_ERROR((*controller)->Run(invocation.stop));
  return ExitCode::kDone;
}

// What is wrong with the combination of flags; absent when nothing is.
std::optional<std::string> Complaint(const ControlFlags& flags) {
  if (!flags.example && flags.config.empty()) {
    return "rules are wanted: mete control --config slo.yaml (mete control "
           "--example prints some)";
  }
  return std::nullopt;
}

Result<ExitCode> RunIt(Invocation& invocation, const ControlFlags& flags) {
  if (auto complaint = Complaint(flags)) {
    invocation.talk.Error("mete control: " + *complaint);
    return ExitCode::kUsage;
  }
  if (flags.example) {
    invocation.output.PrintText(std::string(kControlExample));
    return ExitCode::kDone;
  }
  if (flags.check || flags.once) return LookOnce(invocation, flags);
  return Control(invocation, flags);
}

}  // namespace

void AddControlCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<ControlFlags>();
  Command command = root.Add(
      "control", "Keep objectives on live series by changing limits",
      "mete control --config slo.yaml --act",
      "Every verb takes -o table|json|csv, --store, -q, -v. The settings of "
      "mete are\nnamed before the verb here: mete --config mete.yaml control "
      "…\n\n");
  command.Option("--config", flags->config, "Rules (YAML); see --example");
  Flag act = command.Switch("--act", flags->act,
                            "Change things (default: only say what would be)");
  command.Option("--audit", flags->audit,
                 "File for decisions (default: in the state folder)");
  Flag once = command.Switch("--once", flags->once,
                             "Look once; exit code 3 when an objective fails");
  Flag check = command.Switch("--check", flags->check,
                              "Check the rules, show them with values of now");
  Flag keep = command.Switch("--keep", flags->keep,
                             "Leave what was changed as it is at the end");
  command.Switch("--example", flags->example, "Print rules to start from");
  once.Excludes(act).Excludes(check).Excludes(keep);
  check.Excludes(act).Excludes(keep);
  verbs.push_back(
      {.command = command,
       .run = [flags](
                  Invocation& invocation) { return RunIt(invocation, *flags); },
       .interruptible = true});
}

}  // namespace mete
