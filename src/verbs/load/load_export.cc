// The result of a load for programs: JSON and CSV.
#include <fmt/format.h>

#include <iterator>

#include "load/load_text.h"
#include "support/csv.h"
#include "support/json.h"
#include "support/table.h"

namespace mete {
namespace {

void SetSeconds(Json& json, const std::string& key,
                const std::optional<Seconds>& time) {
  if (time) SetNumber(json, key.c_str(), time->count());
}

Json TimesJson(const TimeSummary& times) {
  Json json = {{"count", times.count}};
  SetSeconds(json, "mean", times.mean);
  for (const TimeQuantile& quantile : times.quantiles) {
    SetSeconds(json, QuantileName(quantile.p), quantile.value);
    SetSeconds(json, QuantileName(quantile.p) + "_low", quantile.low);
    SetSeconds(json, QuantileName(quantile.p) + "_high", quantile.high);
  }
  SetSeconds(json, "max", times.max);
  return json;
}

Json CountsJson(const LoadCounts& counts) {
  return {{"planned", counts.planned},
          {"sent", counts.sent},
          {"answered", counts.answered},
          {"failed", counts.failed},
          {"rejected", counts.rejected},
          {"unanswered", counts.unanswered},
          {"waited_for_connection", counts.waited}};
}

Json CheckJson(const ObjectiveCheck& check) {
  Json json = {{"verdict", ToString(check.verdict)},
               {"requests", check.requests}};
  SetSeconds(json, "value", check.value);
  SetSeconds(json, "low", check.low);
  SetSeconds(json, "high", check.high);
  return json;
}

Json TargetJson(const LoadSummary& summary) {
  Json json = {{"name", summary.name}, {"arrivals", summary.arrivals}};
  SetNumber(json, "window_seconds", summary.window.count());
  json["requests"] = CountsJson(summary.counts);
  SetNumber(json, "offered_rate", summary.offered_rate);
  SetNumber(json, "achieved_rate", summary.achieved_rate);
  if (summary.scheduling) {
    Json& late = json["scheduling_error_seconds"];
    SetNumber(late, "p50", summary.scheduling->p50.count());
    SetNumber(late, "p99", summary.scheduling->p99.count());
    SetNumber(late, "max", summary.scheduling->max.count());
  }
  json["sojourn_seconds"] = TimesJson(summary.sojourn);
  if (summary.service) json["service_seconds"] = TimesJson(*summary.service);
  if (summary.queueing) json["queueing_seconds"] = TimesJson(*summary.queueing);
  json["saturated"] = summary.saturation.saturated();
  if (summary.saturation.saturated()) {
    json["saturation"] = {{"sign", ToString(summary.saturation.sign)},
                          {"explanation", summary.saturation.explanation}};
  }
  json["interrupted"] = summary.interrupted;
  json["notes"] = summary.notes;
  return json;
}

Json OriginJson(const LoadOrigin& origin) {
  Json machine = {{"name", origin.machine},
                  {"cpu_model", origin.environment.cpu_model},
                  {"cores", origin.environment.cores},
                  {"kernel", origin.environment.kernel}};
  SetNumber(machine, "busy_cpus", origin.environment.busy_cpus);
  SetNumber(machine, "stolen_cpus", origin.environment.stolen_cpus);
  return {{"seed", origin.seed},
          {"clock", "CLOCK_MONOTONIC"},
          {"mete_version", origin.mete_version},
          {"machine", std::move(machine)}};
}

std::string Number(double value) { return fmt::format("{}", value); }

std::string TimeCell(const std::optional<Seconds>& time) {
  return time ? Number(time->count()) : "";
}

// The columns of a CSV file and the cells of one row, added together.
struct CsvRow {
  std::vector<Table::Column> columns;
  std::vector<std::string> cells;

  void Add(const std::string& heading, std::string cell) {
    columns.push_back({heading});
    cells.push_back(std::move(cell));
  }
  void AddTimes(const std::string& name, const TimeSummary& times) {
    Add(name + "_mean_seconds", TimeCell(times.mean));
    for (double p : {0.5, 0.75, 0.9, 0.95, 0.99}) {
      const std::string prefix = name + "_" + QuantileName(p);
      TimeQuantile quantile;
      if (!times.quantiles.empty()) quantile = times.At(p);
      Add(prefix + "_seconds", TimeCell(quantile.value));
      Add(prefix + "_low_seconds", TimeCell(quantile.low));
      Add(prefix + "_high_seconds", TimeCell(quantile.high));
    }
    Add(name + "_max_seconds", TimeCell(times.max));
  }
};

CsvRow TargetRow(const LoadSummary& summary) {
  CsvRow row;
  const LoadCounts& counts = summary.counts;
  row.Add("target", summary.name);
  row.Add("arrivals", summary.arrivals);
  row.Add("window_seconds", Number(summary.window.count()));
  row.Add("sent", std::to_string(counts.sent));
  row.Add("answered", std::to_string(counts.answered));
  row.Add("failed", std::to_string(counts.failed));
  row.Add("rejected", std::to_string(counts.rejected));
  row.Add("unanswered", std::to_string(counts.unanswered));
  row.Add("offered_rate", Number(summary.offered_rate));
  row.Add("achieved_rate", Number(summary.achieved_rate));
  SchedulingError late = summary.scheduling.value_or(SchedulingError{});
  auto late_cell = [&](Seconds time) {
    return summary.scheduling ? Number(time.count()) : std::string();
  };
  row.Add("scheduling_error_p50_seconds", late_cell(late.p50));
  row.Add("scheduling_error_p99_seconds", late_cell(late.p99));
  row.Add("scheduling_error_max_seconds", late_cell(late.max));
  row.AddTimes("sojourn", summary.sojourn);
  row.AddTimes("service", summary.service.value_or(TimeSummary{}));
  row.AddTimes("queueing", summary.queueing.value_or(TimeSummary{}));
  row.Add("saturation", std::string(ToString(summary.saturation.sign)));
  return row;
}

std::string_view FateWord(RequestFate fate) {
  switch (fate) {
    case RequestFate::kAnswered:
      return "answered";
    case RequestFate::kFailed:
      return "failed";
    case RequestFate::kUnanswered:
      return "unanswered";
    case RequestFate::kNotSent:
      break;
  }
  return "not_sent";
}

// Nanoseconds exactly, as seconds.
std::string Instant(std::chrono::nanoseconds time) {
  return fmt::format("{:.9f}", Seconds(time).count());
}

}  // namespace

Json LoadJson(const LoadAnswer& answer) {
  Json json = OriginJson(answer.origin);
  json["targets"] = Json::array();
  for (size_t i = 0; i < answer.targets.size(); ++i) {
    Json target = TargetJson(answer.targets[i]);
    if (answer.objective) {
      target["objective"] = CheckJson(answer.checks[i]);
      target["objective"]["text"] = answer.objective->text;
    }
    json["targets"].push_back(std::move(target));
  }
  return json;
}

std::string LoadCsv(const LoadAnswer& answer) {
  if (answer.targets.empty()) return "";
  Table table(TargetRow(answer.targets.front()).columns);
  for (const LoadSummary& summary : answer.targets) {
    table.AddRow(TargetRow(summary).cells);
  }
  return table.Csv();
}

Json RateJson(const RateAnswer& answer) {
  Json json = OriginJson(answer.origin);
  json["target"] = answer.name;
  json["objective"] = answer.objective.text;
  SetNumber(json, "window_seconds", answer.window.count());
  SetNumber(json, "kept_rate", answer.found.kept);
  SetNumber(json, "violated_rate", answer.found.violated);
  json["confidence"] = 0.95;
  json["end"] = ToString(answer.found.end);
  json["rates"] = Json::array();
  for (const RateTrial& trial : answer.found.trials) {
    Json one = CheckJson(trial.check);
    SetNumber(one, "rate", trial.rate);
    one["windows"] = trial.windows;
    json["rates"].push_back(std::move(one));
  }
  return json;
}

std::string RateCsv(const RateAnswer& answer) {
  Table table({{"target"},
               {"objective"},
               {"rate"},
               {"verdict"},
               {"value_seconds"},
               {"low_seconds"},
               {"high_seconds"},
               {"requests"},
               {"windows"}});
  for (const RateTrial& trial : answer.found.trials) {
    const ObjectiveCheck& check = trial.check;
    table.AddRow({answer.name, answer.objective.text, Number(trial.rate),
                  std::string(ToString(check.verdict)), TimeCell(check.value),
                  TimeCell(check.low), TimeCell(check.high),
                  std::to_string(check.requests),
                  std::to_string(trial.windows)});
  }
  return table.Csv();
}

std::string SamplesCsv(const std::vector<LoadSamples>& targets) {
  std::string text =
      "target,replica,outcome,status,intended_seconds,dispatched_seconds,"
      "sent_seconds,received_seconds,service_seconds,queueing_seconds\n";
  for (const LoadSamples& target : targets) {
    for (const LoadSample& sample : target.samples) {
      bool sent = sample.fate != RequestFate::kNotSent;
      text += CsvLine(
          {target.name, sent ? std::to_string(sample.replica) : "",
           std::string(FateWord(sample.fate)),
           sample.status > 0 ? std::to_string(sample.status) : "",
           Instant(sample.intended), sent ? Instant(sample.dispatched) : "",
           sample.sent ? Instant(*sample.sent) : "",
           sample.received ? Instant(*sample.received) : "",
           TimeCell(sample.timing.service), TimeCell(sample.timing.queue)});
    }
  }
  return text;
}

}  // namespace mete
