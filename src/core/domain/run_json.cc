#include "domain/run_json.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "domain/limits_json.h"
#include "domain/quantity_json.h"
#include "domain/usage_json.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

template <typename Kind>
using Names = std::pair<Kind, std::string_view>;

constexpr std::array<Names<WorkloadKind>, 4> kWorkloadNames = {
    {{WorkloadKind::kNetwork, "network"},
     {WorkloadKind::kCommand, "command"},
     {WorkloadKind::kImage, "image"},
     {WorkloadKind::kService, "service"}}};

constexpr std::array<Names<OutcomeKind>, 7> kOutcomeNames = {
    {{OutcomeKind::kCompleted, "completed"},
     {OutcomeKind::kFailed, "failed"},
     {OutcomeKind::kOutOfMemory, "out_of_memory"},
     {OutcomeKind::kTimedOut, "timed_out"},
     {OutcomeKind::kCrashed, "crashed"},
     {OutcomeKind::kRejected, "rejected"},
     {OutcomeKind::kInterrupted, "interrupted"}}};

constexpr std::array<Names<VerdictKind>, 5> kVerdictNames = {
    {{VerdictKind::kStable, "stable"},
     {VerdictKind::kDrifting, "drifting"},
     {VerdictKind::kBimodal, "bimodal"},
     {VerdictKind::kNotConverged, "not_converged"},
     {VerdictKind::kTooFewSamples, "too_few_samples"}}};

template <typename Kind, size_t N>
std::string_view NameIn(const std::array<Names<Kind>, N>& names, Kind kind) {
  for (const auto& [candidate, name] : names) {
    if (candidate == kind) return name;
  }
  CHECK(false) << "kind without a name: " << static_cast<int>(kind);
  return "";
}

template <typename Kind, size_t N>
Result<Kind> KindIn(const std::array<Names<Kind>, N>& names,
                    const std::string& word) {
  for (const auto& [kind, name] : names) {
    if (name == word) return kind;
  }
  return Corrupt(fmt::format("'{}' is not one of {} … {}", word,
                             names.front().second, names.back().second));
}

// Empty when the key is missing.
std::vector<std::string> GetTexts(const Json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end()) return {};
  return found->get<std::vector<std::string>>();
}

Json WorkloadToJson(const Workload& workload) {
  Json json;
  json["kind"] = ToString(workload.kind);
  json["name"] = workload.name;
  json["source"] = workload.source;
  SetText(json, "sha256", workload.sha256);
  json["batch"] = workload.batch;
  json["input_shapes"] = workload.input_shapes;
  SetText(json, "input_origin", workload.input_origin);
  if (!workload.given_shapes.empty()) {
    json["given_shapes"] = workload.given_shapes;
  }
  return json;
}

Result<Workload> WorkloadFromJson(const Json& json) {
  ASSIGN_OR_RETURN(WorkloadKind kind,
                   KindIn(kWorkloadNames, json.at("kind").get<std::string>()));
  return Workload{
      .kind = kind,
      .name = json.at("name").get<std::string>(),
      .source = json.at("source").get<std::string>(),
      .sha256 = GetText(json, "sha256"),
      .batch = json.at("batch").get<int64_t>(),
      .input_shapes = json.at("input_shapes").get<std::vector<std::string>>(),
      .input_origin = GetText(json, "input_origin"),
      .given_shapes = GetTexts(json, "given_shapes")};
}

Json LatencyToJson(const LatencySummary& latency) {
  Json json;
  SetSeconds(json, "mean", latency.mean);
  SetSeconds(json, "min", latency.min);
  SetSeconds(json, "p50", latency.p50);
  SetSeconds(json, "p90", latency.p90);
  SetSeconds(json, "p95", latency.p95);
  SetSeconds(json, "p99", latency.p99);
  SetSeconds(json, "max", latency.max);
  SetSeconds(json, "p50_low", latency.p50_low);
  SetSeconds(json, "p50_high", latency.p50_high);
  SetSeconds(json, "p99_low", latency.p99_low);
  SetSeconds(json, "p99_high", latency.p99_high);
  return json;
}

LatencySummary LatencyFromJson(const Json& json) {
  return {.mean = SecondsAt(json, "mean"),
          .min = SecondsAt(json, "min"),
          .p50 = SecondsAt(json, "p50"),
          .p90 = SecondsAt(json, "p90"),
          .p95 = SecondsAt(json, "p95"),
          .p99 = SecondsAt(json, "p99"),
          .max = SecondsAt(json, "max"),
          .p50_low = GetSeconds(json, "p50_low"),
          .p50_high = GetSeconds(json, "p50_high"),
          .p99_low = GetSeconds(json, "p99_low"),
          .p99_high = GetSeconds(json, "p99_high")};
}

Json EnvironmentToJson(const Environment& environment) {
  Json json = Json::object();
  SetText(json, "cpu_model", environment.cpu_model);
  json["cores"] = environment.cores;
  if (environment.governor) json["governor"] = *environment.governor;
  SetText(json, "kernel", environment.kernel);
  SetNumber(json, "load_average", environment.load_average);
  SetNumber(json, "temperature_celsius", environment.temperature_celsius);
  if (environment.memory_available) {
    json["memory_available_bytes"] = environment.memory_available->count;
  }
  SetNumber(json, "disk_used", environment.disk_used);
  SetNumber(json, "busy_cpus", environment.busy_cpus);
  SetNumber(json, "stolen_cpus", environment.stolen_cpus);
  return json;
}

Environment EnvironmentFromJson(const Json& json) {
  Environment environment{
      .cpu_model = GetText(json, "cpu_model"),
      .cores = json.at("cores").get<int>(),
      .governor = GetOptional<std::string>(json, "governor"),
      .kernel = GetText(json, "kernel"),
      .load_average = GetOptional<double>(json, "load_average"),
      .temperature_celsius = GetOptional<double>(json, "temperature_celsius")};
  if (auto bytes = GetOptional<uint64_t>(json, "memory_available_bytes")) {
    environment.memory_available = Bytes{*bytes};
  }
  environment.disk_used = GetOptional<double>(json, "disk_used");
  environment.busy_cpus = GetOptional<double>(json, "busy_cpus");
  environment.stolen_cpus = GetOptional<double>(json, "stolen_cpus");
  return environment;
}

Json LoadToJson(const BackgroundLoad& load) {
  Json json;
  json["asked"] = load.asked;
  json["measured"] = load.measured;
  return json;
}

BackgroundLoad LoadFromJson(const Json& json) {
  return {.asked = json.at("asked").get<double>(),
          .measured = json.at("measured").get<double>()};
}

Json LayersToJson(const std::vector<LayerTime>& layers) {
  Json json = Json::array();
  for (const LayerTime& layer : layers) {
    Json entry;
    entry["name"] = layer.name;
    entry["op"] = layer.op;
    entry["calls"] = layer.calls;
    entry["mean"] = layer.mean.count();
    entry["stddev"] = layer.stddev.count();
    entry["share"] = layer.share;
    json.push_back(std::move(entry));
  }
  return json;
}

std::vector<LayerTime> LayersFromJson(const Json& json) {
  std::vector<LayerTime> layers;
  for (const Json& entry : json) {
    layers.push_back({.name = entry.at("name").get<std::string>(),
                      .op = entry.at("op").get<std::string>(),
                      .calls = entry.at("calls").get<uint64_t>(),
                      .mean = SecondsAt(entry, "mean"),
                      .stddev = SecondsAt(entry, "stddev"),
                      .share = entry.at("share").get<double>()});
  }
  return layers;
}

Json RepeatsToJson(const ProcessRepeats& repeats) {
  Json json;
  json["index"] = repeats.index;
  json["run_ids"] = repeats.run_ids;
  json["medians"] = repeats.medians;
  json["mean"] = repeats.mean;
  SetNumber(json, "low", repeats.low);
  SetNumber(json, "high", repeats.high);
  json["verdict"] = ToString(repeats.verdict.kind);
  SetText(json, "verdict_explanation", repeats.verdict.explanation);
  return json;
}

Result<ProcessRepeats> RepeatsFromJson(const Json& json) {
  ASSIGN_OR_RETURN(
      VerdictKind verdict,
      KindIn(kVerdictNames, json.at("verdict").get<std::string>()));
  return ProcessRepeats{
      .index = json.at("index").get<uint64_t>(),
      .run_ids = json.at("run_ids").get<std::vector<std::string>>(),
      .medians = json.at("medians").get<std::vector<double>>(),
      .mean = json.at("mean").get<double>(),
      .low = GetOptional<double>(json, "low"),
      .high = GetOptional<double>(json, "high"),
      .verdict = {.kind = verdict,
                  .explanation = GetText(json, "verdict_explanation")}};
}

void SetJudgement(Json& json, const Run& run) {
  json["outcome"] = ToString(run.outcome.kind);
  SetText(json, "outcome_detail", run.outcome.detail);
  Verdict verdict = run.verdict();
  json["verdict"] = ToString(verdict.kind);
  SetText(json, "verdict_explanation", verdict.explanation);
}

void SetNumbers(Json& json, const Run& run) {
  // An application has none of the numbers of a network.
  static const NetworkDetails kNone;
  const NetworkDetails& network = run.network() ? *run.network() : kNone;
  json["iterations"] = run.iterations();
  json["warmup_iterations"] = network.warmup_iterations;
  if (network.latency) json["latency"] = LatencyToJson(*network.latency);
  SetNumber(json, "throughput", network.throughput);
  SetSeconds(json, "cpu_seconds", run.cpu_time);
  SetJoules(json, "joules", network.energy_per_inference);
  if (run.load) json["load"] = LoadToJson(*run.load);
  SetBytes(json, "peak_rss_bytes", run.peak_rss);
  SetSeconds(json, "load_seconds", network.load_time);
  SetNumber(json, "autocorrelation_time", network.autocorrelation_time);
}

void SetProvenance(Json& json, const Run& run) {
  if (!run.engine.name.empty()) {
    json["engine"]["name"] = run.engine.name;
    json["engine"]["version"] = run.engine.version;
  }
  if (const NetworkDetails* network = run.network()) {
    if (network->engine_options != EngineOptions()) {
      json["engine_options"] = EngineOptionsToJson(network->engine_options);
    }
    if (!network->arguments.empty()) json["arguments"] = network->arguments;
    if (!network->notes.empty()) json["notes"] = network->notes;
    if (network->repeats) json["repeats"] = RepeatsToJson(*network->repeats);
  }
  json["environment"] = EnvironmentToJson(run.environment);
  json["clock"] = run.clock;
  json["mete_version"] = run.mete_version;
  json["started_at"] = FormatUtc(run.started_at);
  json["seed"] = run.seed;
  json["schema_version"] = Run::kSchemaVersion;
}

Status ReadOutcome(const Json& json, Run& run) {
  ASSIGN_OR_RETURN(
      run.outcome.kind,
      KindIn(kOutcomeNames, json.at("outcome").get<std::string>()));
  run.outcome.detail = GetText(json, "outcome_detail");
  run.cpu_time = GetSeconds(json, "cpu_seconds");
  if (json.contains("load")) run.load = LoadFromJson(json.at("load"));
  run.peak_rss = GetBytes(json, "peak_rss_bytes");
  return {};
}

Result<NetworkDetails> NetworkFrom(const Json& json) {
  NetworkDetails network;
  ASSIGN_OR_RETURN(
      network.verdict.kind,
      KindIn(kVerdictNames, json.at("verdict").get<std::string>()));
  network.verdict.explanation = GetText(json, "verdict_explanation");
  network.iterations = json.at("iterations").get<uint64_t>();
  network.warmup_iterations = json.at("warmup_iterations").get<uint64_t>();
  if (json.contains("latency")) {
    network.latency = LatencyFromJson(json.at("latency"));
  }
  network.throughput = GetOptional<double>(json, "throughput");
  network.energy_per_inference = GetJoules(json, "joules");
  network.load_time = GetSeconds(json, "load_seconds");
  network.autocorrelation_time =
      GetOptional<double>(json, "autocorrelation_time");
  if (json.contains("layers")) {
    network.layers = LayersFromJson(json.at("layers"));
  }
  if (json.contains("engine_options")) {
    network.engine_options = EngineOptionsFromJson(json.at("engine_options"));
  }
  network.arguments = GetTexts(json, "arguments");
  network.notes = GetTexts(json, "notes");
  if (json.contains("repeats")) {
    ASSIGN_OR_RETURN(network.repeats, RepeatsFromJson(json.at("repeats")));
  }
  return network;
}

Status ReadDetails(const Json& json, Run& run) {
  // Applications have a verdict and iterations in JSON, too: check them all.
  ASSIGN_OR_RETURN(NetworkDetails network, NetworkFrom(json));
  if (run.workload.kind == WorkloadKind::kNetwork) {
    // Only a network that was measured in a process of its own has it.
    if (json.contains("duration_seconds")) {
      ASSIGN_OR_RETURN(network.process, ApplicationFrom(json));
    }
    run.details = std::move(network);
  } else {
    ASSIGN_OR_RETURN(run.details, ApplicationFrom(json));
    // Older versions stored such runs as completed.
    if (run.outcome.kind == OutcomeKind::kCompleted &&
        run.application()->exit_code.value_or(0) != 0) {
      run.outcome.kind = OutcomeKind::kFailed;
    }
  }
  return {};
}

Status ReadProvenance(const Json& json, Run& run) {
  if (json.contains("engine")) {
    run.engine.name = json.at("engine").at("name").get<std::string>();
    run.engine.version = json.at("engine").at("version").get<std::string>();
  }
  run.environment = EnvironmentFromJson(json.at("environment"));
  run.clock = json.at("clock").get<std::string>();
  run.mete_version = json.at("mete_version").get<std::string>();
  ASSIGN_OR_RETURN(run.started_at,
                   ParseUtc(json.at("started_at").get<std::string>()));
  run.seed = json.at("seed").get<uint64_t>();
  return {};
}

Result<Run> ReadRun(const Json& json) {
  int version = json.at("schema_version").get<int>();
  if (version > Run::kSchemaVersion) {
    return Unsupported(
        fmt::format("schema version {} is newer than this mete's {}", version,
                    Run::kSchemaVersion));
  }
  Run run;
  run.id = json.at("run_id").get<std::string>();
  ASSIGN_OR_RETURN(run.workload, WorkloadFromJson(json.at("workload")));
  run.device_id = json.at("device").at("id").get<std::string>();
  run.device_name = json.at("device").at("name").get<std::string>();
  run.limits = LimitsFromJson(json.at("limits"));
  RETURN_IF_ERROR(ReadOutcome(json, run));
  RETURN_IF_ERROR(ReadProvenance(json, run));
  RETURN_IF_ERROR(ReadDetails(json, run));
  return run;
}

}  // namespace

Json EngineOptionsToJson(const EngineOptions& options) {
  Json json = Json::object();
  SetText(json, "provider", options.provider);
  SetText(json, "optimization", options.optimization);
  if (options.inter_op_threads != 1) {
    json["inter_op_threads"] = options.inter_op_threads;
  }
  if (options.spinning) json["spinning"] = *options.spinning;
  if (options.memory_arena) json["memory_arena"] = *options.memory_arena;
  return json;
}

EngineOptions EngineOptionsFromJson(const Json& json) {
  return {.provider = GetText(json, "provider"),
          .optimization = GetText(json, "optimization"),
          .inter_op_threads =
              GetOptional<int>(json, "inter_op_threads").value_or(1),
          .spinning = GetOptional<bool>(json, "spinning"),
          .memory_arena = GetOptional<bool>(json, "memory_arena")};
}

std::string_view ToString(WorkloadKind kind) {
  return NameIn(kWorkloadNames, kind);
}
std::string_view ToString(OutcomeKind kind) {
  return NameIn(kOutcomeNames, kind);
}
std::string_view ToString(VerdictKind kind) {
  return NameIn(kVerdictNames, kind);
}

Result<OutcomeKind> ParseOutcome(const std::string& name) {
  return KindIn(kOutcomeNames, name);
}

Json RunToJson(const Run& run) {
  Json json;
  json["run_id"] = run.id;
  json["workload"] = WorkloadToJson(run.workload);
  json["device"]["id"] = run.device_id;
  json["device"]["name"] = run.device_name;
  json["limits"] = LimitsToJson(run.limits);
  SetJudgement(json, run);
  SetNumbers(json, run);
  SetProvenance(json, run);
  if (run.process() != nullptr) SetApplication(json, *run.process());
  if (run.network() && !run.network()->layers.empty()) {
    json["layers"] = LayersToJson(run.network()->layers);
  }
  return json;
}

Result<Run> RunFromJson(const Json& json) {
  return ReadJson("run", [&] { return ReadRun(json); });
}

}  // namespace mete
