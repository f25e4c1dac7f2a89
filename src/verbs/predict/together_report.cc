// What services see side by side, as text for a terminal, CSV and JSON.
#include <fmt/format.h>

#include "predict/together.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// "12.3 ms (11.0 ms to 14.1 ms)"
std::string TimeText(const std::optional<PredictedTime>& time) {
  if (!time) return "-";
  if (time->at_least) {
    return "saturated: at least " + FormatSeconds(time->Least());
  }
  std::string text = FormatSeconds(time->time);
  if (time->low && time->high) {
    text += fmt::format(" ({} to {})", FormatSeconds(*time->low),
                        FormatSeconds(*time->high));
  }
  return text;
}

std::string TenantText(const Tenant& tenant) {
  return fmt::format("{}:{}@{:.4g}/s", tenant.application, tenant.instances,
                     tenant.rate);
}

Json TimesToJson(const TenantTimes& times) {
  Json json = Json::object();
  for (const TimeLabel& label : AllTimeLabels()) {
    const auto& time = times.Get(label);
    if (!time) continue;
    Json one = Json::object();
    if (time->at_least) {
      one["at_least"] = time->Least().count();
    } else {
      one["seconds"] = time->time.count();
      if (time->low) one["low"] = time->low->count();
      if (time->high) one["high"] = time->high->count();
    }
    json[std::string(ToString(label.kind))]
        [std::string(ToString(label.statistic))] = std::move(one);
  }
  return json;
}

std::string Cell(const std::optional<Seconds>& time) {
  return time ? fmt::format("{:.6g}", time->count()) : "";
}

// Why some tenants have no upper end, and what it means.
std::string SaturatedText(const TogetherAnswer& answer) {
  std::vector<std::string> names;
  for (const TenantAnswer& one : answer.tenants) {
    if (one.together.saturated) names.push_back(TenantText(one.tenant));
  }
  if (names.empty()) return "";
  return "\n" +
         Wrapped(fmt::format("{} would be busier than any service that kept up "
                             "in the training: requests pile up, so times "
                             "depend on how long the load lasts.",
                             fmt::join(names, ", ")));
}

}  // namespace

std::string TogetherText(const TogetherAnswer& answer) {
  std::string text = fmt::format("{} ({}", answer.device, answer.method);
  if (answer.median_error) {
    text += fmt::format(", median error {:.0f} % on held-out mixes",
                        100 * *answer.median_error);
  }
  text += ")\n\n";
  Table table({{"service"},
               {"slowdown", Align::kRight},
               {"mean service time"},
               {"p95 of its clients"}});
  for (const TenantAnswer& one : answer.tenants) {
    table.AddRow(
        {TenantText(one.tenant),
         one.slowdown ? fmt::format("{:.2f}", *one.slowdown) : "-",
         TimeText(one.together.Get({})),
         TimeText(one.together.Get(
             {.kind = TimeKind::kSojourn, .statistic = TimeStatistic::kP95}))});
  }
  text += table.Text() + SaturatedText(answer);
  if (!answer.bully) return text;
  const Tenant& bully = answer.tenants[answer.bully->tenant].tenant;
  text +=
      fmt::format("\nWithout {}, the others would be {:.2f} times as fast.\n",
                  TenantText(bully), answer.bully->relief);
  return text;
}

std::string TogetherCsv(const TogetherAnswer& answer) {
  Table table({{"application"},
               {"instances"},
               {"rate"},
               {"time"},
               {"together_s"},
               {"low_s"},
               {"high_s"},
               {"alone_s"},
               {"at_least_s"}});
  for (const TenantAnswer& one : answer.tenants) {
    for (const TimeLabel& label : AllTimeLabels()) {
      const auto& time = one.together.Get(label);
      if (!time) continue;
      const auto& alone = one.alone.Get(label);
      std::vector<std::string> cells{
          one.tenant.application, fmt::to_string(one.tenant.instances),
          fmt::format("{:.6g}", one.tenant.rate), ToString(label)};
      const bool value = !time->at_least;
      cells.push_back(value ? Cell(time->time) : "");
      cells.push_back(value ? Cell(time->low) : "");
      cells.push_back(Cell(time->high));
      cells.push_back(alone && !alone->at_least ? Cell(alone->time) : "");
      cells.push_back(value ? "" : Cell(time->Least()));
      table.AddRow(std::move(cells));
    }
  }
  return table.Csv();
}

Json TogetherToJson(const TogetherAnswer& answer) {
  Json json{{"device", answer.device}, {"method", answer.method}};
  SetNumber(json, "median_relative_error", answer.median_error);
  Json& tenants = json["tenants"] = Json::array();
  for (const TenantAnswer& one : answer.tenants) {
    Json tenant{{"application", one.tenant.application},
                {"instances", one.tenant.instances},
                {"rate", one.tenant.rate},
                {"saturated", one.together.saturated},
                {"together", TimesToJson(one.together)},
                {"alone", TimesToJson(one.alone)}};
    SetNumber(tenant, "slowdown", one.slowdown);
    tenants.push_back(std::move(tenant));
  }
  if (answer.bully) {
    json["bully"] = {{"application",
                      answer.tenants[answer.bully->tenant].tenant.application},
                     {"tenant", answer.bully->tenant},
                     {"relief", answer.bully->relief}};
  }
  return json;
}

}  // namespace mete
