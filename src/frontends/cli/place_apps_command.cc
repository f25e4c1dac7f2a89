// mete place --apps: a plan for many applications.
#include <fmt/format.h>

#include "cli/place_actions.h"
#include "flags/version.h"
#include "place/found_servers.h"
#include "place/plan_json.h"
#include "place/plan_text.h"
#include "place/problem_yaml.h"
#include "report/placement_page.h"
#include "support/file.h"
#include "support/json.h"
#include "support/text.h"
#include "support/yaml.h"

namespace mete {
namespace {

Result<bool> ParseRankOrder(const std::string& text) {
  if (text == "low") return false;
  if (text == "high") return true;
  return InvalidInput("'" + text + "' is not low or high");
}

// The problem of --what-if: a file with other apps or other servers.
Result<PlacementProblem> ReadWhatIf(const std::string& file,
                                    PlacementProblem problem) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(file));
  ASSIGN_OR_RETURN(YamlValue root, ParseYaml(text, file));
  const bool servers =
      !root.entries.empty() && root.entries.front().key == "servers";
  if (servers) {
    ASSIGN_OR_RETURN(problem.servers, ReadServers(file));
  } else {
    ASSIGN_OR_RETURN(problem.apps, ReadApps(file));
  }
  return problem;
}

// The plan to compare with: of a file, or made for what the file changes.
Result<PlacementPlan> MakeOtherPlan(const std::string& file,
                                    PlaceAppsRequest request,
                                    const PlaceCommandDependencies& needs,
                                    std::stop_token stop) {
  if (file.ends_with(".json")) return ReadGivenPlan(file);
  ASSIGN_OR_RETURN(request.problem,
                   ReadWhatIf(file, std::move(request.problem)));
  return PlaceApps(request, needs.placing, stop);
}

void PrintPlan(Invocation& invocation, const PlacementPlan& plan) {
  invocation.output.Print({.text = [&] { return PlanText(plan); },
                           .json = [&] { return PlanToJson(plan); },
                           .csv = [&] { return PlanCsv(plan); }});
}

void PrintComparison(Invocation& invocation,
                     const std::vector<NamedPlan>& plans) {
  invocation.output.Print({.text = [&] { return ComparePlansText(plans); },
                           .json =
                               [&] {
                                 Json json = Json::object();
                                 for (const NamedPlan& one : plans) {
                                   json[one.name] = PlanToJson(one.plan);
                                 }
                                 return json;
                               },
                           .csv = [&] { return ComparePlansCsv(plans); }});
}

// Demands that no server could meet are mistakes in the input: one line each.
bool WarnOfImpossible(const PlacementPlan& plan, Console& console) {
  constexpr int kMostWarnings = 5;
  int impossible = 0;
  for (const Rejection& one : plan.rejected) {
    if (!one.impossible) continue;
    if (++impossible > kMostWarnings) continue;
    console.Warn(fmt::format("{} fits on no server: {}", one.app, one.reason));
  }
  if (impossible > kMostWarnings) {
    const int more = impossible - kMostWarnings;
    console.Warn(fmt::format("{} more {} on no server", more,
                             more == 1 ? "fits" : "fit"));
  }
  return impossible > 0;
}

ExitCode CodeForPlan(const PlacementPlan& plan, const PlaceSearchFlags& flags,
                     Invocation& invocation) {
  const bool impossible = WarnOfImpossible(plan, invocation.console);
  if (!plan.verification.good()) {
    invocation.console.Error("the plan violates a constraint; this is a bug");
    return ExitCode::kError;
  }
  if (invocation.stop.stop_requested()) return ExitCode::kInterrupted;
  const bool missing = flags.require_all && !plan.rejected.empty();
  return plan.worth.placed == 0 || impossible || missing ? ExitCode::kInfeasible
                                                         : ExitCode::kDone;
}

Result<std::vector<ServerType>> FindServers(
    const PlaceSearchFlags& flags, const PlaceCommandDependencies& needs,
    std::stop_token stop) {
  if (flags.cluster) {
    ASSIGN_OR_RETURN(Cluster * cluster, needs.cluster());
    ASSIGN_OR_RETURN(std::vector<NodeObject> nodes,
                     cluster->ListNodes({}, stop));
    return ServersFromNodes(nodes);
  }
  if (!flags.servers.empty()) return ReadServers(flags.servers);
  ASSIGN_OR_RETURN(std::vector<Device> devices, needs.devices());
  return ServersFromDevices(devices, flags.devices == "all"
                                         ? std::vector<std::string>()
                                         : SplitAt(flags.devices, ','));
}

}  // namespace

Result<PlaceAppsRequest> MakePlaceSearch(const PlaceSearchFlags& flags) {
  PlaceAppsRequest request{.seed = flags.seed,
                           .migration_cost = flags.migration_cost.value_or(0),
                           .mete_version = kVersion};
  ASSIGN_OR_RETURN(request.objective,
                   ParsePlacementObjective(
                       flags.objective.empty() ? "revenue" : flags.objective));
  ASSIGN_OR_RETURN(request.method, ParsePlacementMethod(flags.method));
  ASSIGN_OR_RETURN(request.strong_first, ParseRankOrder(flags.order));
  ASSIGN_OR_RETURN(request.time_limit, ParseDuration(flags.time_limit));
  ASSIGN_OR_RETURN(request.gap, ParseRatio(flags.gap));
  return request;
}

Result<PlaceAppsRequest> MakePlaceRequest(const PlaceSearchFlags& flags,
                                          const PlaceCommandDependencies& needs,
                                          std::stop_token stop) {
  ASSIGN_OR_RETURN(PlaceAppsRequest request, MakePlaceSearch(flags));
  ASSIGN_OR_RETURN(request.problem.apps, ReadApps(flags.apps));
  ASSIGN_OR_RETURN(request.problem.servers, FindServers(flags, needs, stop));
  FillCosts(flags.costs, request.problem.servers);
  return request;
}

void AddPlaceSearchFlags(Command command, PlaceSearchFlags& flags) {
  command
      .Option("--objective", flags.objective,
              "For --apps: maximize revenue (default), or minimize latency, "
              "energy or servers. For a network: latency (default) or energy")
      .Check(ParsePlacementObjective, "NAME");
  command
      .Option("--method", flags.method,
              "auto (default), exact, fast, greedy or sequential")
      .Check(ParsePlacementMethod, "NAME");
  command
      .Option("--order", flags.order,
              "Rank that sequential fills first: low (default) or high")
      .Check(ParseRankOrder, "RANK");
  command
      .Option("--time-limit", flags.time_limit,
              "Time for the search (default 10s)")
      .Check(ParseDuration, "DURATION");
  command
      .Option("--gap", flags.gap, "Stop when this gap is proven (default 1%)")
      .Check(ParseRatio, "SHARE");
  command.Option("--seed", flags.seed, "Seed of the search (default 1)");
}

Result<ExitCode> PlaceManyApps(Invocation& invocation,
                               const PlaceSearchFlags& flags,
                               const PlaceCommandDependencies& needs) {
  ASSIGN_OR_RETURN(PlaceAppsRequest request,
                   MakePlaceRequest(flags, needs, invocation.stop));
  std::optional<PlacementPlan> previous;
  if (!flags.previous.empty()) {
    ASSIGN_OR_RETURN(previous, ReadGivenPlan(flags.previous));
    request.previous = &*previous;
  }
  if (request.objective == PlacementObjective::kRevenue) {
    request.on_progress = [&](const PlacementProgress& progress) {
      invocation.console.Progress(fmt::format(
          "{:.1f} s: revenue {:.2f}, at most {:.2f}", progress.elapsed.count(),
          progress.objective, progress.bound));
    };
  }
  auto plan = PlaceApps(request, needs.placing, invocation.stop);
  invocation.console.ClearProgress();
  if (!plan.ok()) return plan.error();
  if (!flags.file.empty()) {
    RETURN_IF_ERROR(
        WriteFileAtomically(flags.file, DumpJson(PlanToJson(*plan)) + "\n"));
  }
  if (!flags.what_if.empty()) {
    auto other = MakeOtherPlan(flags.what_if, request, needs, invocation.stop);
    invocation.console.ClearProgress();
    if (!other.ok()) return other.error();
    PrintComparison(invocation,
                    {{"now", *plan}, {"what if", *std::move(other)}});
  } else if (invocation.page) {
    ASSIGN_OR_RETURN([[maybe_unused]] ExitCode page,
                     DeliverPage(invocation, PlacementPage(*plan), ""));
  } else {
    PrintPlan(invocation, *plan);
  }
  return CodeForPlan(*plan, flags, invocation);
}

}  // namespace mete
