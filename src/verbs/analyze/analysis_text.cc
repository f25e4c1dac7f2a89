#include "analyze/analysis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyze/duration_text.h"
#include "support/clock.h"
#include "support/csv.h"
#include "support/json.h"
#include "support/table.h"

namespace mete {
namespace {

constexpr size_t kForecastRows = 8;

std::string Value(double value) { return fmt::format("{:.4g}", value); }

// "seasonal naive" for "seasonal_naive".
std::string Spaced(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string PeriodsText(const SeriesAnalysis& analysis) {
  if (analysis.periods.empty()) return "no period\n";
  Table table({{"period", Align::kRight},
               {"cycles", Align::kRight},
               {"confidence", Align::kRight},
               {"explains", Align::kRight},
               {"note"}});
  for (const SeriesPeriod& period : analysis.periods) {
    // Alnair's rule has no confidence.
    const bool judged = period.confidence > 0;
    table.AddRow(
        {DurationText(period.length), fmt::format("{:.1f}", period.cycles),
         judged ? fmt::format("{:.2f}", period.confidence) : "",
         judged ? fmt::format("{:.0f} %", 100 * period.strength) : "",
         period.tentative ? "tentative: fewer than three cycles" : ""});
  }
  return table.Text();
}

std::string TrendSentence(const SeriesTrend& trend) {
  constexpr double kADay = 86400;
  const std::string interval = fmt::format(
      "95 %: {} to {}", Value(trend.low * kADay), Value(trend.high * kADay));
  if (!trend.significant) return "trend: none (" + interval + " a day)";
  return fmt::format("trend: {}{} a day ({})", trend.per_second > 0 ? "+" : "",
                     Value(trend.per_second * kADay), interval);
}

std::string ForecastSentence(const SeriesForecast& forecast) {
  std::string text = fmt::format(
      "forecast: {} ahead by {}",
      DurationText(forecast.step * static_cast<double>(forecast.values.size())),
      Spaced(ToString(forecast.method)));
  if (forecast.mase) text += fmt::format(", MASE {:.2f}", *forecast.mase);
  if (forecast.coverage) {
    text += fmt::format(", {:.0f} % interval covered {:.0f} %",
                        100 * forecast.confidence, 100 * *forecast.coverage);
  }
  return text;
}

std::string AdviceSentence(const char* name, const ResourceAdvice& advice,
                           std::string (*format)(double)) {
  return fmt::format("{}: request {}, limit {} (peak {}, confidence {:.2f})",
                     name, format(advice.request), format(advice.limit),
                     format(advice.peak), advice.confidence);
}

std::string ForecastText(const SeriesForecast& forecast) {
  Table table({{"time"},
               {"forecast", Align::kRight},
               {"low", Align::kRight},
               {"high", Align::kRight}});
  const size_t count = forecast.values.size();
  const size_t rows = std::min(count, kForecastRows);
  for (size_t row = 0; row < rows; ++row) {
    const size_t i = rows == 1 ? 0 : row * (count - 1) / (rows - 1);
    table.AddRow({TimeText(forecast.start +
                           forecast.step.count() * static_cast<double>(i)),
                  Value(forecast.values[i]), Value(forecast.low[i]),
                  Value(forecast.high[i])});
  }
  return table.Text();
}

Json ForecastJson(const SeriesForecast& forecast) {
  Json json{{"method", ToString(forecast.method)},
            {"start", TimeText(forecast.start)},
            {"step_seconds", forecast.step.count()},
            {"confidence", forecast.confidence}};
  SetNumber(json, "mase", forecast.mase);
  SetNumber(json, "coverage", forecast.coverage);
  json["values"] = forecast.values;
  json["low"] = forecast.low;
  json["high"] = forecast.high;
  return json;
}

Json AdviceJson(const ResourceAdvice& advice) {
  return {{"request", advice.request},
          {"limit", advice.limit},
          {"peak", advice.peak},
          {"confidence", advice.confidence}};
}

}  // namespace

std::string TimeText(double seconds) {
  return FormatUtc(std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(
          Seconds(std::clamp(seconds, -9e9, 9e9)))));
}

std::vector<std::string> AnalysisSentences(const FileAnalysis& analysis) {
  std::vector<std::string> lines;
  const SeriesAnalysis& series = analysis.analysis;
  std::string kind = "kind: " + Spaced(ToString(analysis.kind.kind));
  for (const std::string& fact : analysis.kind.evidence) kind += "; " + fact;
  lines.push_back(kind);
  if (series.trend) lines.push_back(TrendSentence(*series.trend));
  for (const LevelShift& shift : series.level_shifts) {
    lines.push_back(fmt::format("level shift: {}{} at {}",
                                shift.change > 0 ? "+" : "",
                                Value(shift.change), TimeText(shift.time)));
  }
  if (analysis.sizing.cpu) {
    lines.push_back(AdviceSentence("CPU", *analysis.sizing.cpu, FormatCpus));
  }
  if (analysis.sizing.memory) {
    lines.push_back(
        AdviceSentence("memory", *analysis.sizing.memory, FormatByteCount));
  }
  for (const std::string& note : analysis.sizing.notes) lines.push_back(note);
  if (series.forecast) lines.push_back(ForecastSentence(*series.forecast));
  return lines;
}

std::string AnalysisText(const FileAnalysis& analysis) {
  const auto& summary = analysis.analysis.summary;
  if (!summary) return analysis.name + ": no values\n";
  std::string text =
      fmt::format("{}: {} every {}, {} to {}\n", analysis.name,
                  Counted(summary->count, "value"), DurationText(summary->step),
                  TimeText(summary->start), TimeText(summary->end));
  text += fmt::format(
      "mean {}, median {}, p95 {}, min {}, max {}{}\n\n", Value(summary->mean),
      Value(summary->median), Value(summary->p95), Value(summary->min),
      Value(summary->max),
      summary->gaps > 0 ? ", " + Counted(summary->gaps, "missing value") : "");
  text += PeriodsText(analysis.analysis) + "\n";
  for (const std::string& line : AnalysisSentences(analysis)) {
    text += line + "\n";
  }
  if (analysis.analysis.forecast) {
    text += "\n" + ForecastText(*analysis.analysis.forecast);
  }
  return text;
}

Json AnalysisJson(const FileAnalysis& analysis) {
  const SeriesAnalysis& series = analysis.analysis;
  Json json{{"name", analysis.name}};
  if (series.summary) {
    const SeriesSummary& summary = *series.summary;
    json["count"] = summary.count;
    json["gaps"] = summary.gaps;
    json["start"] = TimeText(summary.start);
    json["end"] = TimeText(summary.end);
    json["step_seconds"] = summary.step.count();
    json["mean"] = summary.mean;
    json["min"] = summary.min;
    json["median"] = summary.median;
    json["p95"] = summary.p95;
    json["max"] = summary.max;
  }
  json["periods"] = Json::array();
  for (const SeriesPeriod& period : series.periods) {
    Json item{{"seconds", period.length.count()}, {"cycles", period.cycles}};
    if (period.confidence > 0) {
      item["confidence"] = period.confidence;
      item["strength"] = period.strength;
      item["tentative"] = period.tentative;
    }
    json["periods"].push_back(std::move(item));
  }
  if (series.trend) {
    json["trend"] = {{"per_second", series.trend->per_second},
                     {"low", series.trend->low},
                     {"high", series.trend->high},
                     {"significant", series.trend->significant}};
  }
  json["level_shifts"] = Json::array();
  for (const LevelShift& shift : series.level_shifts) {
    json["level_shifts"].push_back(
        {{"time", TimeText(shift.time)}, {"change", shift.change}});
  }
  json["kind"] = ToString(analysis.kind.kind);
  json["evidence"] = analysis.kind.evidence;
  if (analysis.sizing.cpu) {
    json["sizing"]["cpu"] = AdviceJson(*analysis.sizing.cpu);
  }
  if (analysis.sizing.memory) {
    json["sizing"]["memory"] = AdviceJson(*analysis.sizing.memory);
  }
  if (series.forecast) json["forecast"] = ForecastJson(*series.forecast);
  return json;
}

std::string AnalysisCsv(const FileAnalysis& analysis) {
  std::string text = CsvLine({"time", "value", "low", "high"});
  if (!analysis.analysis.forecast) return text;
  const SeriesForecast& forecast = *analysis.analysis.forecast;
  for (size_t i = 0; i < forecast.values.size(); ++i) {
    text += CsvLine({TimeText(forecast.start +
                              forecast.step.count() * static_cast<double>(i)),
                     fmt::format("{:.6g}", forecast.values[i]),
                     fmt::format("{:.6g}", forecast.low[i]),
                     fmt::format("{:.6g}", forecast.high[i])});
  }
  return text;
}

}  // namespace mete
