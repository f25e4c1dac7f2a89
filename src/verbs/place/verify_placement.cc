#include "place/verify_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/check.h"

namespace mete {
namespace {

// Sums of decimal fractions are not exact.
constexpr double kRounding = 1e-6;

const AppDemand* FindApp(const PlacementProblem& problem,
                         const std::string& name) {
  auto found = std::ranges::find(problem.apps, name, &AppDemand::name);
  return found == problem.apps.end() ? nullptr : &*found;
}

LatencyQuestion QuestionOf(const AppDemand& app) {
  return {.application = app.application,
          .rate = app.rate,
          .statistic = app.slo ? app.slo->statistic : SloStatistic::kMean,
          .time = app.slo ? app.slo->time : SloTime::kService};
}

// Collects violations of one plan.
class PlanCheck {
 public:
  PlanCheck(const PlacementPlan& plan, const PlacementCosts& costs)
      : plan_(plan), costs_(costs) {
    for (const AppDemand& app : plan.problem.apps) apps_[app.name] = &app;
    for (size_t type = 0; type < plan.problem.servers.size(); ++type) {
      const ServerType& servers = plan.problem.servers[type];
      for (int i = 0; i < servers.count; ++i) {
        type_of_[ServerName(servers, i)] = type;
      }
    }
  }

  PlanVerification Run() {
    std::set<std::string> seen;
    for (const PlannedServer& server : plan_.servers) {
      Require(seen.insert(server.name).second,
              [&] { return server.name + " is listed twice"; });
      auto type = type_of_.find(server.name);
      Require(type != type_of_.end(),
              [&] { return "there is no server " + server.name; });
      if (type != type_of_.end()) CheckServer(server, type->second);
    }
    CheckWhole();
    return std::move(result_);
  }

 private:
  template <typename Text>
  void Require(bool holds, Text text) {
    ++result_.checks;
    if (!holds) result_.violations.push_back(text());
  }

  void CheckServer(const PlannedServer& server, size_t type_index) {
    const ServerType& type = plan_.problem.servers[type_index];
    Require(server.type == type.name, [&] {
      return fmt::format("{} is not of type {}", server.name, server.type);
    });
    auto state = StateOf(plan_.problem, *costs_[type_index], server.apps);
    Require(state.ok(), [&] { return state.error().message(); });
    if (!state.ok()) return;
    Require(state->memory <= double(type.memory.count) * (1 + kRounding), [&] {
      return fmt::format("{}: {} of memory are used, it has {}", server.name,
                         FormatByteCount(state->memory),
                         FormatBytes(type.memory));
    });
    std::set<std::string> here;
    for (const PlacedInstances& placed : server.apps) {
      Require(here.insert(placed.app).second, [&] {
        return fmt::format("{}: {} is listed twice", server.name, placed.app);
      });
      Require(placed.instances >= 1, [&] {
        return fmt::format("{}: {} has {} instances", server.name, placed.app,
                           placed.instances);
      });
      placed_[placed.app] += placed.instances;
    }
    for (const PlacedInstances& placed : server.apps) {
      const AppDemand& app = *apps_.at(placed.app);
      CheckSlo(app, server, *costs_[type_index], *state);
      CheckRules(app, placed, server, here);
    }
  }

  void CheckSlo(const AppDemand& app, const PlannedServer& server,
                const CostModel& costs, const ServerState& state) {
    if (!app.slo) return;
    auto latency = costs.LatencyUnder(QuestionOf(app), state.pressure);
    Require(latency.ok(), [&] { return latency.error().message(); });
    if (!latency.ok()) return;
    Require(!latency->saturated, [&] {
      return fmt::format(
          "{}: {} is saturated: {} is at least {}, its SLO is {}", server.name,
          app.name, ToString(app.slo->statistic), FormatSeconds(latency->time),
          FormatSeconds(app.slo->limit));
    });
    if (latency->saturated) return;
    const Seconds high = latency->high.value_or(latency->time);
    Require(high <= app.slo->limit * (1 + kRounding), [&] {
      return fmt::format("{}: {} of {} is {}, its SLO is {}", server.name,
                         ToString(app.slo->statistic), app.name,
                         FormatSeconds(high), FormatSeconds(app.slo->limit));
    });
  }

  void CheckRules(const AppDemand& app, const PlacedInstances& placed,
                  const PlannedServer& server,
                  const std::set<std::string>& here) {
    if (app.pin) {
      Require(*app.pin == server.name || *app.pin == server.type, [&] {
        return fmt::format("{} is pinned to {} and runs on {}", app.name,
                           *app.pin, server.name);
      });
    }
    if (app.most_together) {
      Require(placed.instances <= *app.most_together, [&] {
        return fmt::format("{} of {} are together on {}, at most {} may",
                           Counted(uint64_t(placed.instances), "instance"),
                           app.name, server.name, *app.most_together);
      });
    }
    for (const std::string& other : app.apart) {
      Require(other == app.name || !here.contains(other), [&] {
        return fmt::format("{} and {} are together on {}", app.name, other,
                           server.name);
      });
    }
  }

  // Every application is placed with all instances, or rejected.
  void CheckWhole() {
    std::set<std::string> rejected;
    for (const Rejection& one : plan_.rejected) rejected.insert(one.app);
    for (const AppDemand& app : plan_.problem.apps) {
      const int expected = rejected.contains(app.name) ? 0 : app.instances;
      const int placed = placed_[app.name];
      Require(placed == expected, [&] {
        return fmt::format("{} of {} are placed, expected {}",
                           Counted(uint64_t(placed), "instance"), app.name,
                           expected);
      });
    }
  }

  const PlacementPlan& plan_;
  const PlacementCosts& costs_;
  std::map<std::string, const AppDemand*> apps_;
  std::map<std::string, size_t> type_of_;
  std::map<std::string, int> placed_;
  PlanVerification result_;
};

// Fails as the cost model does, but a statistic that it does not know stays
// absent unless an SLO is about it.
Status PredictServer(const PlacementProblem& problem, const CostModel& costs,
                     PlannedServer& server, PlanWorth& worth) {
  ASSIGN_OR_RETURN(ServerState state, StateOf(problem, costs, server.apps));
  for (PlacedInstances& placed : server.apps) {
    const AppDemand& app = *FindApp(problem, placed.app);
    auto latency = costs.LatencyUnder(QuestionOf(app), state.pressure);
    if (!latency.ok() && app.slo) return latency.error();
    if (!latency.ok()) continue;
    placed.latency = latency->time;
    placed.latency_high = latency->high;
    placed.saturated = latency->saturated;
    if (!app.slo) continue;
    const double share = latency->high.value_or(latency->time) / app.slo->limit;
    worth.tightest = std::max(worth.tightest.value_or(0), share);
  }
  return {};
}

std::optional<Watts> PowerOf(const PlacementProblem& problem,
                             const ServerType& type, const CostModel& costs,
                             const PlannedServer& server) {
  auto idle = IdlePower(type);
  if (!idle) return std::nullopt;
  double watts = idle->count;
  for (const PlacedInstances& placed : server.apps) {
    auto one = InstancePower(type, costs, *FindApp(problem, placed.app));
    if (!one) return std::nullopt;
    watts += one->count * placed.instances;
  }
  return Watts{watts};
}

}  // namespace

Result<ServerState> StateOf(const PlacementProblem& problem,
                            const CostModel& costs,
                            const std::vector<PlacedInstances>& contents) {
  ServerState state{.memory = 0,
                    .pressure = std::vector<double>(costs.pressures(), 0)};
  for (const PlacedInstances& placed : contents) {
    const AppDemand* app = FindApp(problem, placed.app);
    if (app == nullptr) {
      return NotFound("the plan places an unknown app " + placed.app);
    }
    ASSIGN_OR_RETURN(std::vector<double> one,
                     costs.PressureOf(app->application, app->rate));
    for (size_t k = 0; k < one.size(); ++k) {
      state.pressure[k] += one[k] * placed.instances;
    }
    state.memory += double(app->memory.count) * placed.instances;
  }
  return state;
}

PlanVerification VerifyPlacement(const PlacementPlan& plan,
                                 const PlacementCosts& costs) {
  return PlanCheck(plan, costs).Run();
}

Status PredictPlan(PlacementPlan& plan, const PlacementCosts& costs) {
  plan.worth.tightest.reset();
  double watts = 0;
  bool power_known = true;
  for (PlannedServer& server : plan.servers) {
    auto type =
        std::ranges::find(plan.problem.servers, server.type, &ServerType::name);
    if (type == plan.problem.servers.end()) {
      return NotFound("the plan uses an unknown type " + server.type);
    }
    const CostModel& cost =
        *costs[static_cast<size_t>(type - plan.problem.servers.begin())];
    RETURN_IF_ERROR(PredictServer(plan.problem, cost, server, plan.worth));
    auto power = PowerOf(plan.problem, *type, cost, server);
    power_known = power_known && power;
    watts += power.value_or(Watts{0}).count;
  }
  plan.worth.power.reset();
  if (power_known && !plan.servers.empty()) plan.worth.power = Watts{watts};
  return {};
}

}  // namespace mete
