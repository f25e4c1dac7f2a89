// A small problem with a cost table for tests of placing.
#pragma once

#include <memory>
#include <string>

#include "place/cost_table.h"
#include "place/place_apps.h"
#include "place/synthetic_costs.h"
#include "support/check.h"

namespace mete {

// One pressure; "web" takes 10 ms alone at p95, and 10 ms more for each unit of
// pressure. An instance adds a tenth of its rate.
inline std::shared_ptr<const CostModel> WebCosts() {
  auto table = ParseCostTable(
      "pressures: [cpu]\napplications:\n  web:\n    cpu_time: 100ms\n"
      "    pressure_per_rate: [0.1]\n    service:\n"
      "      p95: {alone: 10ms, slowdown: [{slope: [1]}]}\n"
      "      mean: {alone: 8ms, slowdown: [{slope: [1]}]}\n",
      "costs.yaml");
  CHECK(table.ok()) << table.error().message();
  return std::make_shared<TableCosts>(*table, "costs.yaml");
}

inline AppDemand WebApp(const std::string& name, double rate,
                        double limit_seconds) {
  return {.name = name,
          .application = "web",
          .rate = rate,
          .slo = LatencySlo{.limit = Seconds(limit_seconds)},
          .memory = Gibibytes(1)};
}

inline ServerType EdgeServers(int count) {
  return {.name = "edge",
          .count = count,
          .memory = Gibibytes(4),
          .costs = "costs.yaml"};
}

// The costs of WebCosts for "edge", and of the scenarios for their servers.
inline Result<std::shared_ptr<const CostModel>> TestCosts(
    const ServerType& type) {
  if (type.name == "edge") return WebCosts();
  return std::shared_ptr<const CostModel>(std::make_shared<TableCosts>(
      MakeSyntheticCosts(type.name == "weak" ? kWeakServer : kStrongServer),
      type.costs));
}

}  // namespace mete
