#include "trial/trial_text.h"

#include <fmt/format.h>

#include "support/json.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

bool IsLatency(const TrialResult& result) {
  return result.objective == TrialObjective::kLatency;
}

// The estimate that decides.
const std::optional<MeanEstimate>& Decisive(const TrialResult& result,
                                            const TrialEntry& entry) {
  return result.objective == TrialObjective::kCost ? entry.cost : entry.value;
}

std::string FormatValue(const TrialResult& result, double value) {
  return IsLatency(result) ? FormatSeconds(value)
                           : fmt::format("{:.4g}", value);
}

std::string FormatDecisive(const TrialResult& result, double value) {
  switch (result.objective) {
    case TrialObjective::kThroughput:
      return fmt::format("{:.4g} steps/s", value);
    case TrialObjective::kLatency:
      return FormatSeconds(value) + " per step";
    case TrialObjective::kCost:
      break;
  }
  return fmt::format("{:.4g} per 1,000 steps", value);
}

std::string SpanText(const TrialResult& result, const MeanEstimate& estimate) {
  if (!estimate.interval) return "";
  return fmt::format("{} to {}", FormatValue(result, estimate.interval->low),
                     FormatValue(result, estimate.interval->high));
}

std::string BestText(const TrialResult& result) {
  const TrialEntry& best = result.entries.front();
  const MeanEstimate& value = *Decisive(result, best);
  std::string text =
      fmt::format("{}: {}", best.label, FormatDecisive(result, value.mean));
  if (value.interval) {
    text += fmt::format(" ({}, 95 %)", SpanText(result, value));
  }
  return text;
}

std::string AnswerLine(const TrialResult& result) {
  if (result.entries.empty() || !Decisive(result, result.entries.front())) {
    return result.interrupted ? "interrupted before any variant had a result"
                              : "no variant worked";
  }
  if (result.decided) return "best is " + BestText(result);
  return fmt::format("cannot tell which is best; the best mean has {}",
                     BestText(result));
}

Table VariantTable(const TrialResult& result) {
  bool costs = false;
  bool efficiencies = false;
  for (const TrialEntry& entry : result.entries) {
    costs |= entry.cost.has_value();
    efficiencies |= entry.efficiency.has_value();
  }
  std::vector<Table::Column> columns = {
      {"variant"},
      {IsLatency(result) ? "per step" : "steps/s", Align::kRight},
      {"95 % interval", Align::kRight}};
  if (efficiencies) columns.push_back({"efficiency", Align::kRight});
  if (costs) columns.push_back({"cost/1000", Align::kRight});
  columns.insert(columns.end(), {{"runs", Align::kRight}, {"remark"}});
  Table table(std::move(columns));
  for (const TrialEntry& entry : result.entries) {
    std::vector<std::string> cells = {
        ShortenMiddle(entry.label, 28),
        entry.value ? FormatValue(result, entry.value->mean) : "",
        entry.value ? SpanText(result, *entry.value) : ""};
    if (efficiencies) {
      cells.push_back(entry.efficiency
                          ? fmt::format("{:.0f} %", 100 * *entry.efficiency)
                          : "");
    }
    if (costs) {
      cells.push_back(entry.cost ? fmt::format("{:.3g}", entry.cost->mean)
                                 : "");
    }
    cells.push_back(std::to_string(entry.run_ids.size()));
    cells.push_back(ShortenMiddle(entry.failure, 40));
    table.AddRow(std::move(cells));
  }
  return table;
}

Json EstimateJson(const MeanEstimate& estimate) {
  Json json = {{"mean", estimate.mean}};
  if (estimate.interval) {
    json["low"] = estimate.interval->low;
    json["high"] = estimate.interval->high;
  }
  return json;
}

Json EntryJson(const TrialResult& result, const TrialEntry& entry) {
  Json json = {{"variant", entry.label}, {"run_ids", entry.run_ids}};
  if (entry.value) {
    json[IsLatency(result) ? "seconds_per_step" : "steps_per_second"] =
        EstimateJson(*entry.value);
  }
  if (entry.cost) json["cost_per_1000_steps"] = EstimateJson(*entry.cost);
  if (entry.efficiency) json["efficiency"] = *entry.efficiency;
  if (!entry.failure.empty()) json["failure"] = entry.failure;
  return json;
}

}  // namespace

std::string TrialText(const TrialResult& result) {
  std::string text = Wrapped(AnswerLine(result)) + "\n";
  text += VariantTable(result).Text();
  if (result.interrupted) text += "\ninterrupted; all runs so far are stored\n";
  for (const std::string& note : result.notes) {
    text += "\n" + Wrapped("note: " + note);
  }
  return text;
}

Json TrialJson(const TrialResult& result) {
  Json json = {{"objective", ToString(result.objective)},
               {"decided", result.decided},
               {"interrupted", result.interrupted},
               {"seconds", result.spent.count()},
               {"variants", Json::array()},
               {"notes", result.notes}};
  for (const TrialEntry& entry : result.entries) {
    json["variants"].push_back(EntryJson(result, entry));
  }
  if (result.decided) json["winner"] = result.entries.front().label;
  return json;
}

std::string TrialCsv(const TrialResult& result) {
  Table table({{"variant"},
               {IsLatency(result) ? "seconds_per_step" : "steps_per_second"},
               {"low"},
               {"high"},
               {"efficiency"},
               {"cost_per_1000_steps"},
               {"runs"},
               {"failure"}});
  auto number = [](double value) { return fmt::format("{:.17g}", value); };
  for (const TrialEntry& entry : result.entries) {
    const auto& value = entry.value;
    bool interval = value && value->interval;
    table.AddRow({entry.label, value ? number(value->mean) : "",
                  interval ? number(value->interval->low) : "",
                  interval ? number(value->interval->high) : "",
                  entry.efficiency ? number(*entry.efficiency) : "",
                  entry.cost ? number(entry.cost->mean) : "",
                  std::to_string(entry.run_ids.size()), entry.failure});
  }
  return table.Csv();
}

}  // namespace mete
