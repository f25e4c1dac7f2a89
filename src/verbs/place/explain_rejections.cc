#include "place/explain_rejections.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "place/problem_yaml.h"
#include "place/verify_placement.h"
#include "support/text.h"

namespace mete {
namespace {

// A constraint that keeps an instance out, and by how much.
struct Obstacle {
  std::string constraint;
  double excess = 0;  // share by which the limit would be exceeded
  std::string reason;
  std::string remedy;
};

// A server with what runs there.
struct ServerRoom {
  std::string name;
  size_t type = 0;
  ServerState state;
  std::vector<const AppDemand*> apps;
  // Linear conditions of all SLOs there; quicker than asking for latencies.
  std::vector<PressureLimit> limits;
};

std::string SloText(const AppDemand& app) {
  return fmt::format("{}{} of {}",
                     app.slo->time == SloTime::kSojourn ? "sojourn " : "",
                     ToString(app.slo->statistic), app.name);
}

LatencyQuestion AskSlo(const AppDemand& app) {
  return {.application = app.application,
          .rate = app.rate,
          .statistic = app.slo->statistic,
          .time = app.slo->time};
}

bool Within(const std::vector<PressureLimit>& limits,
            const std::vector<double>& pressure) {
  return std::ranges::all_of(limits, [&](const PressureLimit& limit) {
    double sum = 0;
    for (size_t k = 0; k < limit.weights.size(); ++k) {
      sum += limit.weights[k] * pressure[k];
    }
    return sum <= limit.bound + 1e-12;
  });
}

// Explains applications one by one against the final plan.
class Explainer {
 public:
  Explainer(const PlacementPlan& plan, const PlacementCosts& costs)
      : problem_(plan.problem), costs_(costs) {
    for (const AppDemand& app : problem_.apps) apps_[app.name] = &app;
  }

  Status ReadServers(const PlacementPlan& plan) {
    std::map<std::string, const PlannedServer*> busy;
    for (const PlannedServer& server : plan.servers) {
      busy[server.name] = &server;
    }
    const PlannedServer empty;
    for (size_t type = 0; type < problem_.servers.size(); ++type) {
      bool has_empty = false;
      for (int i = 0; i < problem_.servers[type].count; ++i) {
        const std::string name = ServerName(problem_.servers[type], i);
        auto found = busy.find(name);
        // Empty servers are alike, but pins may name any of them.
        if (found == busy.end()) {
          if (has_empty && !IsPinned(name)) {
            ++spare_[type];
            continue;
          }
          has_empty = true;
        }
        ASSIGN_OR_RETURN(
            ServerRoom room,
            ReadRoom(name, type, found == busy.end() ? empty : *found->second));
        rooms_.push_back(std::move(room));
      }
    }
    return {};
  }

  Result<Rejection> Explain(const AppDemand& app) {
    ASSIGN_OR_RETURN(std::optional<Rejection> impossible,
                     ExplainImpossible(app));
    if (impossible) return *std::move(impossible);
    return ExplainCrowded(app);
  }

 private:
  bool IsPinned(const std::string& name) const {
    return std::ranges::any_of(
        problem_.apps, [&](const AppDemand& app) { return app.pin == name; });
  }

  Result<ServerRoom> ReadRoom(const std::string& name, size_t type,
                              const PlannedServer& server) const {
    ServerRoom room{
        .name = name, .type = type, .state = {}, .apps = {}, .limits = {}};
    ASSIGN_OR_RETURN(room.state, StateOf(problem_, *costs_[type], server.apps));
    for (const PlacedInstances& placed : server.apps) {
      const AppDemand* app = apps_.at(placed.app);
      room.apps.push_back(app);
      if (!app->slo) continue;
      ASSIGN_OR_RETURN(auto limits,
                       costs_[type]->LimitsFor(AskSlo(*app), app->slo->limit));
      room.limits.insert(room.limits.end(), limits.begin(), limits.end());
    }
    return room;
  }

  bool Allows(const AppDemand& app, size_t type,
              const std::string& server) const {
    return !app.pin || *app.pin == server ||
           *app.pin == problem_.servers[type].name;
  }

  // What keeps one instance off an empty server of this type; nothing if it
  // fits. Fails with kNotFound if the type does not know the application.
  Result<std::optional<Obstacle>> AloneObstacle(const AppDemand& app,
                                                size_t type) const {
    const ServerType& servers = problem_.servers[type];
    if (app.memory > servers.memory) {
      const double excess =
          double(app.memory.count) / double(servers.memory.count) - 1;
      return std::optional(Obstacle{
          .constraint = "memory",
          .excess = excess,
          .reason = fmt::format("an instance needs {}, {} servers have {}",
                                FormatBytes(app.memory), servers.name,
                                FormatBytes(servers.memory)),
          .remedy = fmt::format("a server with {} of memory",
                                FormatBytes(app.memory))});
    }
    ASSIGN_OR_RETURN(std::vector<double> alone,
                     costs_[type]->PressureOf(app.application, app.rate));
    if (!app.slo) return std::optional<Obstacle>();
    return SloObstacle(app, type, alone, "alone ");
  }

  // The obstacle if this SLO is not met under the pressure.
  Result<std::optional<Obstacle>> SloObstacle(
      const AppDemand& app, size_t type, const std::vector<double>& pressure,
      std::string_view how) const {
    ASSIGN_OR_RETURN(LatencyAnswer latency,
                     costs_[type]->LatencyUnder(AskSlo(app), pressure));
    const Seconds high = latency.high.value_or(latency.time);
    if (high <= app.slo->limit * (1 + 1e-12)) return std::optional<Obstacle>();
    return std::optional(Obstacle{
        .constraint = "slo",
        .excess = high / app.slo->limit - 1,
        .reason =
            fmt::format("{}{} would be {}, its SLO is {}", how, SloText(app),
                        FormatSeconds(high), FormatSeconds(app.slo->limit)),
        .remedy =
            fmt::format("an SLO of {} for {}", FormatSeconds(high), app.name)});
  }

  Result<std::optional<Rejection>> ExplainImpossible(
      const AppDemand& app) const {
    std::optional<Obstacle> least;
    std::string nearest;
    for (size_t type = 0; type < problem_.servers.size(); ++type) {
      const ServerType& servers = problem_.servers[type];
      if (app.pin && *app.pin != servers.name) {
        bool one_of_it = false;
        for (int i = 0; i < servers.count && !one_of_it; ++i) {
          one_of_it = ServerName(servers, i) == *app.pin;
        }
        if (!one_of_it) continue;
      }
      auto obstacle = AloneObstacle(app, type);
      if (!obstacle.ok()) {
        if (obstacle.error().code() != ErrorCode::kNotFound) {
          return obstacle.error();
        }
        obstacle =
            std::optional(Obstacle{.constraint = "application",
                                   .excess = std::numeric_limits<double>::max(),
                                   .reason = obstacle.error().message(),
                                   .remedy = ""});
      }
      if (!*obstacle) return std::optional<Rejection>();
      if (!least || (*obstacle)->excess < least->excess) {
        least = **obstacle;
        nearest = servers.name;
      }
    }
    if (!least) return std::optional<Rejection>();
    return std::optional(Rejection{.app = app.name,
                                   .impossible = true,
                                   .constraint = least->constraint,
                                   .nearest = nearest,
                                   .reason = least->reason,
                                   .remedy = least->remedy});
  }

  // What keeps one more instance off this server.
  Result<Obstacle> BesideObstacle(const AppDemand& app, const ServerRoom& room,
                                  const ServerState& with) const {
    const ServerType& servers = problem_.servers[room.type];
    if (with.memory > double(servers.memory.count)) {
      const double missing = with.memory - double(servers.memory.count);
      return Obstacle{
          .constraint = "memory",
          .excess = missing / double(servers.memory.count),
          .reason = fmt::format("{} lacks {} of memory", room.name,
                                FormatByteCount(missing)),
          .remedy = fmt::format("{} more memory on {}",
                                FormatByteCount(missing), room.name)};
    }
    Obstacle worst;
    std::vector<const AppDemand*> all = room.apps;
    all.push_back(&app);
    for (const AppDemand* one : all) {
      if (!one->slo) continue;
      ASSIGN_OR_RETURN(auto obstacle,
                       SloObstacle(*one, room.type, with.pressure, ""));
      if (obstacle && obstacle->excess > worst.excess) {
        worst = *std::move(obstacle);
        if (one != &app) {
          worst.constraint = "slo of " + one->name;
          worst.remedy += fmt::format(", or {} elsewhere", one->name);
        }
      }
    }
    worst.reason = fmt::format("on {}, {}", room.name, worst.reason);
    return worst;
  }

  // How many instances fit on this server, and what stops the next one.
  struct Fit {
    int instances = 0;
    Obstacle obstacle;
  };
  Result<Fit> FitOn(const AppDemand& app, const ServerRoom& room) const {
    Fit fit;
    for (const AppDemand* other : room.apps) {
      if (!HasItem(app.apart, other->name) &&
          !HasItem(other->apart, app.name)) {
        continue;
      }
      fit.obstacle = {
          .constraint = "apart_from",
          .excess = std::numeric_limits<double>::max(),
          .reason = fmt::format("{} runs on {}", other->name, room.name),
          .remedy = ""};
      return fit;
    }
    ASSIGN_OR_RETURN(std::vector<double> one,
                     costs_[room.type]->PressureOf(app.application, app.rate));
    std::vector<PressureLimit> own;
    if (app.slo) {
      ASSIGN_OR_RETURN(
          own, costs_[room.type]->LimitsFor(AskSlo(app), app.slo->limit));
    }
    ServerState with = room.state;
    const int most =
        std::min(app.instances, app.most_together.value_or(app.instances));
    const double memory = double(problem_.servers[room.type].memory.count);
    for (; fit.instances < most; ++fit.instances) {
      with.memory += double(app.memory.count);
      for (size_t k = 0; k < one.size(); ++k) with.pressure[k] += one[k];
      if (with.memory > memory || !Within(room.limits, with.pressure) ||
          !Within(own, with.pressure)) {
        ASSIGN_OR_RETURN(fit.obstacle, BesideObstacle(app, room, with));
        return fit;
      }
    }
    if (most < app.instances) {
      fit.obstacle = {.constraint = "most_together",
                      .excess = 0,
                      .reason = fmt::format("at most {} may be together on {}",
                                            most, room.name),
                      .remedy = "a larger most_together"};
    }
    return fit;
  }

  Result<Rejection> ExplainCrowded(const AppDemand& app) const {
    int64_t fitting = 0;
    std::optional<Fit> best;
    const ServerRoom* nearest = nullptr;
    for (const ServerRoom& room : rooms_) {
      if (!Allows(app, room.type, room.name)) continue;
      auto fit = FitOn(app, room);
      if (!fit.ok() && fit.error().code() == ErrorCode::kNotFound) continue;
      if (!fit.ok()) return fit.error();
      auto spare = spare_.find(room.type);
      const int64_t alike =
          room.apps.empty() && spare != spare_.end() ? spare->second : 0;
      fitting += fit->instances * (1 + alike);
      if (!best || fit->instances > best->instances ||
          (fit->instances == best->instances &&
           fit->obstacle.excess < best->obstacle.excess)) {
        best = *std::move(fit);
        nearest = &room;
      }
    }
    Rejection rejection{.app = app.name};
    if (nearest == nullptr) {
      rejection.constraint = "pin";
      rejection.reason = "no server that it is pinned to can run it";
      return rejection;
    }
    rejection.nearest = nearest->name;
    if (fitting >= app.instances) {
      rejection.constraint = "objective";
      rejection.reason =
          "it fits beside the others, but the plan is not better with it or "
          "the search did not find it";
      return rejection;
    }
    rejection.constraint = best->obstacle.constraint;
    rejection.remedy = best->obstacle.remedy;
    rejection.reason =
        fmt::format("{} of its {} {} beside the others; {}",
                    fitting == 0 ? "none" : fmt::format("only {}", fitting),
                    Counted(uint64_t(app.instances), "instance"),
                    fitting > 1 ? "fit" : "fits", best->obstacle.reason);
    return rejection;
  }

  const PlacementProblem& problem_;
  const PlacementCosts& costs_;
  std::map<std::string, const AppDemand*> apps_;
  std::vector<ServerRoom> rooms_;
  // Empty servers that are not in rooms_, by type.
  std::map<size_t, int64_t> spare_;
};

}  // namespace

Result<std::vector<Rejection>> ExplainRejections(const PlacementPlan& plan,
                                                 const PlacementCosts& costs) {
  std::set<std::string> placed;
  for (const std::string& name : PlacedApps(plan)) placed.insert(name);
  Explainer explainer(plan, costs);
  RETURN_IF_ERROR(explainer.ReadServers(plan));
  std::vector<Rejection> rejections;
  for (const AppDemand& app : plan.problem.apps) {
    if (placed.contains(app.name)) continue;
    ASSIGN_OR_RETURN(Rejection one, explainer.Explain(app));
    rejections.push_back(std::move(one));
  }
  return rejections;
}

}  // namespace mete
