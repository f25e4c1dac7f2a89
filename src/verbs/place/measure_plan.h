// Loads a plan that runs, and compares what was predicted with what is
// measured: mete place verify.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/run_load.h"
#include "place/placement_plan.h"
#include "ports/service_host.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// How to load it.
struct MeasurePlanRequest {
  Seconds window{20};
  uint64_t seed = 1;
};

// One application on one server.
struct MeasuredPlacement {
  std::string app;
  std::string server;
  std::string statistic;  // "p95", "sojourn mean"
  std::optional<Seconds> predicted{};
  std::optional<Seconds> predicted_high{};  // upper end of the interval
  std::optional<Seconds> measured{};        // absent: too few answers
  std::optional<Seconds> low{};             // 95 % interval of the measurement
  std::optional<Seconds> high{};
  std::optional<Seconds> limit{};  // of the SLO
  uint64_t requests = 0;
  bool saturated = false;  // times depend on the window
  std::string remark{};    // saturated, failed requests, ...

  // Absent without an SLO or a measurement. A saturated application meets none,
  // as in a prediction (LatencyAnswer).
  std::optional<bool> Met() const;
};

// Sends every application its rate for the window, all at the same time. The
// services are those of the plan. Fails with kNotFound if one is missing, and
// as RunLoad does.
Result<std::vector<MeasuredPlacement>> MeasurePlan(
    const PlacementPlan& plan, const std::vector<HostedService>& services,
    const MeasurePlanRequest& request, const LoadDependencies& dependencies,
    std::stop_token stop);

std::string MeasuredPlanText(const std::vector<MeasuredPlacement>& measured);
std::string MeasuredPlanCsv(const std::vector<MeasuredPlacement>& measured);
Json MeasuredPlanToJson(const std::vector<MeasuredPlacement>& measured);

}  // namespace mete
