#include "place/measure_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "load/arrival_schedule.h"
#include "load/generated_request.h"
#include "load/load_summary.h"
#include "place/place_network.h"
#include "support/json.h"
#include "support/random.h"
#include "support/table.h"

namespace mete {
namespace {

// One application on one server, as a load target and as planned.
struct LoadedPlacement {
  const AppDemand* app = nullptr;
  const PlannedServer* server = nullptr;
  const PlacedInstances* placed = nullptr;
};

Result<LoadTarget> MakeTarget(const LoadedPlacement& one,
                              const std::vector<HostedService>& services,
                              const MeasurePlanRequest& request) {
  LoadTarget target{.name = one.app->name + "@" + one.server->name,
                    .endpoints = {},
                    .request = GeneratedInferenceRequest()};
  int instances = 0;
  for (const HostedService& service : services) {
    const bool ours = service.order.app == SafeServiceName(one.app->name) &&
                      service.order.device == one.server->name;
    if (!ours || service.state != HostedService::State::kRunning) continue;
    ASSIGN_OR_RETURN(Endpoint endpoint, ParseEndpoint(service.url));
    target.endpoints.push_back(std::move(endpoint));
    instances += service.order.instances;
  }
  if (instances != one.placed->instances) {
    return NotFound(fmt::format("{} runs with {} on {}, the plan has {}",
                                one.app->name,
                                Counted(uint64_t(instances), "instance"),
                                one.server->name, one.placed->instances));
  }
  target.seed = DeriveSeed(request.seed, target.name);
  ASSIGN_OR_RETURN(
      target.arrivals,
      PoissonArrivals({.rate = one.app->rate * one.placed->instances,
                       .window = request.window,
                       .seed = target.seed}));
  return target;
}

std::string StatisticName(const AppDemand& app) {
  if (!app.slo) return "mean";
  return fmt::format("{}{}",
                     app.slo->time == SloTime::kSojourn ? "sojourn " : "",
                     ToString(app.slo->statistic));
}

double QuantileOf(SloStatistic statistic) {
  switch (statistic) {
    case SloStatistic::kP75:
      return 0.75;
    case SloStatistic::kP95:
      return 0.95;
    default:
      return 0.99;
  }
}

void TakeMeasured(const TimeSummary& summary, SloStatistic statistic,
                  MeasuredPlacement& measured) {
  if (statistic == SloStatistic::kMean) {
    measured.measured = summary.mean;
    return;
  }
  const TimeQuantile& quantile = summary.At(QuantileOf(statistic));
  measured.measured = quantile.value;
  measured.low = quantile.low;
  measured.high = quantile.high;
}

MeasuredPlacement Evaluate(const LoadedPlacement& one,
                           const LoadSamples& samples) {
  const LoadSummary summary = SummarizeLoad(samples);
  MeasuredPlacement measured{.app = one.app->name,
                             .server = one.server->name,
                             .statistic = StatisticName(*one.app),
                             .predicted = one.placed->latency,
                             .predicted_high = one.placed->latency_high,
                             .requests = summary.counts.answered,
                             .saturated = summary.saturation.saturated()};
  if (one.app->slo) measured.limit = one.app->slo->limit;
  const bool sojourn = one.app->slo && one.app->slo->time == SloTime::kSojourn;
  const auto statistic =
      one.app->slo ? one.app->slo->statistic : SloStatistic::kMean;
  if (sojourn) {
    TakeMeasured(summary.sojourn, statistic, measured);
  } else if (summary.service) {
    TakeMeasured(*summary.service, statistic, measured);
  }
  if (measured.saturated) {
    measured.remark =
        "saturated: " + std::string(ToString(summary.saturation.sign));
  } else if (summary.counts.failed > 0) {
    measured.remark = Counted(summary.counts.failed, "request") + " failed";
  }
  return measured;
}

std::string TimeCell(const std::optional<Seconds>& time) {
  return time ? FormatSeconds(*time) : "";
}

Table MeasuredTable(const std::vector<MeasuredPlacement>& measured) {
  Table table({{"server"},
               {"app"},
               {"statistic"},
               {"predicted", Align::kRight},
               {"measured", Align::kRight},
               {"interval"},
               {"SLO", Align::kRight},
               {"met"},
               {"requests", Align::kRight},
               {"note"}});
  for (const MeasuredPlacement& one : measured) {
    const auto met = one.Met();
    table.AddRow({one.server, one.app, one.statistic, TimeCell(one.predicted),
                  TimeCell(one.measured),
                  one.low && one.high ? FormatSeconds(*one.low) + " to " +
                                            FormatSeconds(*one.high)
                                      : "",
                  TimeCell(one.limit), !met ? "" : (*met ? "yes" : "no"),
                  FormatCount(one.requests), one.remark});
  }
  return table;
}

}  // namespace

std::optional<bool> MeasuredPlacement::Met() const {
  if (!limit || (!measured && !saturated)) return std::nullopt;
  return !saturated && *measured <= *limit;
}

Result<std::vector<MeasuredPlacement>> MeasurePlan(
    const PlacementPlan& plan, const std::vector<HostedService>& services,
    const MeasurePlanRequest& request, const LoadDependencies& dependencies,
    std::stop_token stop) {
  std::vector<LoadedPlacement> placements;
  LoadPlan load;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) {
      auto app =
          std::ranges::find(plan.problem.apps, placed.app, &AppDemand::name);
      if (app == plan.problem.apps.end()) continue;
      placements.push_back(
          {.app = &*app, .server = &server, .placed = &placed});
      ASSIGN_OR_RETURN(LoadTarget target,
                       MakeTarget(placements.back(), services, request));
      load.targets.push_back(std::move(target));
    }
  }
  ASSIGN_OR_RETURN(std::vector<LoadSamples> samples,
                   RunLoad(load, dependencies, stop));
  std::vector<MeasuredPlacement> measured;
  for (size_t i = 0; i < samples.size(); ++i) {
    measured.push_back(Evaluate(placements[i], samples[i]));
  }
  return measured;
}

std::string MeasuredPlanText(const std::vector<MeasuredPlacement>& measured) {
  size_t violated = 0;
  size_t unknown = 0;
  for (const MeasuredPlacement& one : measured) {
    if (!one.limit) continue;
    const auto met = one.Met();
    if (!met) ++unknown;
    if (met && !*met) ++violated;
  }
  std::string text = fmt::format("{} violated", Counted(violated, "SLO"));
  if (unknown > 0) text += fmt::format(", {} could not be measured", unknown);
  return text + "\n\n" + MeasuredTable(measured).Text();
}

std::string MeasuredPlanCsv(const std::vector<MeasuredPlacement>& measured) {
  return MeasuredTable(measured).Csv();
}

Json MeasuredPlanToJson(const std::vector<MeasuredPlacement>& measured) {
  Json rows = Json::array();
  auto set = [](Json& row, const char* key,
                const std::optional<Seconds>& time) {
    if (time) row[key] = time->count();
  };
  for (const MeasuredPlacement& one : measured) {
    Json row{
        {"app", one.app}, {"server", one.server}, {"statistic", one.statistic}};
    set(row, "predicted_s", one.predicted);
    set(row, "predicted_high_s", one.predicted_high);
    set(row, "measured_s", one.measured);
    set(row, "low_s", one.low);
    set(row, "high_s", one.high);
    set(row, "slo_s", one.limit);
    if (auto met = one.Met()) row["met"] = *met;
    if (one.saturated) row["saturated"] = true;
    row["requests"] = one.requests;
    SetText(row, "note", one.remark);
    rows.push_back(std::move(row));
  }
  return Json{{"placements", std::move(rows)}};
}

}  // namespace mete
