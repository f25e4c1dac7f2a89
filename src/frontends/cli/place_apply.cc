// mete place apply and mete place verify: a plan that really runs.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cli/place_actions.h"
#include "config/settings.h"
#include "hosting/cluster_hosting.h"
#include "place/apply_plan.h"
#include "place/measure_plan.h"
#include "place/plan_json.h"
#include "place/plan_text.h"
#include "support/json.h"

namespace mete {
namespace {

struct ApplyFlags {
  std::string plan;
  std::string launcher = "process";
  std::string image;
  bool dry_run = false;
  std::string window = "20s";
  uint64_t seed = 1;
};

Result<ApplyRequest> MakeApplyRequest(const ApplyFlags& flags,
                                      const PlacementPlan& plan) {
  if (flags.launcher != "process" && flags.image.empty()) {
    return InvalidInput("--launcher " + flags.launcher +
                        " requires --image, an image with mete in it");
  }
  return ApplyRequest{.launcher = flags.launcher,
                      .image = flags.image,
                      .id = PlanId(plan),
                      .cpus = static_cast<int>(
                          std::max(1U, std::thread::hardware_concurrency()))};
}

// A plan may have been changed by hand, or its costs trained again since.
// False, with the reason, if it breaks a constraint. Without its costs, which
// may be on another machine, it is applied as it is.
bool KeepsItsConstraints(const PlacementPlan& plan,
                         const PlaceCommandDependencies& needs,
                         Console& console) {
  auto verification = VerifyAgain(plan, needs.placing.costs);
  if (!verification.ok()) {
    console.Warn("the plan was not verified again: " +
                 verification.error().message());
    return true;
  }
  if (verification->good()) return true;
  const auto& violations = verification->violations;
  const std::string more =
      violations.size() == 1
          ? ""
          : fmt::format(" (and {} more)", violations.size() - 1);
  console.Error(
      "mete place: the plan breaks a constraint: " + violations.front() + more);
  return false;
}

// Manifests for kubectl apply, the same for the same plan.
Result<ExitCode> PrintManifests(Invocation& invocation,
                                const PlannedServices& planned,
                                const PlaceCommandDependencies& needs) {
  std::string yaml;
  for (const PlannedService& one : planned.services) {
    ASSIGN_OR_RETURN(ClusterServiceOrder order, ToClusterOrder(one.order, ""));
    yaml += needs.manifest(order);
  }
  invocation.output.PrintText(yaml);
  return ExitCode::kDone;
}

Result<std::vector<HostedService>> StartPlan(Invocation& invocation,
                                             const PlannedServices& planned,
                                             ServiceHost& host) {
  size_t number = 0;
  auto started = StartServices(
      planned, host,
      [&](const PlannedService& one) {
        invocation.console.Progress(
            fmt::format("starting {} of {}: {} on {} …", ++number,
                        planned.services.size(), one.app, one.server));
      },
      invocation.stop);
  invocation.console.ClearProgress();
  return started;
}

Result<ExitCode> Apply(Invocation& invocation, const ApplyFlags& flags,
                       const PlaceCommandDependencies& needs) {
  ASSIGN_OR_RETURN(PlacementPlan plan, ReadGivenPlan(flags.plan));
  ASSIGN_OR_RETURN(ApplyRequest request, MakeApplyRequest(flags, plan));
  if (!KeepsItsConstraints(plan, needs, invocation.console)) {
    return ExitCode::kInfeasible;
  }
  const PlannedServices planned = ServicesOf(plan, request);
  if (flags.dry_run && flags.launcher == "kubernetes") {
    return PrintManifests(invocation, planned, needs);
  }
  if (flags.dry_run) {
    invocation.output.Print(
        {.text = [&] { return PlannedServicesText(planned); },
         .json = [&] { return PlannedServicesToJson(planned); },
         .csv = [&] { return PlannedServicesCsv(planned); }});
    return ExitCode::kDone;
  }
  for (const std::string& note : planned.notes) {
    invocation.console.Note("note: " + note);
  }
  ASSIGN_OR_RETURN(ServiceHost * host, needs.host(flags.launcher));
  ASSIGN_OR_RETURN(auto started, StartPlan(invocation, planned, *host));
  invocation.output.Print(
      {.text = [&] { return HostedServicesText(started); },
       .json = [&] { return HostedServicesToJson(started); },
       .csv = [&] { return HostedServicesCsv(started); }});
  return ExitCode::kDone;
}

// The services of the plan that run already.
Result<std::vector<HostedService>> FindRunning(const std::string& plan,
                                               ServiceHost& host,
                                               std::stop_token stop) {
  ASSIGN_OR_RETURN(std::vector<HostedService> services, host.List(stop));
  std::erase_if(services, [&](const HostedService& one) {
    return one.order.plan != plan ||
           one.state != HostedService::State::kRunning;
  });
  return services;
}

// Stops what was started only to be measured.
class StartedForVerify {
 public:
  StartedForVerify(ServiceHost& host, std::vector<HostedService> services)
      : host_(host), services_(std::move(services)) {}
  StartedForVerify(const StartedForVerify&) = delete;
  StartedForVerify& operator=(const StartedForVerify&) = delete;
  ~StartedForVerify() {
    for (const HostedService& one : services_) {
      static_cast<void>(host_.Stop(one.id, {}).ok());
    }
  }

 private:
  ServiceHost& host_;
  std::vector<HostedService> services_;
};

ExitCode CodeForMeasured(const std::vector<MeasuredPlacement>& measured,
                         const PlanVerification& verification,
                         std::stop_token stop) {
  if (stop.stop_requested()) return ExitCode::kInterrupted;
  const bool missed =
      std::ranges::any_of(measured, [](const MeasuredPlacement& one) {
        return one.limit && !one.Met().value_or(false);
      });
  return missed || !verification.good() ? ExitCode::kInfeasible
                                        : ExitCode::kDone;
}

// In text, violations are part of the result.
void WarnOfViolations(const PlanVerification& verification,
                      Invocation& invocation) {
  if (verification.good() ||
      invocation.output.format() == OutputFormat::kTable) {
    return;
  }
  invocation.console.Warn(VerificationText(verification));
}

Result<ExitCode> Verify(Invocation& invocation, const ApplyFlags& flags,
                        const PlaceCommandDependencies& needs) {
  ASSIGN_OR_RETURN(PlacementPlan plan, ReadGivenPlan(flags.plan));
  ASSIGN_OR_RETURN(PlanVerification verification,
                   VerifyAgain(plan, needs.placing.costs));
  ASSIGN_OR_RETURN(ApplyRequest request, MakeApplyRequest(flags, plan));
  ASSIGN_OR_RETURN(Seconds window, ParseDuration(flags.window));
  ASSIGN_OR_RETURN(ServiceHost * host, needs.host(flags.launcher));
  ASSIGN_OR_RETURN(auto running,
                   FindRunning(request.id, *host, invocation.stop));
  std::optional<StartedForVerify> started;
  if (running.empty()) {
    const PlannedServices planned = ServicesOf(plan, request);
    for (const std::string& note : planned.notes) {
      invocation.console.Note("note: " + note);
    }
    ASSIGN_OR_RETURN(running, StartPlan(invocation, planned, *host));
    started.emplace(*host, running);
  }
  LoadDependencies load = needs.loading();
  load.progress = [&](const LoadProgress& progress) {
    invocation.console.Progress(
        fmt::format("loading the plan: {:.0f} of {:.0f} s",
                    std::chrono::duration<double>(progress.elapsed).count(),
                    window.count()));
  };
  auto measured =
      MeasurePlan(plan, running, {.window = window, .seed = flags.seed}, load,
                  invocation.stop);
  invocation.console.ClearProgress();
  if (!measured.ok()) return measured.error();
  invocation.output.Print(
      {.text =
           [&] {
             return VerificationText(verification) + "\n" +
                    MeasuredPlanText(*measured);
           },
       .json = [&] { return MeasuredPlanToJson(*measured); },
       .csv = [&] { return MeasuredPlanCsv(*measured); }});
  WarnOfViolations(verification, invocation);
  return CodeForMeasured(*measured, verification, invocation.stop);
}

void AddLauncherFlags(Command command, ApplyFlags& flags) {
  command.Option("PLAN.json", flags.plan, "Plan of mete place --plan")
      .Required();
  command
      .Option("--launcher", flags.launcher,
              "process (default), docker or kubernetes")
      .Placeholder("NAME");
  command.Option("--image", flags.image, "Image of containers, with mete in it")
      .Placeholder("IMAGE");
}

using PlanAction = Result<ExitCode> (*)(Invocation&, const ApplyFlags&,
                                        const PlaceCommandDependencies&);

Verb MakePlanVerb(Command command, std::shared_ptr<ApplyFlags> flags,
                  const Lazy<PlaceCommandDependencies>& dependencies,
                  PlanAction action) {
  return {.command = command,
          .run = [=](Invocation& invocation) -> Result<ExitCode> {
            ASSIGN_OR_RETURN(PlaceCommandDependencies needs, dependencies());
            return PlaceOrUsage(invocation, action(invocation, *flags, needs));
          },
          .interruptible = true};
}

}  // namespace

void AddPlaceApply(Command place, Verbs& verbs,
                   const Lazy<PlaceCommandDependencies>& dependencies) {
  auto apply_flags = std::make_shared<ApplyFlags>();
  Command apply = place.Add("apply", "Start everything that a plan places",
                            "mete place apply plan.json --dry-run");
  AddLauncherFlags(apply, *apply_flags);
  apply.Switch("--dry-run", apply_flags->dry_run,
               "Print what would be started; for kubernetes, the manifests");
  verbs.push_back(MakePlanVerb(apply, apply_flags, dependencies, Apply));

  auto verify_flags = std::make_shared<ApplyFlags>();
  Command verify = place.Add(
      "verify", "Load a plan and compare its latencies with the predictions",
      "mete place verify plan.json --duration 20s");
  AddLauncherFlags(verify, *verify_flags);
  verify
      .Option("--duration", verify_flags->window,
              "How long to load it (default 20s)")
      .Check(CheckDuration, "DURATION");
  verify.Option("--seed", verify_flags->seed,
                "Seed of the arrivals (default 1)");
  verbs.push_back(MakePlanVerb(verify, verify_flags, dependencies, Verify));
}

}  // namespace mete
