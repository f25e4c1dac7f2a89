// Comparisons of predictors as text for a terminal, CSV and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "contention/comparison.h"
#include "support/json.h"
#include "support/table.h"
#include "support/units.h"

namespace mete {
namespace {

std::string ShareText(std::optional<double> share) {
  if (!share) return "-";
  // 650 % and 6.5 %: two or three digits.
  return fmt::format("{:.{}f} %", 100 * *share, *share < 0.0995 ? 1 : 0);
}

std::optional<double> MedianOf(const std::optional<ContentionErrors>& errors) {
  if (!errors) return std::nullopt;
  return errors->median;
}

std::string MethodsText(const std::vector<ContentionScore>& scores,
                        TimeKind kind) {
  Table table({{fmt::format("{} times", ToString(kind))},
               {"median", Align::kRight},
               {"mean", Align::kRight},
               {"<10 %", Align::kRight},
               {"<25 %", Align::kRight},
               {"pinball", Align::kRight},
               {"covered", Align::kRight},
               {"near SLO", Align::kRight},
               {"saturated", Align::kRight}});
  for (const ContentionScore& one : scores) {
    if (!one.all) {
      table.AddRow({one.method, "-", "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    table.AddRow(
        {one.method, ShareText(one.all->median), ShareText(one.all->mean),
         ShareText(one.all->within_10), ShareText(one.all->within_25),
         fmt::format("{:.3f}", one.all->pinball), ShareText(one.coverage),
         ShareText(MedianOf(one.near_objective)),
         ShareText(MedianOf(one.saturated))});
  }
  return table.Text();
}

// Median errors of some methods: a row for each application.
std::string ApplicationsText(std::span<const ContentionScore> scores,
                             TimeKind kind) {
  std::vector<Table::Column> columns{
      {fmt::format("median, {}", ToString(kind))}};
  std::set<std::string> names;
  for (const ContentionScore& one : scores) {
    columns.push_back({one.method, Align::kRight});
    for (const auto& [name, errors] : one.by_application) names.insert(name);
  }
  Table table(columns);
  for (const std::string& name : names) {
    std::vector<std::string> cells{name};
    for (const ContentionScore& one : scores) {
      auto found = one.by_application.find(name);
      cells.push_back(found == one.by_application.end()
                          ? "-"
                          : ShareText(found->second.median));
    }
    table.AddRow(std::move(cells));
  }
  return table.Text();
}

// At most four methods side by side fit 80 columns.
constexpr size_t kMethodsPerTable = 4;
std::string AllApplicationsText(std::span<const ContentionScore> scores,
                                TimeKind kind) {
  std::string text;
  for (size_t from = 0; from < scores.size(); from += kMethodsPerTable) {
    const size_t count = std::min(kMethodsPerTable, scores.size() - from);
    text += "\n" + ApplicationsText(scores.subspan(from, count), kind);
  }
  return text;
}

// Empty if no method tells saturated tenants from stable ones.
std::string SaturationText(const std::vector<ContentionScore>& scores) {
  Table table({{"saturation"},
               {"recognized", Align::kRight},
               {"false alarms", Align::kRight},
               {"bounds kept", Align::kRight}});
  bool any = false;
  auto part = [](size_t some, size_t all) {
    return all == 0 ? "-" : fmt::format("{} of {}", some, all);
  };
  for (const ContentionScore& one : scores) {
    if (!one.saturation) continue;
    any = true;
    const SaturationScore& score = *one.saturation;
    table.AddRow({one.method, part(score.recognized, score.saturated),
                  part(score.false_alarms, score.stable),
                  part(score.held, score.bounds)});
  }
  return any ? "\n" + table.Text() : "";
}

std::string MixesText(const std::vector<ContentionScore>& scores) {
  Table table(
      {{"training"}, {"time", Align::kRight}, {"mixes <25 %", Align::kRight}});
  for (const ContentionScore& one : scores) {
    table.AddRow({one.method, FormatSeconds(one.training_s),
                  ShareText(one.mixes_within_25)});
  }
  return table.Text();
}

Json ContentionErrorsToJson(const ContentionErrors& errors) {
  return {{"times", errors.times},
          {"bounds", errors.bounds},
          {"median_relative", errors.median},
          {"mean_relative", errors.mean},
          {"within_10_percent", errors.within_10},
          {"within_25_percent", errors.within_25},
          {"pinball_log", errors.pinball}};
}

Json ScoreToJson(const ContentionScore& score) {
  Json json{{"method", score.method}};
  if (score.all) json["stable"] = ContentionErrorsToJson(*score.all);
  if (score.near_objective) {
    json["near_objective"] = ContentionErrorsToJson(*score.near_objective);
  }
  if (score.saturated) {
    json["saturated"] = ContentionErrorsToJson(*score.saturated);
  }
  SetNumber(json, "mixes_within_25_percent", score.mixes_within_25);
  SetNumber(json, "coverage", score.coverage);
  if (score.saturation) {
    json["saturation"] = {{"saturated", score.saturation->saturated},
                          {"recognized", score.saturation->recognized},
                          {"stable", score.saturation->stable},
                          {"false_alarms", score.saturation->false_alarms},
                          {"bounds", score.saturation->bounds},
                          {"held", score.saturation->held}};
  }
  json["training_s"] = score.training_s;
  for (const auto& [name, errors] : score.by_application) {
    json["applications"][name] = ContentionErrorsToJson(errors);
  }
  return json;
}

}  // namespace

std::string ComparisonText(const ContentionComparison& comparison) {
  std::string text = fmt::format(
      "Trained on {}, tested on {} held out with seed {}.\n"
      "Relative errors of mean, p75 and p95.\n",
      Counted(comparison.training_mixes, "mix", "mixes"),
      Counted(comparison.test_mixes, "mix", "mixes"), comparison.seed);
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    const auto& scores = comparison.scores[kind];
    text += "\n" + MethodsText(scores, static_cast<TimeKind>(kind));
    text += AllApplicationsText(scores, static_cast<TimeKind>(kind));
  }
  text += SaturationText(comparison.scores[size_t(TimeKind::kSojourn)]);
  return text + "\n" + MixesText(comparison.scores[0]);
}

std::string ComparisonCsv(const ContentionComparison& comparison) {
  Table table({{"method"},
               {"times"},
               {"application"},
               {"rows"},
               {"median_relative"},
               {"mean_relative"},
               {"within_10_percent"},
               {"within_25_percent"},
               {"pinball_log"},
               {"training_s"}});
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    for (const ContentionScore& one : comparison.scores[kind]) {
      auto add = [&](const std::string& name, const ContentionErrors& errors) {
        table.AddRow({one.method,
                      std::string(ToString(static_cast<TimeKind>(kind))), name,
                      fmt::to_string(errors.times),
                      fmt::format("{:.6g}", errors.median),
                      fmt::format("{:.6g}", errors.mean),
                      fmt::format("{:.6g}", errors.within_10),
                      fmt::format("{:.6g}", errors.within_25),
                      fmt::format("{:.6g}", errors.pinball),
                      fmt::format("{:.6g}", one.training_s)});
      };
      if (one.all) add("", *one.all);
      for (const auto& [name, errors] : one.by_application) add(name, errors);
    }
  }
  return table.Csv();
}

Json ComparisonToJson(const ContentionComparison& comparison) {
  Json json{{"seed", comparison.seed},
            {"training_mixes", comparison.training_mixes},
            {"test_mixes", comparison.test_mixes}};
  for (size_t kind = 0; kind < kTimeKinds; ++kind) {
    Json& list = json[std::string(ToString(static_cast<TimeKind>(kind)))] =
        Json::array();
    for (const ContentionScore& one : comparison.scores[kind]) {
      list.push_back(ScoreToJson(one));
    }
  }
  return json;
}

}  // namespace mete
