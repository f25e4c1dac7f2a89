#include "place/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/csv.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// More rejections than this are counted; -o json lists all.
constexpr size_t kMostRejections = 20;

const AppDemand& DemandOf(const PlacementPlan& plan, const std::string& name) {
  static const AppDemand kUnknown;
  auto found = std::ranges::find(plan.problem.apps, name, &AppDemand::name);
  return found == plan.problem.apps.end() ? kUnknown : *found;
}

int CountServers(const PlacementPlan& plan) {
  int count = 0;
  for (const ServerType& type : plan.problem.servers) count += type.count;
  return count;
}

std::string LatencyText(const PlacedInstances& placed) {
  if (!placed.latency) return placed.saturated ? "saturated" : "";
  if (placed.saturated) {
    return "saturated: at least " + FormatSeconds(*placed.latency);
  }
  if (!placed.latency_high) return FormatSeconds(*placed.latency);
  return fmt::format("{} (to {})", FormatSeconds(*placed.latency),
                     FormatSeconds(*placed.latency_high));
}

std::string SloCell(const AppDemand& app) {
  if (!app.slo) return "";
  return fmt::format(
      "{}{} {}", app.slo->time == SloTime::kSojourn ? "sojourn " : "",
      ToString(app.slo->statistic), FormatSeconds(app.slo->limit));
}

std::string PlacedTable(const PlacementPlan& plan) {
  Table table({{"server"},
               {"app"},
               {"instances", Align::kRight},
               {"latency", Align::kRight},
               {"SLO", Align::kRight}});
  for (const PlannedServer& server : plan.servers) {
    std::string name = server.name;
    for (const PlacedInstances& placed : server.apps) {
      table.AddRow({name, placed.app, std::to_string(placed.instances),
                    LatencyText(placed), SloCell(DemandOf(plan, placed.app))});
      name.clear();  // once per server
    }
  }
  return table.Text();
}

std::string RejectionLine(const Rejection& one) {
  std::string line = fmt::format("{}: {}", one.app, one.reason);
  if (!one.remedy.empty())
    line += fmt::format("; would fit with {}", one.remedy);
  return Wrapped(line);
}

std::string RejectedText(const PlacementPlan& plan) {
  std::string text =
      fmt::format("\nrejected: {}\n", Counted(plan.rejected.size(), "app"));
  const size_t shown = std::min(plan.rejected.size(), kMostRejections);
  for (size_t i = 0; i < shown; ++i) text += RejectionLine(plan.rejected[i]);
  if (shown < plan.rejected.size()) {
    text += fmt::format("and {} more; -o json lists all\n",
                        plan.rejected.size() - shown);
  }
  return text;
}

// Where an application runs: "a-1 x2, b-1".
std::map<std::string, std::string> PlacesByApp(const PlacementPlan& plan) {
  std::map<std::string, std::string> places;
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) {
      std::string& text = places[placed.app];
      text += text.empty() ? server.name : ", " + server.name;
      if (placed.instances > 1) text += fmt::format(" x{}", placed.instances);
    }
  }
  return places;
}

std::string DifferenceText(const std::vector<NamedPlan>& plans) {
  std::vector<Table::Column> columns = {{"app"}};
  std::vector<std::map<std::string, std::string>> places;
  std::set<std::string> apps;
  for (const NamedPlan& one : plans) {
    columns.push_back({one.name});
    places.push_back(PlacesByApp(one.plan));
    for (const AppDemand& app : one.plan.problem.apps) apps.insert(app.name);
  }
  Table table(columns);
  for (const std::string& app : apps) {
    std::vector<std::string> row = {app};
    for (auto& by_app : places) {
      const std::string& place = by_app[app];
      row.push_back(place.empty() ? "-" : place);
    }
    bool same = std::all_of(row.begin() + 1, row.end(),
                            [&](const auto& cell) { return cell == row[1]; });
    if (!same) table.AddRow(std::move(row));
  }
  if (table.size() == 0) return "every app runs on the same servers\n";
  return table.Text();
}

}  // namespace

std::string ObjectiveText(PlacementObjective objective, double value) {
  switch (objective) {
    case PlacementObjective::kRevenue:
      return fmt::format("{:.2f}", value);
    case PlacementObjective::kLatency:
      return fmt::format("{:.1f} % of the SLO", 100 * value);
    case PlacementObjective::kEnergy:
      return fmt::format("{:.1f} W", value);
    case PlacementObjective::kServers:
      return fmt::format("{:.4g} servers", value);
  }
  return "";
}

std::string PlanHeadline(const PlacementPlan& plan) {
  std::string text = fmt::format(
      "placed {} of {} on {} of {}, revenue {:.2f}", plan.worth.placed,
      Counted(plan.problem.apps.size(), "app"), plan.worth.servers,
      Counted(uint64_t(CountServers(plan)), "server"), plan.worth.revenue);
  if (plan.worth.power) {
    text += fmt::format(", {:.1f} W", plan.worth.power->count);
  }
  if (plan.worth.moves > 0) {
    text += ", " + Counted(uint64_t(plan.worth.moves), "move");
  }
  return text;
}

std::string PlanProof(const PlacementPlan& plan) {
  const PlanWorth& worth = plan.worth;
  const bool weighted = std::ranges::any_of(
      plan.problem.apps,
      [](const AppDemand& app) { return app.priority != 0; });
  std::string text =
      fmt::format("objective {}{}: {}", ToString(plan.objective),
                  weighted ? ", weighted by priority" : "",
                  ObjectiveText(plan.objective, worth.objective));
  if (worth.optimal) {
    text += ", proven optimal (gap 0 %)";
  } else {
    const bool most = plan.objective == PlacementObjective::kRevenue;
    text += fmt::format(
        ", proven {} {} (gap {:.2f} %)", most ? "at most" : "at least",
        ObjectiveText(plan.objective, worth.bound), 100 * worth.gap);
  }
  text += fmt::format("; method {}, {}, seed {}", ToString(plan.method),
                      FormatSeconds(plan.elapsed), plan.seed);
  if (worth.cut_short) {
    text += fmt::format(
        "; cut short (limit {}), so another run may give another plan",
        FormatSeconds(plan.time_limit));
  }
  return text;
}

std::string VerificationText(const PlanVerification& verification) {
  std::string text = fmt::format(
      "verified: {} checked, {}",
      Counted(uint64_t(verification.checks), "constraint"),
      verification.good()
          ? "none violated"
          : fmt::format("{} violated", verification.violations.size()));
  for (const std::string& one : verification.violations) text += "\n  " + one;
  return text;
}

std::string PlanText(const PlacementPlan& plan) {
  std::string text = Wrapped(PlanHeadline(plan)) + Wrapped(PlanProof(plan)) +
                     VerificationText(plan.verification) + "\n";
  if (!plan.servers.empty()) text += "\n" + PlacedTable(plan);
  if (!plan.rejected.empty()) text += RejectedText(plan);
  return text;
}

std::string PlanCsv(const PlacementPlan& plan) {
  Table table({{"server"},
               {"type"},
               {"app"},
               {"application"},
               {"instances"},
               {"rate"},
               {"price"},
               {"latency_s"},
               {"latency_high_s"},
               {"slo_s"},
               {"rejected"},
               {"saturated"}});
  auto seconds = [](const std::optional<Seconds>& time) {
    return time ? fmt::format("{}", time->count()) : std::string();
  };
  auto row = [&](const PlannedServer& server, const PlacedInstances& placed,
                 const std::string& reason) {
    const AppDemand& app = DemandOf(plan, placed.app);
    table.AddRow({server.name, server.type, app.name, app.application,
                  std::to_string(placed.instances), fmt::format("{}", app.rate),
                  fmt::format("{}", app.price), seconds(placed.latency),
                  seconds(placed.latency_high),
                  app.slo ? seconds(app.slo->limit) : "", reason,
                  placed.saturated ? "true" : ""});
  };
  for (const PlannedServer& server : plan.servers) {
    for (const PlacedInstances& placed : server.apps) row(server, placed, "");
  }
  for (const Rejection& one : plan.rejected) {
    row({}, {.app = one.app, .instances = 0}, one.reason);
  }
  return table.Csv();
}

namespace {

Table CompareTable(const std::vector<NamedPlan>& plans) {
  Table table({{"plan"},
               {"method"},
               {"objective"},
               {"bound"},
               {"gap", Align::kRight},
               {"revenue", Align::kRight},
               {"placed", Align::kRight},
               {"servers", Align::kRight},
               {"tightest", Align::kRight},
               {"moves", Align::kRight},
               {"violations", Align::kRight},
               {"time", Align::kRight}});
  for (const NamedPlan& one : plans) {
    const PlanWorth& worth = one.plan.worth;
    table.AddRow(
        {one.name, std::string(ToString(one.plan.method)),
         ObjectiveText(one.plan.objective, worth.objective),
         ObjectiveText(one.plan.objective, worth.bound),
         fmt::format("{:.2f} %", 100 * worth.gap),
         fmt::format("{:.2f}", worth.revenue),
         fmt::format("{}/{}", worth.placed, one.plan.problem.apps.size()),
         std::to_string(worth.servers),
         worth.tightest ? fmt::format("{:.0f} %", 100 * *worth.tightest) : "",
         std::to_string(worth.moves),
         std::to_string(one.plan.verification.violations.size()),
         FormatSeconds(one.plan.elapsed)});
  }
  return table;
}

}  // namespace

std::string ComparePlansText(const std::vector<NamedPlan>& plans) {
  return CompareTable(plans).Text() + "\n" + DifferenceText(plans);
}

std::string ComparePlansCsv(const std::vector<NamedPlan>& plans) {
  return CompareTable(plans).Csv();
}

}  // namespace mete
