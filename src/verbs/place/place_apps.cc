#include "place/place_apps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimize/solve_packing.h"
#include "place/explain_rejections.h"
#include "place/problem_yaml.h"
#include "place/to_packing.h"
#include "place/verify_placement.h"

namespace mete {
namespace {

// Scores of equal plans differ by rounding.
constexpr double kSameScore = 1e-9;
// The objective latency halves the range of possible distances so often.
constexpr int kLatencySteps = 7;

PackingMethod ToPackingMethod(PlacementMethod method) {
  switch (method) {
    case PlacementMethod::kAuto:
      return PackingMethod::kAuto;
    case PlacementMethod::kExact:
      return PackingMethod::kExact;
    case PlacementMethod::kFast:
      return PackingMethod::kFast;
    case PlacementMethod::kGreedy:
      return PackingMethod::kGreedy;
    case PlacementMethod::kSequential:
      return PackingMethod::kSequential;
  }
  return PackingMethod::kAuto;
}

PlacementMethod FromPackingMethod(PackingMethod method) {
  switch (method) {
    case PackingMethod::kAuto:
      return PlacementMethod::kAuto;
    case PackingMethod::kExact:
      return PlacementMethod::kExact;
    case PackingMethod::kFast:
      return PlacementMethod::kFast;
    case PackingMethod::kGreedy:
      return PlacementMethod::kGreedy;
    case PackingMethod::kSequential:
      return PlacementMethod::kSequential;
  }
  return PlacementMethod::kAuto;
}

Result<PlacementCosts> FindCosts(const PlacementProblem& problem,
                                 const CostModelSource& source) {
  PlacementCosts costs;
  for (const ServerType& type : problem.servers) {
    ASSIGN_OR_RETURN(auto found, source(type));
    costs.push_back(std::move(found));
  }
  return costs;
}

// One solution of the packing problem in terms of servers.
struct SolvedPlacement {
  std::vector<PlannedServer> servers;
  PackingOutcome outcome;
};

// Solves one problem for different scales of its SLOs.
struct PlacementSolver {
  const PlaceAppsRequest& request;
  const PlacementCosts& costs;
  const Clock& clock;
  std::stop_token stop;

  Result<SolvedPlacement> Solve(double slo_scale, Seconds time_limit) const {
    ASSIGN_OR_RETURN(TranslatedProblem translated,
                     ToPacking(request.problem, costs,
                               {.objective = request.objective,
                                .slo_scale = slo_scale,
                                .previous = request.previous,
                                .migration_cost = request.migration_cost}));
    PackingRequest packing{.method = ToPackingMethod(request.method),
                           .time_limit = time_limit,
                           .gap = request.gap,
                           .seed = request.seed,
                           .threads = request.threads,
                           .order = request.strong_first
                                        ? BinOrder::kHighRankFirst
                                        : BinOrder::kLowRankFirst,
                           .on_progress = {}};
    if (request.on_progress) {
      packing.on_progress = [this](const PackingProgress& progress) {
        request.on_progress({.elapsed = progress.elapsed,
                             .objective = progress.score,
                             .bound = progress.bound});
      };
    }
    ASSIGN_OR_RETURN(PackingOutcome outcome,
                     SolvePacking(translated.packing, packing, clock, stop));
    std::vector<PlannedServer> servers =
        ToServers(request.problem, translated, outcome.plan);
    return SolvedPlacement{.servers = std::move(servers),
                           .outcome = std::move(outcome)};
  }
};

bool HasPriorities(const PlacementProblem& problem) {
  return std::ranges::any_of(
      problem.apps, [](const AppDemand& app) { return app.priority != 0; });
}

void TakeSolution(SolvedPlacement solved, PlacementPlan& plan) {
  const PackingOutcome& outcome = solved.outcome;
  PlanWorth& worth = plan.worth;
  plan.servers = std::move(solved.servers);
  plan.method = FromPackingMethod(outcome.method);
  worth.placed = static_cast<int>(outcome.worth.placed);
  worth.servers = static_cast<int>(plan.servers.size());
  worth.gap = outcome.gap;
  worth.optimal = outcome.optimal;
  worth.cut_short = worth.cut_short || outcome.cut_short;
  const double distance = std::max(0.0, outcome.bound - outcome.worth.score);
  const bool least = plan.objective == PlacementObjective::kEnergy ||
                     plan.objective == PlacementObjective::kServers;
  if (least) {
    worth.objective = outcome.worth.cost;
    worth.bound = std::max(0.0, outcome.worth.cost - distance);
  } else if (HasPriorities(plan.problem)) {
    // A plan of less revenue may be better: prices count by their priority.
    worth.objective = outcome.worth.score;
    worth.bound = outcome.bound;
  } else {
    worth.objective = outcome.worth.value - outcome.worth.cost;
    worth.bound = worth.objective + distance;
  }
}

// Looks for the smallest share of the SLOs that all latencies can keep while
// the plan is worth as much. Bisection: a share is impossible if the bound of
// its problem is below that worth, which is a proof.
Status KeepDistance(const PlacementSolver& solver, PlacementPlan& plan) {
  RETURN_IF_ERROR(PredictPlan(plan, solver.costs));
  if (!plan.worth.tightest) {
    return InvalidInput("the objective latency needs applications with an slo");
  }
  const double required = plan.worth.objective * (1 - kSameScore);
  double reached = *plan.worth.tightest;
  double tried = 0;       // no plan was found for this share
  double impossible = 0;  // proven
  const Seconds each = solver.request.time_limit / (kLatencySteps + 1);
  for (int step = 0; step < kLatencySteps; ++step) {
    if (solver.stop.stop_requested()) plan.worth.cut_short = true;
    if (solver.stop.stop_requested()) break;
    const double share = (tried + reached) / 2;
    ASSIGN_OR_RETURN(SolvedPlacement solved, solver.Solve(share, each));
    const PackingWorth& worth = solved.outcome.worth;
    const double bound = worth.value - worth.cost +
                         std::max(0.0, solved.outcome.bound - worth.score);
    if (worth.value - worth.cost >= required) {
      TakeSolution(std::move(solved), plan);
      RETURN_IF_ERROR(PredictPlan(plan, solver.costs));
      reached = std::min(share, *plan.worth.tightest);
    } else {
      plan.worth.cut_short = plan.worth.cut_short || solved.outcome.cut_short;
      tried = share;
      if (bound < required) impossible = share;
    }
  }
  plan.worth.objective = *plan.worth.tightest;
  plan.worth.bound = std::min(impossible, plan.worth.objective);
  plan.worth.gap = plan.worth.objective > 0
                       ? 1 - plan.worth.bound / plan.worth.objective
                       : 0;
  plan.worth.optimal = plan.worth.gap < kSameScore;
  return {};
}

double RevenueOf(const PlacementPlan& plan) {
  double revenue = 0;
  const std::vector<std::string> placed = PlacedApps(plan);
  size_t next = 0;  // both lists are in the order of the problem
  for (const AppDemand& app : plan.problem.apps) {
    if (next >= placed.size() || placed[next] != app.name) continue;
    revenue += app.price;
    ++next;
  }
  return revenue;
}

Status CheckRequest(const PlaceAppsRequest& request) {
  RETURN_IF_ERROR(CheckProblem(request.problem));
  if (request.problem.apps.empty()) return InvalidInput("no apps to place");
  if (request.problem.servers.empty()) {
    return InvalidInput("no servers to place on");
  }
  if (!(request.migration_cost >= 0)) {
    return InvalidInput("the cost of a migration must not be negative");
  }
  return {};
}

}  // namespace

Result<PlacementPlan> PlaceApps(const PlaceAppsRequest& request,
                                const PlaceAppsDependencies& dependencies,
                                std::stop_token stop) {
  RETURN_IF_ERROR(CheckRequest(request));
  const auto start = dependencies.clock.Now();
  ASSIGN_OR_RETURN(PlacementCosts costs,
                   FindCosts(request.problem, dependencies.costs));
  PlacementPlan plan{.problem = request.problem,
                     .objective = request.objective,
                     .asked = request.method,
                     .seed = request.seed,
                     .time_limit = request.time_limit,
                     .made_at = dependencies.clock.Wall(),
                     .mete_version = request.mete_version};
  for (const auto& cost : costs) plan.costs.push_back(cost->Describe());
  const PlacementSolver solver{.request = request,
                               .costs = costs,
                               .clock = dependencies.clock,
                               .stop = stop};
  const bool steps = request.objective == PlacementObjective::kLatency;
  const Seconds first =
      steps ? request.time_limit / (kLatencySteps + 1) : request.time_limit;
  ASSIGN_OR_RETURN(SolvedPlacement solved, solver.Solve(1, first));
  TakeSolution(std::move(solved), plan);
  if (steps) RETURN_IF_ERROR(KeepDistance(solver, plan));
  RETURN_IF_ERROR(PredictPlan(plan, costs));
  ASSIGN_OR_RETURN(plan.rejected, ExplainRejections(plan, costs));
  plan.worth.revenue = RevenueOf(plan);
  if (request.previous != nullptr) {
    plan.worth.moves = CountMoves(plan, *request.previous);
  }
  plan.verification = VerifyPlacement(plan, costs);
  plan.elapsed = dependencies.clock.Now() - start;
  return plan;
}

Result<PlanVerification> VerifyAgain(const PlacementPlan& plan,
                                     const CostModelSource& costs) {
  ASSIGN_OR_RETURN(PlacementCosts found, FindCosts(plan.problem, costs));
  return VerifyPlacement(plan, found);
}

}  // namespace mete
