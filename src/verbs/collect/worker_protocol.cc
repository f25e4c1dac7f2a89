#include "collect/worker_protocol.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "support/json.h"

namespace mete {
namespace {

constexpr std::array<std::pair<ErrorCode, std::string_view>, 8> kCodes = {
    {{ErrorCode::kInvalidInput, "invalid_input"},
     {ErrorCode::kNotFound, "not_found"},
     {ErrorCode::kUnavailable, "unavailable"},
     {ErrorCode::kTimeout, "timeout"},
     {ErrorCode::kPermissionDenied, "permission_denied"},
     {ErrorCode::kUnsupported, "unsupported"},
     {ErrorCode::kCorrupt, "corrupt"},
     {ErrorCode::kInterrupted, "interrupted"}}};

std::string_view NameOfCode(ErrorCode code) {
  for (const auto& [candidate, name] : kCodes) {
    if (candidate == code) return name;
  }
  return "corrupt";
}

ErrorCode ParseErrorCode(const std::string& word) {
  for (const auto& [code, name] : kCodes) {
    if (name == word) return code;
  }
  return ErrorCode::kCorrupt;
}

// The object under `key`, or the error that the reply contains.
Result<Json> Reply(const std::string& line, const char* key) {
  ASSIGN_OR_RETURN(Json json, ParseJson(line));
  if (!json.is_object()) return Corrupt("the testbed's reply is not an object");
  if (json.contains("error")) {
    auto reported = ReadJson("error", [&] {
      const Json& error = json.at("error");
      return std::pair(error.at("code").get<std::string>(),
                       error.at("message").get<std::string>());
    });
    if (!reported.ok()) return reported.error();
    return Error(ParseErrorCode(reported->first), reported->second);
  }
  if (!json.contains(key)) {
    return Corrupt(fmt::format("the testbed's reply has no {}", key));
  }
  return json.at(key);
}

}  // namespace

Json ToJson(const LoadOrder& order) {
  Json json;
  json["do"] = "load";
  json["network"] = order.network.string();
  json["threads"] = order.threads;
  json["batch"] = order.batch;
  json["seed"] = order.seed;
  SetText(json, "pictures", order.pictures.string());
  if (!order.shapes.empty()) json["shapes"] = order.shapes;
  if (!order.inputs.empty()) json["inputs"] = order.inputs;
  return json;
}

Json ToJson(const RunOrder& order) {
  Json json;
  json["do"] = "run";
  json["at_least"] = order.at_least;
  json["at_most"] = order.at_most;
  json["shortest_seconds"] = order.shortest.count();
  json["seconds"] = order.time.count();
  json["precision"] = order.precision;
  return json;
}

Json BurnOrder(double cpus) {
  Json json;
  json["do"] = "burn";
  json["cpus"] = cpus;
  return json;
}

Json ToJson(const LoadedNetwork& loaded) {
  Json json;
  json["loaded"]["seconds"] = loaded.seconds;
  json["loaded"]["input_shapes"] = loaded.input_shapes;
  json["loaded"]["input_origin"] = loaded.input_origin;
  json["loaded"]["engine"] = loaded.engine.name;
  json["loaded"]["engine_version"] = loaded.engine.version;
  return json;
}

Json ToJson(const TimedRun& run) {
  Json json;
  json["ran"]["samples"] = run.samples;
  json["ran"]["cpu_seconds"] = run.cpu_seconds;
  if (run.peak_rss) json["ran"]["peak_rss_bytes"] = run.peak_rss->count;
  return json;
}

Json ErrorReply(const Error& error) {
  Json json;
  json["error"]["code"] = NameOfCode(error.code());
  json["error"]["message"] = error.message();
  return json;
}

Result<LoadOrder> LoadOrderFrom(const Json& json) {
  return ReadJson("load order", [&] {
    return LoadOrder{
        .network = json.at("network").get<std::string>(),
        .threads = json.at("threads").get<int>(),
        .batch = json.at("batch").get<int64_t>(),
        .seed = json.at("seed").get<uint64_t>(),
        .pictures = GetText(json, "pictures"),
        .shapes = GetOptional<std::vector<std::string>>(json, "shapes")
                      .value_or(std::vector<std::string>()),
        .inputs = GetOptional<std::vector<std::string>>(json, "inputs")
                      .value_or(std::vector<std::string>())};
  });
}

Result<RunOrder> RunOrderFrom(const Json& json) {
  return ReadJson("run order", [&] {
    return RunOrder{
        .at_least = json.at("at_least").get<uint64_t>(),
        .at_most = json.at("at_most").get<uint64_t>(),
        .shortest = Seconds(json.at("shortest_seconds").get<double>()),
        .time = Seconds(json.at("seconds").get<double>()),
        .precision = json.at("precision").get<double>()};
  });
}

Result<LoadedNetwork> LoadedFrom(const std::string& line) {
  ASSIGN_OR_RETURN(Json json, Reply(line, "loaded"));
  return ReadJson("loaded", [&] {
    return LoadedNetwork{
        .seconds = json.at("seconds").get<double>(),
        .input_shapes = json.at("input_shapes").get<std::vector<std::string>>(),
        .input_origin = json.at("input_origin").get<std::string>(),
        .engine = {.name = json.at("engine").get<std::string>(),
                   .version = json.at("engine_version").get<std::string>()}};
  });
}

Result<TimedRun> TimedRunFrom(const std::string& line) {
  ASSIGN_OR_RETURN(Json json, Reply(line, "ran"));
  return ReadJson("ran", [&] {
    TimedRun run{.samples = json.at("samples").get<std::vector<double>>(),
                 .cpu_seconds = json.at("cpu_seconds").get<double>()};
    if (auto bytes = GetOptional<uint64_t>(json, "peak_rss_bytes")) {
      run.peak_rss = Bytes{*bytes};
    }
    return run;
  });
}

Status CheckReply(const std::string& line) {
  auto reply = Reply(line, "burning");
  if (!reply.ok()) return reply.error();
  return {};
}

std::string ToLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mete
