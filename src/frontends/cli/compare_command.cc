#include "cli/compare_command.h"

#include <fmt/format.h>

#include "cli/application_flags.h"
#include "cli/run_output.h"
#include "compare/compare_commands.h"
#include "compare/compare_runs.h"
#include "compare/comparison_text.h"
#include "domain/run_words.h"
#include "flags/version.h"
#include "measure/application_bounds.h"
#include "measure/application_text.h"
#include "support/json.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

struct CompareFlags {
  std::string first;
  std::string second;
  uint64_t repeat = 10;
  uint64_t warmup = 0;
  std::string prepare;
  std::optional<std::string> fail_if_slower;
  ApplicationFlags application;

  std::optional<double> AllowedSlowdown() const {
    if (!fail_if_slower) return std::nullopt;
    return *ParseRatio(*fail_if_slower);  // was checked when it was parsed
  }
};

// Adds the flags that only apply to commands and returns their names.
std::vector<std::string> AddCommandFlags(Command command, CompareFlags& flags) {
  ApplicationFlags& application = flags.application;
  command
      .Option("--repeat", flags.repeat,
              "Command: runs of each, A and B in turn (default 10)")
      .Within(1, kMostRepeats);
  command
      .Option("--warmup", flags.warmup,
              "Command: runs of each that do not count (default 0)")
      .Within(0, kMostRepeats);
  command
      .Option("--prepare", flags.prepare,
              "Command: shell command before every run, not measured")
      .Placeholder("CMD");
  command
      .Option("--memory", application.memory,
              "Command: memory limit, e.g. 512Mi")
      .Check(ParseMemoryLimit, "BYTES");
  command
      .Option("--cpus", application.cpus,
              "Command: CPU limit, e.g. 0.5 or 500m")
      .Check(ParseCpuLimit, "CPUS");
  std::vector<std::string> added = AddSurroundingFlags(command, application);
  added.insert(added.end(),
               {"--repeat", "--warmup", "--prepare", "--memory", "--cpus"});
  return added;
}

// Returns a complaint if the arguments do not go together.
std::optional<std::string> ComparisonComplaint(
    const CompareFlags& flags, const Invocation& invocation,
    const std::vector<std::string>& given,
    const std::vector<std::string>& command_flags) {
  if (invocation.command) {
    if (!flags.first.empty()) {
      return "expected two runs or two commands after --, not both";
    }
    if (invocation.command->size() != 2) {
      return fmt::format(
          "expected two commands after --, each quoted, got {}: mete compare "
          "-- './app --old' './app --new'",
          invocation.command->size());
    }
    return ImageComplaint(given, flags.application);
  }
  for (const std::string& name : given) {
    if (HasItem(command_flags, name)) {
      return name + " is for commands, not for stored runs";
    }
  }
  if (flags.first.empty() || flags.second.empty()) {
    return "expected two runs or two commands after --: mete compare 01J8 01J9 "
           "or mete compare -- './a' './b'";
  }
  for (const std::string& run : {flags.first, flags.second}) {
    if (run.ends_with(".onnx")) {
      return "expected the IDs of runs, not a network file; run mete measure "
             "for each network, then compare their runs (mete runs list)";
    }
  }
  return std::nullopt;
}

// Prints the result and converts it to an exit code. A gate that cannot be
// decided must not look like one that was passed.
ExitCode Deliver(Invocation& invocation, ComparisonAnswer answer) {
  invocation.output.Print({
      .text = [&] { return ComparisonText(answer); },
      .json = [&] { return ComparisonJson(answer); },
      .csv = [&] { return ComparisonCsv(answer); },
  });
  const Comparison& comparison = answer.comparison;
  bool shown = invocation.output.format() == OutputFormat::kTable;
  if (invocation.output.format() == OutputFormat::kCsv) {
    for (const std::string& note : comparison.notes) {
      invocation.console.Warn(note);
    }
  }
  if (!answer.allowed_slowdown) return ExitCode::kDone;
  GateVerdict gate = JudgeGate(comparison.ratio, *answer.allowed_slowdown);
  if (!shown && gate != GateVerdict::kPassed) {
    invocation.console.Warn("gate " +
                            GateText(comparison, *answer.allowed_slowdown));
  }
  switch (gate) {
    case GateVerdict::kPassed:
      return ExitCode::kDone;
    case GateVerdict::kFailed:
      return ExitCode::kInfeasible;
    case GateVerdict::kUndecided:
      break;
  }
  return ExitCode::kUnstable;
}

Result<ExitCode> CompareStoredRuns(Invocation& invocation,
                                   const CompareFlags& flags, RunStore& store) {
  ASSIGN_OR_RETURN(Comparison comparison,
                   CompareRuns({.first = SplitAt(flags.first, ','),
                                .second = SplitAt(flags.second, ',')},
                               store));
  return Deliver(invocation, {.comparison = std::move(comparison),
                              .allowed_slowdown = flags.AllowedSlowdown()});
}

Result<ApplicationSpec> SpecFor(const std::string& text,
                                const CompareFlags& flags) {
  ASSIGN_OR_RETURN(auto arguments, SplitComparedCommand(text));
  return MakeSpec(flags.application, arguments);
}

Result<ExitCode> CompareTwoCommands(
    Invocation& invocation, const CompareFlags& flags,
    CompareCommandsRequest request,
    const MeasureApplicationDependencies& dependencies) {
  auto compared = CompareCommands(std::move(request), dependencies,
                                  LinesTo(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (!compared.ok()) return compared.error();
  std::optional<ExitCode> code;
  if (compared->comparison) {
    code = Deliver(invocation, {.comparison = *compared->comparison,
                                .allowed_slowdown = flags.AllowedSlowdown()});
  }
  RETURN_IF_ERROR(compared->stored);
  if (!compared->unsuccessful) return code.value_or(ExitCode::kError);
  const Run& run = *compared->unsuccessful;
  if (run.outcome.kind == OutcomeKind::kInterrupted) {
    if (!compared->comparison) {
      invocation.console.Error(
          "mete compare: interrupted before there was anything to compare");
    }
  } else {
    const std::string& log = run.application()->log_file;
    invocation.console.Error(fmt::format(
        "mete compare: {} did not succeed: {}{}{}", run.workload.source,
        ToWords(run.outcome.kind), DetailSuffix(run.outcome),
        log.empty() ? "" : "; output: " + log));
  }
  return ExitCodeFor({run});
}

}  // namespace

void AddCompareCommand(Command root, Verbs& verbs,
                       Lazy<MeasureApplicationDependencies> dependencies) {
  auto flags = std::make_shared<CompareFlags>();
  Command command = root.Add(
      "compare", "Compare how long two commands or stored runs take",
      "mete compare -- './app --old' './app --new'\n"
      "  mete compare --fail-if-slower 5% --warmup 1 -- ./main ./branch\n"
      "  mete compare 01J8 01J9");
  command.TakesCommand();
  command.Option("A", flags->first,
                 "Run ID or a unique prefix; several: RUN,RUN,...");
  command.Option("B", flags->second, "The same for the other side");
  command
      .Option("--fail-if-slower", flags->fail_if_slower,
              "Exit with 3 if B is surely slower than A by more than this, "
              "with 4 if that cannot be decided, e.g. 5%")
      .Check(ParseRatio, "RATIO");
  auto command_flags = AddCommandFlags(command, *flags);
  verbs.push_back(
      {.command = command,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         auto refuse = [&](const std::string& complaint) {
           invocation.console.Error("mete compare: " + complaint);
           return ExitCode::kUsage;
         };
         auto complaint = ComparisonComplaint(*flags, invocation,
                                              command.Given(), command_flags);
         if (complaint) return refuse(*complaint);
         if (!invocation.command) {
           ASSIGN_OR_RETURN(auto needs, dependencies());
           return CompareStoredRuns(invocation, *flags, needs.runs);
         }
         auto first = SpecFor(invocation.command->at(0), *flags);
         if (!first.ok()) return refuse(first.error().message());
         auto second = SpecFor(invocation.command->at(1), *flags);
         if (!second.ok()) return refuse(second.error().message());
         ASSIGN_OR_RETURN(auto needs, dependencies());
         complaint = PinComplaint(flags->application, needs.platform.host);
         if (complaint) return refuse(*complaint);
         return CompareTwoCommands(
             invocation, *flags,
             {.first = *first,
              .second = *second,
              .repeat = flags->repeat,
              .warmup = flags->warmup,
              .prepare = flags->prepare,
              .allow_privileged = flags->application.allow_privileged,
              .mete_version = kVersion},
             needs);
       },
       .interruptible = true,
       .takes_command = true});
}

}  // namespace mete
