#include "serve/profiling_request.h"

#include <fmt/format.h>

#include <cmath>

#include "serve/prediction_api.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr const char* kCpuUsage = "cpu_usage(percentage)";
constexpr const char* kDiskUsage = "disk_usage(percentage)";
constexpr const char* kDeviceType = "device_type";
constexpr const char* kDeviceFacts = "device_facts";

struct CountField {
  const char* key;
  std::optional<double> NetworkCounts::*place;
};
constexpr CountField kCounts[] = {
    {"conv_layers", &NetworkCounts::conv_layers},
    {"pool_layers", &NetworkCounts::pool_layers},
    {"fc_layers", &NetworkCounts::fc_layers},
    {"filter_details", &NetworkCounts::filter_details},
    {"total_parameters", &NetworkCounts::total_parameters},
    {"model_input_size", &NetworkCounts::input_bytes},
    {"model_output_size", &NetworkCounts::output_bytes},
};

// Returns null if the key is missing or its value is null.
const SortedJson* Find(const SortedJson& body, const char* key) {
  auto found = body.find(key);
  bool given = found != body.end() && !found->is_null();
  return given ? &*found : nullptr;
}

HttpReply WrongKind(const std::string& key, const char* expected) {
  return FieldReply(key, fmt::format("\"{}\" is not {}", key, expected));
}

OrReply<std::optional<DeviceFacts>> ReadFacts(const SortedJson& body) {
  const SortedJson* given = Find(body, kDeviceFacts);
  if (given == nullptr) return std::optional<DeviceFacts>();
  if (!given->is_object()) return WrongKind(kDeviceFacts, "an object");
  DeviceFacts facts;
  for (const auto& [key, value] : given->items()) {
    bool text = key == "architecture" || key == "cpu_model";
    bool number =
        key == "cores" || key == "max_frequency_hz" || key == "ram_bytes";
    std::string field = fmt::format("{}.{}", kDeviceFacts, key);
    if (!text && !number) {
      return FieldReply(field, field +
                                   " is not architecture, cpu_model, "
                                   "cores, max_frequency_hz or ram_bytes");
    }
    if (text && !value.is_string()) return WrongKind(field, "a string");
    bool sound = !text && value.is_number() && value.get<double>() > 0 &&
                 value.get<double>() < 1e18;
    if (number && !sound) return WrongKind(field, "a number above 0");
    if (key == "architecture") facts.architecture = value;
    if (key == "cpu_model") facts.cpu_model = value;
    if (key == "max_frequency_hz") facts.max_frequency_hz = value;
    if (key == "ram_bytes") {
      facts.ram = Bytes{static_cast<uint64_t>(value.get<double>())};
    }
    if (key != "cores") continue;
    if (value.get<double>() > 4096) return WrongKind(field, "at most 4096");
    facts.cores = static_cast<int>(std::ceil(value.get<double>()));
  }
  if (facts.cores == 0) {
    return FieldReply(kDeviceFacts, "device_facts lacks \"cores\"");
  }
  return std::optional(std::move(facts));
}

OrReply<std::optional<StandaloneDevice>> ReadDevice(const SortedJson& body) {
  bool standalone = false;
  for (const char* key : {kCpuUsage, kDiskUsage, kDeviceType, kDeviceFacts}) {
    standalone = standalone || Find(body, key) != nullptr;
  }
  if (!standalone) return std::optional<StandaloneDevice>();
  StandaloneDevice device;
  auto load = ReadShare(body, kCpuUsage, 100);
  if (auto* refused = std::get_if<HttpReply>(&load)) return *refused;
  device.load = std::get<0>(load);
  // Validated like the others but not used; see ReadyNodes.
  auto disk = ReadShare(body, kDiskUsage, 100);
  if (auto* refused = std::get_if<HttpReply>(&disk)) return *refused;
  auto facts = ReadFacts(body);
  if (auto* refused = std::get_if<HttpReply>(&facts)) return *refused;
  device.facts = std::get<0>(std::move(facts));
  const SortedJson* type = Find(body, kDeviceType);
  if (type != nullptr) {
    if (!type->is_string()) return WrongKind(kDeviceType, "a string");
    device.type = *type;
  } else if (!device.facts) {
    return FieldReply(kDeviceType,
                      "\"device_type\" is required with the load of a device");
  }
  return std::optional(std::move(device));
}

}  // namespace

OrReply<std::optional<double>> ReadShare(const SortedJson& body,
                                         const std::string& key, double whole) {
  const SortedJson* given = Find(body, key.c_str());
  if (given == nullptr) return std::optional<double>();
  bool sound = given->is_number() && given->get<double>() >= 0 &&
               given->get<double>() <= whole;
  if (!sound) {
    return FieldReply(
        key, fmt::format("\"{}\" is not a number from 0 to {}", key, whole));
  }
  return std::optional(given->get<double>() / whole);
}

OrReply<NetworkQuestion> ReadCounts(const SortedJson& body) {
  NetworkQuestion question;
  for (const char* key : {"model_name", "name", "model"}) {
    const SortedJson* name = Find(body, key);
    if (name == nullptr) continue;
    if (!name->is_string()) return WrongKind(key, "a string");
    question.name = *name;
  }
  bool any = false;
  for (const CountField& field : kCounts) {
    const SortedJson* given = Find(body, field.key);
    if (given == nullptr) continue;
    bool sound = given->is_number() && given->get<double>() >= 0;
    if (!sound) return WrongKind(field.key, "a number of 0 or more");
    question.counts.*field.place = given->get<double>();
    any = true;
  }
  if (any) return question;
  return FieldReply("conv_layers",
                    "the network is not described: conv_layers, pool_layers, "
                    "fc_layers, filter_details, total_parameters, "
                    "model_input_size and model_output_size are all missing");
}

OrReply<ProfilingRequest> ReadProfilingRequest(const HttpRequest& request) {
  if (MediaType(request) != "application/json") {
    return ErrorReply(415, "unsupported_media_type",
                      "expected a body of type application/json");
  }
  if (request.body.size() > kLargestQuestion.count) {
    return ErrorReply(
        413, "too_large",
        "the body is larger than " + FormatBytes(kLargestQuestion));
  }
  auto body = ParseSortedJson(request.body);
  if (!body.ok()) return ErrorReply(400, "bad_json", body.error().message());
  if (!body->is_object()) {
    return ErrorReply(400, "bad_json", "expected a JSON object");
  }
  ProfilingRequest read;
  auto question = ReadCounts(*body);
  if (auto* refused = std::get_if<HttpReply>(&question)) return *refused;
  read.question = std::get<0>(std::move(question));
  auto device = ReadDevice(*body);
  if (auto* refused = std::get_if<HttpReply>(&device)) return *refused;
  read.device = std::get<0>(std::move(device));
  read.body = *std::move(body);
  return read;
}

}  // namespace mete
