#include "bench/placement/scenario_packing.h"

#include <algorithm>

#include "place/cost_table.h"
#include "place/synthetic_costs.h"

namespace mete {
namespace {

constexpr double kGibi = 1024.0 * 1024 * 1024;

Result<ItemOnType> CostOnType(const AppDemand& app, const TableCosts& costs) {
  ItemOnType on{.use = {static_cast<double>(app.memory.count) / kGibi}};
  ASSIGN_OR_RETURN(on.pressure, costs.PressureOf(app.application, app.rate));
  ASSIGN_OR_RETURN(std::vector<PressureLimit> limits,
                   costs.LimitsFor({.application = app.application,
                                    .rate = app.rate,
                                    .statistic = app.slo->statistic,
                                    .time = app.slo->time},
                                   app.slo->limit));
  for (PressureLimit& limit : limits) {
    on.rows.push_back(
        {.weights = std::move(limit.weights), .bound = limit.bound});
  }
  return on;
}

bool NeverFits(const ItemOnType& on) {
  return std::ranges::any_of(
      on.rows, [](const PressureRow& row) { return row.bound < 0; });
}

}  // namespace

Result<PackingProblem> MakeScenarioPacking(const ScenarioRequest& request) {
  ASSIGN_OR_RETURN(PlacementProblem placement, MakeScenario(request));
  std::vector<TableCosts> costs;
  PackingProblem packing{.resources = 1, .pressures = 2};
  for (const ServerType& type : placement.servers) {
    bool weak = type.name == kWeakServers;
    costs.emplace_back(MakeSyntheticCosts(weak ? kWeakServer : kStrongServer),
                       type.name);
    packing.types.push_back(
        {.count = static_cast<size_t>(type.count),
         .capacity = {static_cast<double>(type.memory.count) / kGibi},
         .rank = type.rank});
  }
  for (const AppDemand& app : placement.apps) {
    Item item{.value = app.price, .copies = app.instances};
    for (const TableCosts& cost : costs) {
      ASSIGN_OR_RETURN(ItemOnType on, CostOnType(app, cost));
      bool never = NeverFits(on);
      item.on.emplace_back();
      if (!never) item.on.back() = std::move(on);
    }
    packing.items.push_back(std::move(item));
  }
  return packing;
}

}  // namespace mete
