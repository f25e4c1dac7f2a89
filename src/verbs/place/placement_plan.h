// A plan: which instances of which application run on which server, what that
// is worth, how good it is proven to be, and why applications were rejected.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "place/placement_problem.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// What a better plan is.
enum class PlacementObjective {
  kRevenue,  // the highest sum of prices
  // The same revenue, with latencies as far below their SLOs as possible.
  kLatency,
  kEnergy,   // as many applications as possible, with the least power
  kServers,  // as many applications as possible, on the fewest servers
};

// How the plan is searched.
enum class PlacementMethod { kAuto, kExact, kFast, kGreedy, kSequential };

// Instances of one application on one server.
struct PlacedInstances {
  std::string app;  // AppDemand::name
  int instances = 0;
  // Of the statistic of the SLO; of the mean service time without one. Absent:
  // the costs do not know it.
  std::optional<Seconds> latency{};
  std::optional<Seconds> latency_high{};  // upper end of the interval
  // Cannot keep up with its requests: the latency is at least that above.
  bool saturated = false;
};

// A server that runs something.
struct PlannedServer {
  std::string name;
  std::string type;
  std::vector<PlacedInstances> apps;  // in the order of the problem
};

// Why an application is not placed.
struct Rejection {
  std::string app;
  // No server could run it even alone: the demand is impossible.
  bool impossible = false;
  std::string constraint;  // "memory", "slo", "pin", "apart_from", ...
  std::string nearest;     // the server that came nearest; "" for none
  std::string reason;      // one sentence
  std::string remedy;      // what would make it fit; "" if nothing simple
};

// What the plan is worth and what is proven of it.
struct PlanWorth {
  double revenue = 0;            // of the placed applications
  int placed = 0;                // applications
  int servers = 0;               // that run something
  std::optional<Watts> power{};  // predicted; absent: not known
  int moves = 0;  // instances that the previous plan had elsewhere
  // The largest predicted latency as a share of its SLO.
  std::optional<double> tightest{};
  // In the unit of the objective: price, W, servers, or share of the SLO.
  double objective = 0;
  // No plan is better than this: an upper bound for revenue, a lower bound for
  // the others.
  double bound = 0;
  double gap = 0;  // the objective could be better by this share of it
  bool optimal = false;
  // The search was cut by the time limit or by Ctrl-C, so another run may give
  // another plan.
  bool cut_short = false;
};

// The check of every constraint by code that the search does not use.
struct PlanVerification {
  int checks = 0;
  std::vector<std::string> violations;
  bool good() const { return violations.empty(); }
};

// The plan. It repeats the problem, so that it can be applied and verified
// without other files.
struct PlacementPlan {
  PlacementProblem problem;
  PlacementObjective objective = PlacementObjective::kRevenue;
  PlacementMethod asked = PlacementMethod::kAuto;
  PlacementMethod method = PlacementMethod::kAuto;  // that was used
  uint64_t seed = 1;
  Seconds time_limit{10};
  Seconds elapsed{0};
  std::chrono::system_clock::time_point made_at;
  std::string mete_version;
  std::vector<std::string> costs;  // CostModel::Describe of each server type

  std::vector<PlannedServer> servers;  // by type and place
  std::vector<Rejection> rejected;     // in the order of the problem
  PlanWorth worth;
  PlanVerification verification;
};

std::string_view ToString(PlacementObjective objective);
std::string_view ToString(PlacementMethod method);
// Fail with kInvalidInput and the list of names.
Result<PlacementObjective> ParsePlacementObjective(std::string_view text);
Result<PlacementMethod> ParsePlacementMethod(std::string_view text);

// The names of the applications that the plan places.
std::vector<std::string> PlacedApps(const PlacementPlan& plan);
// Instances that run on other servers in `plan` than in `previous`. An
// application that is new has not moved.
int CountMoves(const PlacementPlan& plan, const PlacementPlan& previous);

}  // namespace mete
