#include "cli/control_command.h"

#include <fmt/format.h>

#include <memory>

#include "cli/examples.h"
#include "control/rule_table.h"
#include "control/rules_now.h"
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

void WarnOfUnknown(const SloRules& rules, const RulesNow& now,
                   Console& console) {
  for (const auto& [source, why] : now.silent) {
    console.Warn(source + " does not answer: " + why);
  }
  for (size_t i = 0; i < now.readings.size(); ++i) {
    const RuleReading& reading = now.readings[i];
    if (reading.remark.empty() || !reading.complete) continue;
    console.Warn(rules.rules[i].name + ": " + reading.remark);
  }
}

ExitCode ToExitCode(RuleStanding standing) {
  switch (standing) {
    case RuleStanding::kMet:
      return ExitCode::kDone;
    case RuleStanding::kViolated:
      return ExitCode::kInfeasible;
    case RuleStanding::kUnknown:
      return ExitCode::kError;
  }
  return ExitCode::kError;
}

Result<ExitCode> LookOnce(Invocation& invocation, const ControlFlags& flags,
                          const ControllerDependencies& needs) {
  ASSIGN_OR_RETURN(SloRules rules, ReadSloRules(flags.config));
  ASSIGN_OR_RETURN(RulesNow now, LookAtRules(rules, needs, invocation.stop));
  invocation.output.Print({
      .text = [&] { return RuleText(rules, now.readings); },
      .json = [&] { return RuleJson(rules, now.readings); },
      .csv = [&] { return RuleCsv(rules, now.readings); },
  });
  WarnOfUnknown(rules, now, invocation.console);
  return flags.check ? ExitCode::kDone : ToExitCode(now.standing);
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

Result<ExitCode> Control(Invocation& invocation, const ControlFlags& flags,
                         const ControllerDependencies& needs) {
  ASSIGN_OR_RETURN(SloRules rules, ReadSloRules(flags.config));
  std::filesystem::path audit = flags.audit;
  if (audit.empty()) {
    audit = DefaultAuditFile(StateFolder(invocation.settings));
  }
  Output& output = invocation.output;
  auto controller = Controller::Open(
      {.rules = std::move(rules),
       .audit = audit,
       .act = flags.act,
       .keep = flags.keep,
       .report =
           [&](const AuditEntry& entry) { PrintDecision(output, entry); }},
      needs);
  if (!controller.ok()) return controller.error();
  invocation.console.Note(
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

// Returns a complaint if the flags do not go together.
std::optional<std::string> ComplaintAbout(const ControlFlags& flags) {
  if (!flags.example && flags.config.empty()) {
    return "expected rules: mete control --config slo.yaml (mete control "
           "--example prints an example)";
  }
  return std::nullopt;
}

Result<ExitCode> RunControl(Invocation& invocation, const ControlFlags& flags,
                            const Lazy<ControllerDependencies>& dependencies) {
  if (auto complaint = ComplaintAbout(flags)) {
    invocation.console.Error("mete control: " + *complaint);
    return ExitCode::kUsage;
  }
  if (flags.example) {
    invocation.output.PrintText(std::string(kControlExample));
    return ExitCode::kDone;
  }
  ASSIGN_OR_RETURN(ControllerDependencies needs, dependencies());
  if (flags.check || flags.once) return LookOnce(invocation, flags, needs);
  return Control(invocation, flags, needs);
}

}  // namespace

void AddControlCommand(Command root, Verbs& verbs,
                       Lazy<ControllerDependencies> dependencies) {
  auto flags = std::make_shared<ControlFlags>();
  Command command =
      root.Add("control", "Enforce SLOs on live metrics by changing limits",
               "mete control --config slo.yaml --act",
               "Every command takes -o table|json|csv, --store, -q, -v. To "
               "pass the settings\nfile, put it before the command: mete "
               "--config mete.yaml control …\n\n");
  command
      .Option("--config", flags->config,
              "File with the rules (YAML); see --example")
      .Placeholder("FILE");
  Flag act = command.Switch("--act", flags->act,
                            "Apply the changes (default: only print them)");
  command
      .Option("--audit", flags->audit,
              "File for the decision log (default: in the state folder)")
      .Placeholder("FILE");
  Flag once =
      command.Switch("--once", flags->once,
                     "Check once; exit code 3 if an objective is violated");
  Flag check =
      command.Switch("--check", flags->check,
                     "Validate the rules and print them with current values");
  Flag keep = command.Switch("--keep", flags->keep,
                             "Do not restore the changed limits at the end");
  command.Switch("--example", flags->example, "Print example rules");
  once.Excludes(act).Excludes(check).Excludes(keep);
  check.Excludes(act).Excludes(keep);
  verbs.push_back({.command = command,
                   .run =
                       [flags, dependencies](Invocation& invocation) {
                         return RunControl(invocation, *flags, dependencies);
                       },
                   .interruptible = true});
}

}  // namespace mete
