#include "place/to_packing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace mete {
namespace {

// The types with the servers that are pinned split off.
std::vector<TranslatedProblem::Bins> SplitPinned(
    const PlacementProblem& problem) {
  std::set<std::string> pins;
  for (const AppDemand& app : problem.apps) {
    if (app.pin) pins.insert(*app.pin);
  }
  std::vector<TranslatedProblem::Bins> bins;
  for (size_t type = 0; type < problem.servers.size(); ++type) {
    TranslatedProblem::Bins rest{.type = type, .places = {}};
    for (int place = 0; place < problem.servers[type].count; ++place) {
      if (pins.contains(ServerName(problem.servers[type], place))) {
        bins.push_back({.type = type, .places = {place}});
      } else {
        rest.places.push_back(place);
      }
    }
    if (!rest.places.empty()) bins.push_back(std::move(rest));
  }
  return bins;
}

bool MatchesPin(const AppDemand& app, const ServerType& type,
                const TranslatedProblem::Bins& bins) {
  if (!app.pin || *app.pin == type.name) return true;
  return std::ranges::any_of(bins.places, [&](int place) {
    return ServerName(type, place) == *app.pin;
  });
}

std::vector<double> Padded(std::vector<double> values, size_t length) {
  values.resize(length, 0);
  return values;
}

// Fails as the cost model does: with kNotFound if the application cannot run on
// this type.
Result<ItemOnType> OnType(const AppDemand& app, const ServerType& type,
                          const CostModel& costs, size_t pressures,
                          const PackingOptions& options) {
  ItemOnType on{.use = {double(app.memory.count)},
                .pressure = {},
                .rows = {},
                .copy_cost = 0};
  ASSIGN_OR_RETURN(std::vector<double> pressure,
                   costs.PressureOf(app.application, app.rate));
  on.pressure = Padded(std::move(pressure), pressures);
  if (app.slo) {
    ASSIGN_OR_RETURN(std::vector<PressureLimit> limits,
                     costs.LimitsFor({.application = app.application,
                                      .rate = app.rate,
                                      .statistic = app.slo->statistic,
                                      .time = app.slo->time},
                                     app.slo->limit * options.slo_scale));
    for (PressureLimit& limit : limits) {
      on.rows.push_back({.weights = Padded(std::move(limit.weights), pressures),
                         .bound = limit.bound});
    }
  }
  if (options.objective == PlacementObjective::kEnergy) {
    on.copy_cost = InstancePower(type, costs, app).value_or(Watts{0}).count;
  }
  return on;
}

// A row that nothing meets excludes the item: the solver needs not know it.
bool NeverMet(const ItemOnType& on) {
  return std::ranges::any_of(
      on.rows, [](const PressureRow& row) { return row.bound < 0; });
}

struct ItemMaker {
  const PlacementProblem& problem;
  const PlacementCosts& costs;
  const PackingOptions& options;
  const TranslatedProblem& translated;

  Result<Item> Make(const AppDemand& app) const {
    Item item{
        .value = app.price,
        .copies = app.instances,
        .splits = true,
        .most_per_bin = app.most_together,
        .priority = app.priority,
        .groups = {},
        .on = {},
        .move_cost = options.previous == nullptr ? 0 : options.migration_cost};
    std::optional<Error> unknown;
    bool known = false;
    for (const auto& bins : translated.bins) {
      const ServerType& type = problem.servers[bins.type];
      auto on = OnType(app, type, *costs[bins.type],
                       translated.packing.pressures, options);
      if (!on.ok() && on.error().code() != ErrorCode::kNotFound) {
        return InvalidInput(app.name + ": " + on.error().message());
      }
      known = known || on.ok();
      if (!on.ok()) unknown = on.error();
      const bool usable =
          on.ok() && MatchesPin(app, type, bins) && !NeverMet(*on);
      item.on.push_back(usable ? std::optional(*std::move(on)) : std::nullopt);
    }
    if (!known) return InvalidInput(app.name + ": " + unknown->message());
    return item;
  }
};

// Every pair that must be kept apart is a group of its own.
void AddGroups(const PlacementProblem& problem, PackingProblem& packing) {
  std::map<std::string, size_t> place;
  for (size_t i = 0; i < problem.apps.size(); ++i) {
    place[problem.apps[i].name] = i;
  }
  std::set<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < problem.apps.size(); ++i) {
    for (const std::string& other : problem.apps[i].apart) {
      auto found = place.find(other);
      if (found == place.end() || found->second == i) continue;
      pairs.insert(std::minmax(i, found->second));
    }
  }
  size_t group = 0;
  for (const auto& [one, other] : pairs) {
    packing.items[one].groups.push_back(group);
    packing.items[other].groups.push_back(group++);
  }
}

// What of the previous plan still exists. Servers and applications that are
// gone are left out.
PackingPlan TranslatePrevious(const PlacementProblem& problem,
                              const TranslatedProblem& translated,
                              const PlacementPlan& previous) {
  std::map<std::string, std::pair<size_t, size_t>> bin_of;
  for (size_t type = 0; type < translated.bins.size(); ++type) {
    const auto& bins = translated.bins[type];
    for (size_t i = 0; i < bins.places.size(); ++i) {
      bin_of[ServerName(problem.servers[bins.type], bins.places[i])] = {type,
                                                                        i};
    }
  }
  std::map<std::string, size_t> item_of;
  for (size_t i = 0; i < problem.apps.size(); ++i) {
    item_of[problem.apps[i].name] = i;
  }
  PackingPlan plan;
  for (const PlannedServer& server : previous.servers) {
    auto bin = bin_of.find(server.name);
    if (bin == bin_of.end()) continue;
    PackedBin packed{.type = bin->second.first,
                     .number = bin->second.second,
                     .contents = {}};
    for (const PlacedInstances& placed : server.apps) {
      auto item = item_of.find(placed.app);
      if (item == item_of.end()) continue;
      packed.contents.push_back(
          {.item = item->second, .count = placed.instances});
    }
    std::ranges::sort(packed.contents);
    if (!packed.contents.empty()) plan.bins.push_back(std::move(packed));
  }
  std::ranges::sort(plan.bins);
  return plan;
}

double OpenCost(const ServerType& type, PlacementObjective objective) {
  if (objective == PlacementObjective::kServers) return 1;
  if (objective != PlacementObjective::kEnergy) return 0;
  return IdlePower(type).value_or(Watts{0}).count;
}

}  // namespace

std::optional<Watts> IdlePower(const ServerType& type) {
  if (!type.power) return std::nullopt;
  return type.power->idle;
}

std::optional<Watts> InstancePower(const ServerType& type,
                                   const CostModel& costs,
                                   const AppDemand& app) {
  auto cpu_time = costs.CpuTimeOf(app.application);
  if (!type.power || !cpu_time) return std::nullopt;
  return Watts{type.power->per_core.count * app.rate * cpu_time->count()};
}

Result<TranslatedProblem> ToPacking(const PlacementProblem& problem,
                                    const PlacementCosts& costs,
                                    const PackingOptions& options) {
  TranslatedProblem translated;
  translated.bins = SplitPinned(problem);
  PackingProblem& packing = translated.packing;
  packing.resources = 1;
  for (const auto& cost : costs) {
    packing.pressures = std::max(packing.pressures, cost->pressures());
  }
  const bool least = options.objective == PlacementObjective::kEnergy ||
                     options.objective == PlacementObjective::kServers;
  packing.goal = least ? PackingGoal::kLeastCost : PackingGoal::kMostValue;
  for (const auto& bins : translated.bins) {
    const ServerType& type = problem.servers[bins.type];
    packing.types.push_back({.count = bins.places.size(),
                             .capacity = {double(type.memory.count)},
                             .open_cost = OpenCost(type, options.objective),
                             .rank = type.rank});
  }
  const ItemMaker maker{.problem = problem,
                        .costs = costs,
                        .options = options,
                        .translated = translated};
  for (const AppDemand& app : problem.apps) {
    ASSIGN_OR_RETURN(Item item, maker.Make(app));
    packing.items.push_back(std::move(item));
  }
  AddGroups(problem, packing);
  if (options.previous != nullptr) {
    packing.previous =
        TranslatePrevious(problem, translated, *options.previous);
  }
  return translated;
}

std::vector<PlannedServer> ToServers(const PlacementProblem& problem,
                                     const TranslatedProblem& translated,
                                     const PackingPlan& plan) {
  std::map<std::pair<size_t, int>, PlannedServer> servers;
  for (const PackedBin& bin : plan.bins) {
    const auto& bins = translated.bins[bin.type];
    const int place = bins.places[bin.number];
    const ServerType& type = problem.servers[bins.type];
    PlannedServer server{
        .name = ServerName(type, place), .type = type.name, .apps = {}};
    for (const Copies& copies : bin.contents) {
      server.apps.push_back(
          {.app = problem.apps[copies.item].name, .instances = copies.count});
    }
    servers[{bins.type, place}] = std::move(server);
  }
  std::vector<PlannedServer> ordered;
  for (auto& [place, server] : servers) ordered.push_back(std::move(server));
  return ordered;
}

}  // namespace mete
