#include "measure/network_options_json.h"

#include <limits>

#include "domain/run_json.h"
#include "measure/json_keys.h"
#include "support/json.h"

namespace mete {
namespace {

using Strings = std::vector<std::string>;

std::optional<Seconds> LengthAt(const Json& json, const char* key) {
  auto seconds = GetOptional<double>(json, key);
  if (!seconds) return std::nullopt;
  return Seconds(*seconds);
}

Status CheckShapeOfJson(const Json& json) {
  const std::string section = "network.";
  RETURN_IF_ERROR(
      CheckKeys(json, section,
                {"path", "iterations", "duration_seconds", "until",
                 "max_duration_seconds", "warmup", "batch", "shapes", "inputs",
                 "image_path", "seed", "layers", "engine"}));
  constexpr uint64_t kAny = std::numeric_limits<uint64_t>::max();
  for (const char* key : {"iterations", "warmup", "seed"}) {
    RETURN_IF_ERROR(CheckWhole(json, section, key, kAny));
  }
  RETURN_IF_ERROR(
      CheckWhole(json, section, "batch", std::numeric_limits<int64_t>::max()));
  if (auto engine = json.find("engine"); engine != json.end()) {
    RETURN_IF_ERROR(CheckKeys(*engine, "network.engine.",
                              {"provider", "optimization", "inter_op_threads",
                               "spinning", "memory_arena"}));
    RETURN_IF_ERROR(CheckWhole(*engine, "network.engine.", "inter_op_threads",
                               std::numeric_limits<int>::max()));
  }
  return {};
}

}  // namespace

Json NetworkOptionsToJson(const NetworkOptions& options) {
  const NetworkOptions usual;
  Json json;
  json["path"] = options.network.string();
  if (options.iterations) json["iterations"] = *options.iterations;
  if (options.duration) json["duration_seconds"] = options.duration->count();
  if (options.until) json["until"] = *options.until;
  if (options.max_duration) {
    json["max_duration_seconds"] = options.max_duration->count();
  }
  if (options.warmup) json["warmup"] = *options.warmup;
  if (options.batch != usual.batch) json["batch"] = options.batch;
  if (!options.shapes.empty()) json["shapes"] = options.shapes;
  if (!options.inputs.empty()) json["inputs"] = options.inputs;
  SetText(json, "image_path", options.image_path.string());
  if (options.seed != usual.seed) json["seed"] = options.seed;
  if (options.layers) json["layers"] = true;
  if (options.engine != usual.engine) {
    json["engine"] = EngineOptionsToJson(options.engine);
  }
  return json;
}

Result<NetworkOptions> NetworkOptionsFromJson(const Json& json) {
  RETURN_IF_ERROR(CheckShapeOfJson(json));
  NetworkOptions options{.network = json.at("path").get<std::string>()};
  options.iterations = GetOptional<uint64_t>(json, "iterations");
  options.duration = LengthAt(json, "duration_seconds");
  options.until = GetOptional<double>(json, "until");
  options.max_duration = LengthAt(json, "max_duration_seconds");
  options.warmup = GetOptional<uint64_t>(json, "warmup");
  options.batch = json.value("batch", options.batch);
  options.shapes = GetOptional<Strings>(json, "shapes").value_or(Strings());
  options.inputs = GetOptional<Strings>(json, "inputs").value_or(Strings());
  options.image_path = GetText(json, "image_path");
  options.seed = json.value("seed", options.seed);
  options.layers = json.value("layers", options.layers);
  if (auto engine = json.find("engine"); engine != json.end()) {
    options.engine = EngineOptionsFromJson(*engine);
    if (options.engine.optimization == "all") {
      options.engine.optimization.clear();
    }
  }
  return options;
}

}  // namespace mete
