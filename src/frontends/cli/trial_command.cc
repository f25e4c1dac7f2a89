#include "cli/trial_command.h"

#include <fmt/format.h>

#include "cli/application_flags.h"
#include "cli/run_output.h"
#include "flags/version.h"
#include "measure/application_bounds.h"
#include "measure/session_spec.h"
#include "support/json.h"
#include "support/text.h"
#include "trial/run_trial.h"
#include "trial/trial_text.h"

namespace mete {
namespace {

struct TrialFlags {
  std::string workload;
  std::vector<std::string> vary;
  std::string budget = "10m";
  std::string objective = "throughput";
  std::string hook;
  std::optional<std::string> log_pattern;
  std::optional<std::string> price;
  ApplicationFlags application;
};

// The application of a session file that has only one.
Result<ApplicationSpec> ReadTrialWorkload(const std::string& file) {
  ASSIGN_OR_RETURN(SessionSpec session, ReadSession(file));
  if (session.applications.size() != 1) {
    return InvalidInput(
        fmt::format("{}: a trial is of one application, and the file has {}",
                    file, session.applications.size()));
  }
  return session.applications.front();
}

Result<ApplicationSpec> WorkloadFor(const Invocation& invocation,
                                    const TrialFlags& flags) {
  bool has_command = invocation.command || !flags.application.image.empty();
  if (flags.workload.empty() == !has_command) {
    return InvalidInput(
        "expected a file with --workload, or a command after --");
  }
  if (!flags.workload.empty()) return ReadTrialWorkload(flags.workload);
  return MakeSpec(flags.application,
                  invocation.command.value_or(std::vector<std::string>()));
}

// Every flag was checked when it was parsed.
Result<TrialRequest> MakeTrialRequest(const Invocation& invocation,
                                      const TrialFlags& flags) {
  ASSIGN_OR_RETURN(ApplicationSpec application, WorkloadFor(invocation, flags));
  TrialRequest request{.application = std::move(application),
                       .source = {.hook = flags.hook, .in_log = std::nullopt},
                       .objective = *ParseTrialObjective(flags.objective),
                       .budget = *ParseTimeout(flags.budget),
                       .allow_privileged = flags.application.allow_privileged,
                       .mete_version = kVersion};
  for (const std::string& axis : flags.vary) {
    request.axes.push_back(*ParseTrialAxis(axis));
  }
  if (flags.log_pattern) {
    request.source.in_log = *LogPattern::Parse(*flags.log_pattern);
  }
  if (flags.price) request.prices = *ParseTrialPrices(*flags.price);
  if (request.objective == TrialObjective::kCost && !request.prices) {
    return InvalidInput("the objective cost needs --price cpu=PRICE,...");
  }
  return request;
}

ExitCode CodeFor(const TrialResult& result) {
  if (result.interrupted) return ExitCode::kInterrupted;
  if (result.decided) return ExitCode::kDone;
  bool any = !result.entries.empty() && result.entries.front().value;
  return any ? ExitCode::kUnstable : ExitCode::kInfeasible;
}

Result<ExitCode> Try(Invocation& invocation, const TrialRequest& request,
                     const MeasureApplicationDependencies& dependencies) {
  auto result = RunTrial(request, dependencies, LinesTo(invocation.console),
                         invocation.stop);
  invocation.console.ClearProgress();
  if (!result.ok()) return result.error();
  invocation.output.Print({
      .text = [&] { return TrialText(*result); },
      .json = [&] { return TrialJson(*result); },
      .csv = [&] { return TrialCsv(*result); },
  });
  RETURN_IF_ERROR(result->stored);
  return CodeFor(*result);
}

void AddTrialFlags(Command command, TrialFlags& flags) {
  command
      .Option("--workload", flags.workload,
              "Session file with the application to try")
      .Placeholder("FILE");
  command
      .Option("--vary", flags.vary,
              "What to try: device=A,B, gpu=1,2, cpus=1,2,4 or memory=1Gi,2Gi; "
              "several: every combination")
      .OneEach()
      .Required()
      .Check(ParseTrialAxis, "NAME=VALUE,...");
  command.Option("--budget", flags.budget, "Time for all runs (default 10m)")
      .Check(ParseTimeout, "DURATION");
  command
      .Option("--objective", flags.objective,
              "What to optimize: throughput (default), latency or cost")
      .Check(ParseTrialObjective, "NAME");
  Flag hook = command
                  .Option("--hook", flags.hook,
                          "Metric that counts the steps, reported by the "
                          "application's hooks")
                  .Placeholder("NAME");
  command
      .Option("--log-value", flags.log_pattern,
              "Regular expression with one group: the steps per second (or "
              "seconds per step) that the application prints")
      .Check(LogPattern::Parse, "REGEX")
      .Excludes(hook);
  command
      .Option("--price", flags.price,
              "Price of an hour of a CPU, a GiB and a GPU: "
              "cpu=0.04,memory=0.005,gpu=1.2")
      .Check(ParseTrialPrices, "NAME=PRICE,...");
}

}  // namespace

void AddTrialCommand(Command root, Verbs& verbs,
                     Lazy<MeasureApplicationDependencies> dependencies) {
  auto flags = std::make_shared<TrialFlags>();
  Command command = root.Add(
      "trial", "Find the resources with which an application does best",
      "mete trial --vary cpus=1,2,4 --log-value '([0-9.]+) img/s' -- ./train\n"
      "  mete trial --vary device=small,large --workload app.yaml --hook step");
  command.TakesCommand();
  AddTrialFlags(command, *flags);
  auto added = AddSurroundingFlags(command, flags->application);
  verbs.push_back(
      {.command = command,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         auto refuse = [&](const std::string& complaint) {
           invocation.console.Error("mete trial: " + complaint);
           return ExitCode::kUsage;
         };
         auto complaint = ImageComplaint(command.Given(), flags->application);
         if (complaint) return refuse(*complaint);
         if (HasItem(command.Given(), "--timeout")) {
           return refuse("--budget limits the time of a trial, not --timeout");
         }
         auto request = MakeTrialRequest(invocation, *flags);
         if (!request.ok()) {
           if (request.error().code() != ErrorCode::kInvalidInput) {
             return request.error();
           }
           return refuse(request.error().message());
         }
         ASSIGN_OR_RETURN(auto needs, dependencies());
         return Try(invocation, *request, needs);
       },
       .interruptible = true,
       .takes_command = true});
}

}  // namespace mete
