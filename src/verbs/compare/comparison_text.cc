#include "compare/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/json.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// Wide enough for most command lines, and the table fits 80 columns.
constexpr size_t kNameWidth = 24;

std::string Times(double ratio) {
  if (ratio < 2) return fmt::format("{:.3f}", ratio);
  return ratio < 10 ? fmt::format("{:.2f}", ratio)
                    : fmt::format("{:.3g}", ratio);
}

std::string RatioSpan(double low, double high) {
  return fmt::format("{} to {}, 95 %", Times(low), Times(high));
}

std::string NameValues(ComparisonBasis basis, uint64_t count) {
  switch (basis) {
    case ComparisonBasis::kPairs:
      return Counted(count, "pair");
    case ComparisonBasis::kRuns:
      return Counted(count, "run");
    case ComparisonBasis::kInferences:
      return Counted(count, "inference");
  }
  return "";
}

std::string WhyNoInterval(const Comparison& comparison) {
  uint64_t fewest = std::min(comparison.first.values, comparison.second.values);
  return fmt::format("{} {} too few for an interval; 6 or more are needed",
                     NameValues(comparison.basis, fewest),
                     fewest == 1 ? "is" : "are");
}

std::string VerdictLine(const Comparison& comparison) {
  const RatioEstimate& ratio = comparison.ratio;
  if (!ratio.interval) {
    return fmt::format(
        "cannot tell which is faster: B took {} times as long as A, but {}",
        Times(ratio.ratio), WhyNoInterval(comparison));
  }
  auto [low, high] = *ratio.interval;
  switch (JudgeSpeed(ratio)) {
    case SpeedVerdict::kFaster:
      return fmt::format("B is faster: {} times as fast as A ({})",
                         Times(1 / ratio.ratio), RatioSpan(1 / high, 1 / low));
    case SpeedVerdict::kSlower:
      return fmt::format("B is slower: it takes {} times as long as A ({})",
                         Times(ratio.ratio), RatioSpan(low, high));
    case SpeedVerdict::kCannotTell:
      break;
  }
  return fmt::format(
      "cannot tell which is faster: B takes {} times as long as A ({})",
      Times(ratio.ratio), RatioSpan(low, high));
}

std::string MethodLine(const Comparison& comparison) {
  if (comparison.basis == ComparisonBasis::kPairs) {
    return fmt::format(
        "{}, A and B in turn; the ratio is the median of the pairs",
        Counted(comparison.first.values, "pair of runs", "pairs of runs"));
  }
  return "";
}

Table SideTable(const Comparison& comparison) {
  const char* counted =
      comparison.basis == ComparisonBasis::kInferences ? "inferences" : "runs";
  Table table({{""},
               {"workload"},
               {counted, Align::kRight},
               {"median", Align::kRight},
               {"95 % interval", Align::kRight},
               {"min", Align::kRight}});
  auto add = [&](const char* name, const ComparedSide& side) {
    const auto& interval = side.seconds.interval;
    table.AddRow({name, ShortenMiddle(side.what, kNameWidth),
                  FormatCount(side.values), FormatSeconds(side.seconds.median),
                  interval ? FormatSeconds(interval->low) + " to " +
                                 FormatSeconds(interval->high)
                           : "-",
                  FormatSeconds(side.min)});
  };
  add("A", comparison.first);
  add("B", comparison.second);
  return table;
}

Json SideJson(const ComparedSide& side) {
  Json json;
  json["workload"] = side.what;
  json["run_ids"] = side.run_ids;
  json["values"] = side.values;
  SetNumber(json, "p50", side.seconds.median);
  if (side.seconds.interval) {
    SetNumber(json, "p50_low", side.seconds.interval->low);
    SetNumber(json, "p50_high", side.seconds.interval->high);
  }
  SetNumber(json, "min", side.min);
  SetNumber(json, "max", side.max);
  return json;
}

std::string Cell(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string GateText(const Comparison& comparison, double allowed) {
  const auto& interval = comparison.ratio.interval;
  std::string bound = fmt::format("{:.4g} % slower is allowed", 100 * allowed);
  switch (JudgeGate(comparison.ratio, allowed)) {
    case GateVerdict::kPassed:
      return fmt::format("passed: B takes at most {} times as long as A; {}",
                         Times(interval->high), bound);
    case GateVerdict::kFailed:
      return fmt::format("failed: B takes at least {} times as long as A; {}",
                         Times(interval->low), bound);
    case GateVerdict::kUndecided:
      break;
  }
  if (!interval) return "cannot be decided: " + WhyNoInterval(comparison);
  return fmt::format(
      "cannot be decided: B takes {} to {} times as long as A, and {}; measure "
      "more runs",
      Times(interval->low), Times(interval->high), bound);
}

std::string ComparisonText(const ComparisonAnswer& answer) {
  const Comparison& comparison = answer.comparison;
  std::string text = Wrapped(VerdictLine(comparison));
  if (answer.allowed_slowdown) {
    text += Wrapped("gate " + GateText(comparison, *answer.allowed_slowdown));
  }
  text += "\n" + SideTable(comparison).Text() + "\n";
  text += Wrapped(MethodLine(comparison));
  for (const std::string& note : comparison.notes) {
    text += Wrapped("note: " + note);
  }
  return text;
}

Json ComparisonJson(const ComparisonAnswer& answer) {
  const Comparison& comparison = answer.comparison;
  Json json;
  json["a"] = SideJson(comparison.first);
  json["b"] = SideJson(comparison.second);
  json["basis"] = ToString(comparison.basis);
  SetNumber(json, "ratio", comparison.ratio.ratio);
  if (comparison.ratio.interval) {
    SetNumber(json, "ratio_low", comparison.ratio.interval->low);
    SetNumber(json, "ratio_high", comparison.ratio.interval->high);
    json["confidence"] = 0.95;
  }
  json["verdict"] = ToString(JudgeSpeed(comparison.ratio));
  if (answer.allowed_slowdown) {
    Json& gate = json["gate"];
    SetNumber(gate, "allowed_slowdown", *answer.allowed_slowdown);
    gate["verdict"] =
        ToString(JudgeGate(comparison.ratio, *answer.allowed_slowdown));
  }
  json["notes"] = comparison.notes;
  return json;
}

std::string ComparisonCsv(const ComparisonAnswer& answer) {
  const Comparison& comparison = answer.comparison;
  std::vector<Table::Column> columns;
  std::vector<std::string> cells;
  auto add = [&](const std::string& heading, std::string cell) {
    columns.push_back({heading});
    cells.push_back(std::move(cell));
  };
  auto add_side = [&](const std::string& name, const ComparedSide& side) {
    const auto& interval = side.seconds.interval;
    add(name, side.what);
    add(name + "_values", std::to_string(side.values));
    add(name + "_p50_seconds", Cell(side.seconds.median));
    add(name + "_p50_low_seconds",
        interval ? Cell(interval->low) : std::string());
    add(name + "_p50_high_seconds",
        interval ? Cell(interval->high) : std::string());
    add(name + "_min_seconds", Cell(side.min));
    add(name + "_max_seconds", Cell(side.max));
  };
  add_side("a", comparison.first);
  add_side("b", comparison.second);
  const auto& interval = comparison.ratio.interval;
  add("basis", std::string(ToString(comparison.basis)));
  add("ratio", Cell(comparison.ratio.ratio));
  add("ratio_low", interval ? Cell(interval->low) : std::string());
  add("ratio_high", interval ? Cell(interval->high) : std::string());
  add("verdict", std::string(ToString(JudgeSpeed(comparison.ratio))));
  add("gate", answer.allowed_slowdown
                  ? std::string(ToString(
                        JudgeGate(comparison.ratio, *answer.allowed_slowdown)))
                  : std::string());
  Table table(columns);
  table.AddRow(cells);
  return table.Csv();
}

}  // namespace mete
