#include "domain/sweep_json.h"

#include <fmt/format.h>

#include "domain/quantity_json.h"
#include "domain/run_json.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

Json RangeToJson(const LimitRange& range) {
  Json json;
  json["from"] = range.from;
  json["to"] = range.to;
  if (range.step > 0) json["step"] = range.step;
  return json;
}

LimitRange RangeFromJson(const Json& json) {
  return {.from = json.at("from").get<uint64_t>(),
          .to = json.at("to").get<uint64_t>(),
          .step = GetOptional<uint64_t>(json, "step").value_or(0)};
}

std::optional<LimitRange> RangeIn(const Json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  return RangeFromJson(*found);
}

Json StepsToJson(const StepTimes& steps) {
  Json json;
  json["name"] = steps.name;
  json["count"] = steps.count;
  json["mean_seconds"] = steps.mean.count();
  SetSeconds(json, "mean_low_seconds", steps.mean_low);
  SetSeconds(json, "mean_high_seconds", steps.mean_high);
  json["p50_seconds"] = steps.p50.count();
  SetSeconds(json, "p95_seconds", steps.p95);
  json["p99_seconds"] = steps.p99.count();
  return json;
}

StepTimes StepsFromJson(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .count = json.at("count").get<uint64_t>(),
          .mean = SecondsAt(json, "mean_seconds"),
          .p50 = SecondsAt(json, "p50_seconds"),
          .p99 = SecondsAt(json, "p99_seconds"),
          .p95 = GetSeconds(json, "p95_seconds"),
          .mean_low = GetSeconds(json, "mean_low_seconds"),
          .mean_high = GetSeconds(json, "mean_high_seconds")};
}

Result<SweepPlan> PlanFromJson(const Json& json) {
  ASSIGN_OR_RETURN(SweepSearch search,
                   ParseSweepSearch(json.at("search").get<std::string>()));
  SweepPlan plan{.memory = RangeIn(json, "memory_bytes"),
                 .cpus = RangeIn(json, "millicores"),
                 .search = search,
                 .repeat = json.at("repeat").get<uint64_t>(),
                 .confirm = json.at("confirm").get<uint64_t>(),
                 .cold = GetOptional<bool>(json, "cold").value_or(false),
                 .slowdown = GetOptional<double>(json, "slowdown")};
  if (auto found = json.find("objective"); found != json.end()) {
    plan.objective =
        StepObjective{.statistic = found->at("statistic").get<std::string>(),
                      .at_most = SecondsAt(*found, "at_most_seconds")};
  }
  return plan;
}

Result<SweepPoint> PointFromJson(const Json& json) {
  SweepPoint point;
  point.limits = {.memory = GetOptional<uint64_t>(json, "memory_limit_bytes"),
                  .millicores = GetOptional<uint64_t>(json, "millicores")};
  point.run_id = json.at("run_id").get<std::string>();
  ASSIGN_OR_RETURN(point.outcome.kind,
                   ParseOutcome(json.at("outcome").get<std::string>()));
  point.outcome.detail = GetText(json, "outcome_detail");
  point.last_output = GetText(json, "last_output");
  point.worked = json.at("worked").get<bool>();
  point.too_slow = GetOptional<bool>(json, "too_slow").value_or(false);
  ASSIGN_OR_RETURN(point.started_at,
                   ParseUtc(json.at("started_at").get<std::string>()));
  point.duration = SecondsAt(json, "seconds");
  point.cpu_time = GetSeconds(json, "cpu_seconds");
  point.peak_memory = GetBytes(json, "peak_memory_bytes");
  point.cached = GetBytes(json, "cached_bytes");
  point.throttled = GetOptional<double>(json, "throttled_ratio");
  if (auto phases = json.find("phase_seconds"); phases != json.end()) {
    for (const auto& item : phases->items()) {
      point.phases[item.key()] = Seconds(item.value().get<double>());
    }
  }
  if (auto steps = json.find("steps"); steps != json.end()) {
    point.steps = StepsFromJson(*steps);
  }
  return point;
}

Result<Sweep> ReadSweep(const Json& json) {
  int version = json.at("schema_version").get<int>();
  if (version > Sweep::kSchemaVersion) {
    return Unsupported(fmt::format(
        "sweep of schema {}; this mete supports up to {}: install a newer one",
        version, Sweep::kSchemaVersion));
  }
  Sweep sweep;
  sweep.id = json.at("sweep_id").get<std::string>();
  sweep.key = json.at("key").get<std::string>();
  ASSIGN_OR_RETURN(sweep.started_at,
                   ParseUtc(json.at("started_at").get<std::string>()));
  sweep.workload = json.at("workload").get<std::string>();
  sweep.command = json.at("command").get<std::string>();
  sweep.device_name = json.at("device").get<std::string>();
  ASSIGN_OR_RETURN(sweep.plan, PlanFromJson(json.at("plan")));
  for (const Json& item : json.at("points")) {
    ASSIGN_OR_RETURN(SweepPoint point, PointFromJson(item));
    sweep.points.push_back(std::move(point));
  }
  sweep.finished = json.at("finished").get<bool>();
  sweep.notes = json.value("notes", std::vector<std::string>());
  return sweep;
}

}  // namespace

std::string_view ToString(SweepSearch search) {
  return search == SweepSearch::kLinear ? "linear" : "bisect";
}

Result<SweepSearch> ParseSweepSearch(const std::string& word) {
  if (word == "linear") return SweepSearch::kLinear;
  if (word == "bisect") return SweepSearch::kBisect;
  return InvalidInput("'" + word + "' is not linear or bisect");
}

Json PlanToJson(const SweepPlan& plan) {
  Json json;
  if (plan.memory) json["memory_bytes"] = RangeToJson(*plan.memory);
  if (plan.cpus) json["millicores"] = RangeToJson(*plan.cpus);
  json["search"] = ToString(plan.search);
  json["repeat"] = plan.repeat;
  json["confirm"] = plan.confirm;
  json["cold"] = plan.cold;
  SetNumber(json, "slowdown", plan.slowdown);
  if (plan.objective) {
    json["objective"]["statistic"] = plan.objective->statistic;
    json["objective"]["at_most_seconds"] = plan.objective->at_most.count();
  }
  return json;
}

Json PointToJson(const SweepPoint& point) {
  Json json;
  if (point.limits.memory) json["memory_limit_bytes"] = *point.limits.memory;
  if (point.limits.millicores) json["millicores"] = *point.limits.millicores;
  json["outcome"] = ToString(point.outcome.kind);
  SetText(json, "outcome_detail", point.outcome.detail);
  SetText(json, "last_output", point.last_output);
  json["worked"] = point.worked;
  if (point.too_slow) json["too_slow"] = true;
  json["seconds"] = point.duration.count();
  SetSeconds(json, "cpu_seconds", point.cpu_time);
  SetBytes(json, "peak_memory_bytes", point.peak_memory);
  SetBytes(json, "cached_bytes", point.cached);
  SetNumber(json, "throttled_ratio", point.throttled);
  for (const auto& [name, time] : point.phases) {
    json["phase_seconds"][name] = time.count();
  }
  if (point.steps) json["steps"] = StepsToJson(*point.steps);
  json["started_at"] = FormatUtc(point.started_at);
  json["run_id"] = point.run_id;
  return json;
}

Json SweepToJson(const Sweep& sweep) {
  Json json;
  json["sweep_id"] = sweep.id;
  json["key"] = sweep.key;
  json["started_at"] = FormatUtc(sweep.started_at);
  json["workload"] = sweep.workload;
  json["command"] = sweep.command;
  json["device"] = sweep.device_name;
  json["plan"] = PlanToJson(sweep.plan);
  json["finished"] = sweep.finished;
  json["points"] = Json::array();
  for (const SweepPoint& point : sweep.points) {
    json["points"].push_back(PointToJson(point));
  }
  if (!sweep.notes.empty()) json["notes"] = sweep.notes;
  json["schema_version"] = Sweep::kSchemaVersion;
  return json;
}

Result<Sweep> SweepFromJson(const Json& json) {
  return ReadJson("sweep", [&] { return ReadSweep(json); });
}

}  // namespace mete
