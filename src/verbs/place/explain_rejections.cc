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

// Constraints. The objective is that of what fits, but is not in the plan.
constexpr const char* kObjective = "objective";
constexpr const char* kApart = "apart_from";
constexpr const char* kTogether = "most_together";

// A remedy that changes more than this is none.
constexpr size_t kMostChanges = 2;

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

// Another way to make it fit.
void AddRemedy(const std::string& other, std::string& remedy) {
  remedy += remedy.empty() ? other : ", or " + other;
}

// The one to report: memory, which is listed first, or the SLO that is missed
// by most.
Obstacle Worst(const std::vector<Obstacle>& obstacles) {
  if (obstacles.empty()) return {};
  if (obstacles.front().constraint == "memory") return obstacles.front();
  return *std::ranges::max_element(obstacles, {}, &Obstacle::excess);
}

// What removes all of them.
std::string RemedyFor(const std::vector<Obstacle>& obstacles) {
  std::string remedy;
  for (const Obstacle& one : obstacles) {
    remedy += (remedy.empty() ? "" : " and ") + one.remedy;
  }
  return remedy;
}

void Add(const std::vector<double>& one, int instances, ServerState& state,
         const AppDemand& app) {
  state.memory += double(app.memory.count) * instances;
  for (size_t k = 0; k < one.size(); ++k) {
    state.pressure[k] += one[k] * instances;
  }
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
      : problem_(plan.problem), costs_(costs), optimal_(plan.worth.optimal) {
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

  Result<Rejection> Explain(const AppDemand& app) const {
    ASSIGN_OR_RETURN(Rejection rejection, ExplainAsItIs(app));
    if (!app.pin) return rejection;
    AppDemand free = app;
    free.pin.reset();
    ASSIGN_OR_RETURN(const Rejection unpinned, ExplainAsItIs(free));
    // Nothing but the pin keeps it out of another server.
    if (unpinned.constraint == kObjective)
      AddRemedy("no pin", rejection.remedy);
    return rejection;
  }

 private:
  Result<Rejection> ExplainAsItIs(const AppDemand& app) const {
    ASSIGN_OR_RETURN(std::optional<Rejection> impossible,
                     ExplainImpossible(app));
    if (impossible) return *std::move(impossible);
    return ExplainCrowded(app);
  }

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
  Result<std::vector<Obstacle>> AloneObstacles(const AppDemand& app,
                                               size_t type) const {
    const ServerType& servers = problem_.servers[type];
    std::vector<Obstacle> found;
    ASSIGN_OR_RETURN(std::vector<double> alone,
                     costs_[type]->PressureOf(app.application, app.rate));
    if (app.memory > servers.memory) {
      const double excess =
          double(app.memory.count) / double(servers.memory.count) - 1;
      found.push_back(
          {.constraint = "memory",
           .excess = excess,
           .reason = fmt::format("an instance needs {}, {} servers have {}",
                                 FormatBytes(app.memory), servers.name,
                                 FormatBytes(servers.memory)),
           .remedy = fmt::format("a server with {} of memory",
                                 FormatBytes(app.memory))});
    }
    if (!app.slo) return found;
    ASSIGN_OR_RETURN(auto slo, SloObstacle(app, type, alone, "alone "));
    if (slo) found.push_back(*std::move(slo));
    return found;
  }

  // The obstacle if this SLO is not met under the pressure.
  Result<std::optional<Obstacle>> SloObstacle(
      const AppDemand& app, size_t type, const std::vector<double>& pressure,
      std::string_view how) const {
    ASSIGN_OR_RETURN(LatencyAnswer latency,
                     costs_[type]->LatencyUnder(AskSlo(app), pressure));
    if (latency.saturated) {
      return std::optional(Obstacle{
          .constraint = "slo",
          .excess = std::numeric_limits<double>::max(),
          .reason = fmt::format("{}{} would be saturated", how, app.name),
          .remedy = fmt::format("a lower rate for {}", app.name)});
    }
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
      auto obstacles = AloneObstacles(app, type);
      if (!obstacles.ok()) {
        if (obstacles.error().code() != ErrorCode::kNotFound) {
          return obstacles.error();
        }
        obstacles =
            std::vector<Obstacle>{{.constraint = "application",
                                   .excess = std::numeric_limits<double>::max(),
                                   .reason = obstacles.error().message(),
                                   .remedy = "costs of " + app.application}};
      }
      if (obstacles->empty()) return std::optional<Rejection>();
      Obstacle worst = Worst(*obstacles);
      worst.remedy = RemedyFor(*obstacles);
      if (!least || worst.excess < least->excess) {
        least = std::move(worst);
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

  // Every constraint that the server would break in this state.
  Result<std::vector<Obstacle>> Obstacles(const AppDemand& app,
                                          const ServerRoom& room,
                                          const ServerState& with) const {
    const ServerType& servers = problem_.servers[room.type];
    std::vector<Obstacle> found;
    if (with.memory > double(servers.memory.count)) {
      const double missing = with.memory - double(servers.memory.count);
      found.push_back(
          {.constraint = "memory",
           .excess = missing / double(servers.memory.count),
           .reason = fmt::format("{} lacks {} of memory", room.name,
                                 FormatByteCount(missing)),
           .remedy = fmt::format("{} more memory on {}",
                                 FormatByteCount(missing), room.name)});
    }
    std::vector<const AppDemand*> all = room.apps;
    all.push_back(&app);
    for (const AppDemand* one : all) {
      if (!one->slo) continue;
      ASSIGN_OR_RETURN(auto obstacle,
                       SloObstacle(*one, room.type, with.pressure, ""));
      if (!obstacle) continue;
      obstacle->reason = fmt::format("on {}, {}", room.name, obstacle->reason);
      if (one != &app) obstacle->constraint = "slo of " + one->name;
      found.push_back(*std::move(obstacle));
    }
    return found;
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
          .constraint = kApart,
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
      Add(one, 1, with, app);
      if (with.memory > memory || !Within(room.limits, with.pressure) ||
          !Within(own, with.pressure)) {
        ASSIGN_OR_RETURN(auto obstacles, Obstacles(app, room, with));
        fit.obstacle = Worst(obstacles);
        return fit;
      }
    }
    if (most < app.instances) {
      fit.obstacle = {.constraint = kTogether,
                      .excess = 0,
                      .reason = fmt::format("at most {} may be together on {}",
                                            most, room.name),
                      .remedy = ""};
    }
    return fit;
  }

  // What would let the nearest server take `here` instances, all that fit
  // nowhere else; "" if too many things would have to change there.
  Result<std::string> ChangesOn(const AppDemand& app, const ServerRoom& room,
                                int here) const {
    ASSIGN_OR_RETURN(std::vector<double> one,
                     costs_[room.type]->PressureOf(app.application, app.rate));
    ServerState with = room.state;
    Add(one, here, with, app);
    ASSIGN_OR_RETURN(std::vector<Obstacle> obstacles,
                     Obstacles(app, room, with));
    if (app.most_together && here > *app.most_together) {
      return obstacles.empty() ? fmt::format("most_together of {}", here) : "";
    }
    return obstacles.size() <= kMostChanges ? RemedyFor(obstacles) : "";
  }

  // How many more servers of this type would take `missing` instances; "" if
  // none would, or the pin forbids it.
  Result<std::string> MoreServers(const AppDemand& app, size_t type,
                                  int missing) const {
    const ServerType& servers = problem_.servers[type];
    if (app.pin && *app.pin != servers.name) return std::string();
    ASSIGN_OR_RETURN(const ServerRoom empty, ReadRoom("", type, {}));
    ASSIGN_OR_RETURN(const Fit fit, FitOn(app, empty));
    if (fit.instances == 0) return std::string();
    const int more = (missing + fit.instances - 1) / fit.instances;
    return fmt::format("{} more {} {}", more, servers.name,
                       more == 1 ? "server" : "servers");
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
      rejection.constraint = kObjective;
      rejection.reason =
          "it fits beside the others, but the plan is not better with it or "
          "the search did not find it";
      rejection.remedy =
          optimal_
              ? "a higher price"
              : "a longer search (--time-limit, --gap 0) or a higher price";
      return rejection;
    }
    rejection.constraint = best->obstacle.constraint;
    const int missing = app.instances - static_cast<int>(fitting);
    if (best->obstacle.constraint != kApart) {
      ASSIGN_OR_RETURN(rejection.remedy,
                       ChangesOn(app, *nearest, missing + best->instances));
    }
    ASSIGN_OR_RETURN(std::string more,
                     MoreServers(app, nearest->type, missing));
    if (!more.empty()) AddRemedy(more, rejection.remedy);
    rejection.reason =
        fmt::format("{} of its {} {} beside the others; {}",
                    fitting == 0 ? "none" : fmt::format("only {}", fitting),
                    Counted(uint64_t(app.instances), "instance"),
                    fitting > 1 ? "fit" : "fits", best->obstacle.reason);
    return rejection;
  }

  const PlacementProblem& problem_;
  const PlacementCosts& costs_;
  const bool optimal_;  // the plan
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
