#include "place/compare_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "place/rival_methods.h"
#include "support/json.h"
#include "support/table.h"
#include "support/units.h"

namespace mete {
namespace {

ComparedMethod Own(std::string name, PlacementMethod method,
                   bool strong_first = false) {
  return {
      .name = std::move(name),
      .place = [=](const PlaceAppsRequest& request,
                   const PlaceAppsDependencies& needs, std::stop_token stop) {
        PlaceAppsRequest changed = request;
        changed.method = method;
        changed.strong_first = strong_first;
        return PlaceApps(changed, needs, std::move(stop));
      }};
}

ComparedMethod Rival(RivalMethod method) {
  return {
      .name = std::string(ToString(method)),
      .rival = true,
      .place = [=](const PlaceAppsRequest& request,
                   const PlaceAppsDependencies& needs, std::stop_token stop) {
        return PlaceWithRival(method, request, needs, stop);
      }};
}

// The lowest upper bound of revenue that was proven for each problem.
std::map<std::string, double> BestBounds(
    const std::vector<MethodResult>& results) {
  std::map<std::string, double> bounds;
  for (const MethodResult& one : results) {
    if (!one.failure.empty()) continue;
    auto [found, is_new] = bounds.try_emplace(one.problem, one.worth.bound);
    if (!is_new) found->second = std::min(found->second, one.worth.bound);
  }
  return bounds;
}

// Absent for a plan that breaks constraints: more than the bound is possible
// then, and no distance to it means anything.
std::optional<double> GapTo(double bound, const MethodResult& result) {
  if (result.violations > 0) return std::nullopt;
  return bound > 0 ? std::max(0.0, 1 - result.worth.objective / bound) : 0;
}

std::string GapCell(const std::optional<double>& gap) {
  if (!gap) return "";
  return *gap < 1e-6 ? "optimal" : fmt::format("{:.2f} %", 100 * *gap);
}

// The prices of what is placed and keeps its SLO on every server.
double KeptRevenue(const PlacementPlan& plan) {
  std::set<std::string> missed;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) {
      auto app =
          std::ranges::find(plan.problem.apps, placed.app, &AppDemand::name);
      if (app == plan.problem.apps.end() || !app->slo) continue;
      const auto high =
          placed.latency_high ? placed.latency_high : placed.latency;
      if (!high || *high > app->slo->limit * (1 + 1e-6)) {
        missed.insert(placed.app);
      }
    }
  }
  double revenue = 0;
  const std::vector<std::string> placed = PlacedApps(plan);
  const std::set<std::string> all(placed.begin(), placed.end());
  for (const AppDemand& app : plan.problem.apps) {
    if (all.contains(app.name) && !missed.contains(app.name)) {
      revenue += app.price;
    }
  }
  return revenue;
}

Table MethodTable(const std::vector<MethodResult>& results) {
  Table table({{"problem"},
               {"method"},
               {"revenue", Align::kRight},
               {"kept", Align::kRight},
               {"placed", Align::kRight},
               {"accepted", Align::kRight},
               {"gap", Align::kRight},
               {"time", Align::kRight},
               {"violations", Align::kRight}});
  const auto bounds = BestBounds(results);
  for (const MethodResult& one : results) {
    if (!one.failure.empty()) {
      table.AddRow(
          {one.problem, one.method, one.failure, "", "", "", "", "", ""});
      continue;
    }
    table.AddRow({one.problem, one.method,
                  fmt::format("{:.2f}", one.worth.revenue),
                  fmt::format("{:.2f}", one.kept),
                  fmt::format("{}/{}", one.worth.placed, one.apps),
                  fmt::format("{:.1f} %", 100.0 * one.worth.placed / one.apps),
                  GapCell(GapTo(bounds.at(one.problem), one)),
                  FormatSeconds(one.elapsed), std::to_string(one.violations)});
  }
  return table;
}

// Sums of one method over the problems that it solved.
struct MethodSums {
  int problems = 0;
  double revenue = 0;
  double kept = 0;
  double accepted = 0;
  std::optional<double> gap = 0;  // absent if one of them has none
  Seconds elapsed{0};
  int violations = 0;
};

std::string MeansText(const std::vector<MethodResult>& results) {
  const auto bounds = BestBounds(results);
  if (bounds.size() < 2) return "";
  std::vector<std::string> order;
  std::map<std::string, MethodSums> sums;
  for (const MethodResult& one : results) {
    if (!one.failure.empty()) continue;
    if (!sums.contains(one.method)) order.push_back(one.method);
    MethodSums& sum = sums[one.method];
    ++sum.problems;
    sum.revenue += one.worth.revenue;
    sum.kept += one.kept;
    sum.accepted += double(one.worth.placed) / one.apps;
    const auto gap = GapTo(bounds.at(one.problem), one);
    sum.gap = gap && sum.gap ? std::optional(*sum.gap + *gap) : std::nullopt;
    sum.elapsed += one.elapsed;
    sum.violations += one.violations;
  }
  Table table({{"mean of"},
               {"method"},
               {"revenue", Align::kRight},
               {"kept", Align::kRight},
               {"accepted", Align::kRight},
               {"gap", Align::kRight},
               {"time", Align::kRight},
               {"violations", Align::kRight}});
  for (const std::string& name : order) {
    const MethodSums& sum = sums.at(name);
    const double n = sum.problems;
    table.AddRow({std::to_string(sum.problems), name,
                  fmt::format("{:.2f}", sum.revenue / n),
                  fmt::format("{:.2f}", sum.kept / n),
                  fmt::format("{:.1f} %", 100 * sum.accepted / n),
                  sum.gap ? fmt::format("{:.2f} %", 100 * *sum.gap / n) : "",
                  FormatSeconds(sum.elapsed / n),
                  std::to_string(sum.violations)});
  }
  return "\n" + table.Text();
}

}  // namespace

std::vector<ComparedMethod> ComparedMethods() {
  return {Own("greedy", PlacementMethod::kGreedy),
          Own("sequential (low)", PlacementMethod::kSequential),
          Own("sequential (high)", PlacementMethod::kSequential, true),
          Rival(RivalMethod::kScalOranSum),
          Rival(RivalMethod::kScalOranMean),
          Rival(RivalMethod::kAppAgnostic),
          Rival(RivalMethod::kPerx),
          Own("fast", PlacementMethod::kFast),
          Own("exact", PlacementMethod::kExact)};
}

std::vector<MethodResult> CompareMethods(
    const std::string& problem, const PlaceAppsRequest& request,
    const PlaceAppsDependencies& needs,
    const std::vector<ComparedMethod>& methods, std::stop_token stop) {
  std::vector<MethodResult> results;
  for (const ComparedMethod& method : methods) {
    if (stop.stop_requested()) break;
    MethodResult result{.problem = problem,
                        .method = method.name,
                        .rival = method.rival,
                        .apps = static_cast<int>(request.problem.apps.size())};
    auto plan = method.place(request, needs, stop);
    if (plan.ok()) {
      result.worth = plan->worth;
      result.violations =
          static_cast<int>(plan->verification.violations.size());
      result.elapsed = plan->elapsed;
      result.kept = KeptRevenue(*plan);
    } else {
      result.failure = plan.error().message();
    }
    results.push_back(std::move(result));
  }
  return results;
}

std::string MethodsText(const std::vector<MethodResult>& results) {
  return MethodTable(results).Text() + MeansText(results);
}

std::string MethodsCsv(const std::vector<MethodResult>& results) {
  return MethodTable(results).Csv();
}

Json MethodsToJson(const std::vector<MethodResult>& results) {
  const auto bounds = BestBounds(results);
  Json rows = Json::array();
  for (const MethodResult& one : results) {
    Json row{{"problem", one.problem}, {"method", one.method}};
    if (one.failure.empty()) {
      row["revenue"] = one.worth.revenue;
      row["kept_revenue"] = one.kept;
      row["placed"] = one.worth.placed;
      row["apps"] = one.apps;
      row["bound"] = one.worth.bound;
      row["best_bound"] = bounds.at(one.problem);
      SetNumber(row, "gap", GapTo(bounds.at(one.problem), one));
      row["optimal"] = one.worth.optimal;
      row["cut_short"] = one.worth.cut_short;
      row["elapsed_s"] = one.elapsed.count();
      row["violations"] = one.violations;
    } else {
      row["failure"] = one.failure;
    }
    rows.push_back(std::move(row));
  }
  return Json{{"results", std::move(rows)}};
}

}  // namespace mete
