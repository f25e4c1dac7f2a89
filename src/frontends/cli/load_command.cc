#include "cli/load_command.h"

#include <fmt/format.h>

#include "cli/load_flags.h"
#include "flags/version.h"
#include "load/find_rate.h"
#include "load/load_summary.h"
#include "load/load_text.h"
#include "support/file.h"
#include "support/json.h"
#include "support/random.h"

namespace mete {
namespace {

// What one invocation needs everywhere.
struct LoadSession {
  Invocation& invocation;
  const LoadFlags& flags;
  const LoadCommandDependencies& needs;

  LoadOrigin Origin() const {
    return {.machine = needs.host.HostName(),
            .environment = needs.host.ReadEnvironment(),
            .mete_version = kVersion,
            .seed = flags.seed};
  }
  // Shows how far a load is, after this text.
  LoadDependencies Dependencies(const std::string& before) const {
    return {.clock = needs.clock,
            .open_channel = needs.open_channel,
            .progress = [this, before](const LoadProgress& progress) {
              invocation.console.Progress(fmt::format(
                  "{}{} of {}: {} of {} sent, {} without an answer", before,
                  FormatSeconds(Seconds(progress.elapsed)),
                  FormatSeconds(Seconds(progress.window)),
                  FormatCount(progress.sent), FormatCount(progress.planned),
                  FormatCount(progress.outstanding)));
            }};
  }
};

Result<LoadTarget> MakeReady(const LoadSession& session,
                             const GivenTarget& given,
                             std::vector<StartedService>& services) {
  LoadTarget target{.name = given.name,
                    .connections = session.flags.connections};
  ASSIGN_OR_RETURN(target.request, MakeLoadRequest(given, session.flags));
  if (given.url) {
    target.endpoints = {given.url->endpoint};
    return target;
  }
  session.invocation.console.Progress("starting the service of " + given.name);
  ASSIGN_OR_RETURN(
      StartedService service,
      StartService(ServiceFor(given, session.flags), session.needs.services,
                   session.invocation.stop));
  target.endpoints = {service.endpoint()};
  services.push_back(std::move(service));
  return target;
}

ExitCode CodeOfCheck(const std::vector<ObjectiveCheck>& checks) {
  ExitCode code = ExitCode::kDone;
  for (const ObjectiveCheck& check : checks) {
    if (check.verdict == ObjectiveVerdict::kViolated) {
      return ExitCode::kInfeasible;
    }
    if (check.verdict == ObjectiveVerdict::kUndecided) {
      code = ExitCode::kUnstable;
    }
  }
  return code;
}

// A violated objective says more than a saturated service, which violates it.
ExitCode CodeOfLoad(const LoadAnswer& answer) {
  bool saturated = false;
  for (const LoadSummary& summary : answer.targets) {
    if (summary.interrupted) return ExitCode::kInterrupted;
    if (summary.counts.answered == 0) return ExitCode::kError;
    saturated = saturated || summary.saturation.saturated();
  }
  if (answer.objective) return CodeOfCheck(answer.checks);
  return saturated ? ExitCode::kUnstable : ExitCode::kDone;
}

// In tables these are part of the result.
void WarnOfLoad(const LoadAnswer& answer, Invocation& invocation) {
  if (invocation.output.format() == OutputFormat::kTable) return;
  for (const LoadSummary& summary : answer.targets) {
    if (summary.saturation.saturated()) {
      invocation.console.Warn(
          summary.name + " is saturated: " + summary.saturation.explanation);
    }
  }
}

Result<ExitCode> LoadOnce(const LoadSession& session,
                          const std::vector<GivenTarget>& given) {
  const LoadFlags& flags = session.flags;
  LoadPlan plan;
  std::vector<ArrivalSchedule> arrivals;
  for (size_t i = 0; i < given.size(); ++i) {
    ASSIGN_OR_RETURN(ArrivalSchedule schedule,
                     MakeArrivals(given[i], i, flags));
    arrivals.push_back(std::move(schedule));
  }
  if (!flags.save_arrivals.empty()) {
    RETURN_IF_ERROR(WriteFileAtomically(flags.save_arrivals,
                                        FormatArrivalTrace(arrivals.front()))
                        .While("--save-arrivals"));
  }
  std::vector<StartedService> services;
  for (size_t i = 0; i < given.size(); ++i) {
    ASSIGN_OR_RETURN(LoadTarget target, MakeReady(session, given[i], services));
    target.arrivals = std::move(arrivals[i]);
    target.seed = SeedOfTarget(flags, i);
    plan.targets.push_back(std::move(target));
  }
  if (flags.drain) plan.drain = *ParseDuration(*flags.drain);
  LoadAnswer answer{.origin = session.Origin(), .objective = flags.Objective()};
  auto samples =
      RunLoad(plan, session.Dependencies(""), session.invocation.stop);
  session.invocation.console.ClearProgress();
  if (!samples.ok()) return samples.error();
  for (const LoadSamples& one : *samples) {
    answer.targets.push_back(SummarizeLoad(one));
    if (answer.objective) {
      answer.checks.push_back(
          CheckObjective(*answer.objective, {&one, 1}, 0.95));
    }
  }
  session.invocation.output.Print({
      .text = [&] { return LoadText(answer); },
      .json = [&] { return LoadJson(answer); },
      .csv = [&] { return LoadCsv(answer); },
  });
  WarnOfLoad(answer, session.invocation);
  if (!flags.samples.empty()) {
    RETURN_IF_ERROR(WriteFileAtomically(flags.samples, SamplesCsv(*samples))
                        .While("--samples"));
  }
  return CodeOfLoad(answer);
}

ExitCode CodeOfSearch(const FoundRate& found) {
  if (found.end == SearchEnd::kInterrupted) return ExitCode::kInterrupted;
  if (found.kept) return ExitCode::kDone;
  return found.end == SearchEnd::kNeverKept ? ExitCode::kInfeasible
                                            : ExitCode::kUnstable;
}

// Measures one window at this rate.
MeasureRate MeasureWith(const LoadSession& session, const LoadTarget& target) {
  return
      [&session, &target](double rate, size_t window) -> Result<LoadSamples> {
        const LoadFlags& flags = session.flags;
        LoadPlan plan{.targets = {target}};
        LoadTarget& loaded = plan.targets.front();
        ArrivalRequest request{
            .rate = rate,
            .window = flags.Duration(),
            .seed = DeriveSeed(flags.seed,
                               fmt::format("rate {} window {}", rate, window))};
        ASSIGN_OR_RETURN(loaded.arrivals, flags.arrivals == "constant"
                                              ? ConstantArrivals(request)
                                              : PoissonArrivals(request));
        if (flags.drain) plan.drain = *ParseDuration(*flags.drain);
        ASSIGN_OR_RETURN(
            auto samples,
            RunLoad(plan, session.Dependencies(fmt::format("{:.4g}/s: ", rate)),
                    session.invocation.stop));
        return std::move(samples.front());
      };
}

Result<ExitCode> SearchRate(const LoadSession& session,
                            const GivenTarget& given) {
  const LoadFlags& flags = session.flags;
  Console& console = session.invocation.console;
  std::vector<StartedService> services;
  ASSIGN_OR_RETURN(LoadTarget target, MakeReady(session, given, services));
  RateAnswer answer{.origin = session.Origin(),
                    .name = given.name,
                    .objective = *flags.Objective(),
                    .window = flags.Duration()};
  FindRateRequest request{.objective = answer.objective,
                          .start = given.rate,
                          .window = flags.Duration(),
                          .precision = *ParseRatio(flags.precision)};
  auto found = FindRate(
      request, MeasureWith(session, target),
      [&](const RateTrial& trial) {
        console.Detail("mete load: " + TrialText(trial, answer.objective));
      },
      session.invocation.stop);
  console.ClearProgress();
  if (!found.ok()) return found.error();
  answer.found = *std::move(found);
  session.invocation.output.Print({
      .text = [&] { return RateText(answer); },
      .json = [&] { return RateJson(answer); },
      .csv = [&] { return RateCsv(answer); },
  });
  return CodeOfSearch(answer.found);
}

}  // namespace

void AddLoadCommand(Command root, Verbs& verbs,
                    Lazy<LoadCommandDependencies> dependencies) {
  auto flags = std::make_shared<LoadFlags>();
  Command command =
      root.Add("load", "Send requests at a given rate and measure the latency",
               "mete load http://127.0.0.1:8000/ --rate 200/s --duration 30s\n"
               "  mete load tclf-rf --find-rate --slo p95=50ms");
  AddLoadFlags(command, *flags);
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    auto given = ReadTargets(*flags);
    if (!given.ok()) {
      invocation.console.Error("mete load: " + given.error().message());
      return ExitCode::kUsage;
    }
    ASSIGN_OR_RETURN(LoadCommandDependencies needs, dependencies());
    LoadSession session{
        .invocation = invocation, .flags = *flags, .needs = needs};
    auto code = flags->find_rate ? SearchRate(session, given->front())
                                 : LoadOnce(session, *given);
    invocation.console.ClearProgress();
    if (code.ok() || code.error().code() != ErrorCode::kInvalidInput) {
      return code;
    }
    invocation.console.Error("mete load: " + code.error().message());
    return ExitCode::kUsage;
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
