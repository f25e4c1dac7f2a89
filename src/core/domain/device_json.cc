#include "domain/device_json.h"

#include "domain/limits_json.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

Json FactsToJson(const DeviceFacts& facts) {
  Json json;
  json["architecture"] = facts.architecture;
  SetText(json, "cpu_model", facts.cpu_model);
  json["cores"] = facts.cores;
  if (facts.max_frequency_hz)
    json["max_frequency_hz"] = *facts.max_frequency_hz;
  json["caches"] = Json::array();
  for (const CacheLevel& cache : facts.caches) {
    Json entry;
    entry["name"] = cache.name;
    entry["size_bytes"] = cache.size.count;
    json["caches"].push_back(std::move(entry));
  }
  json["ram_bytes"] = facts.ram.count;
  json["gpus"] = facts.gpus;
  SetText(json, "os", facts.os);
  SetText(json, "kernel", facts.kernel);
  SetText(json, "board", facts.board);
  return json;
}

DeviceFacts FactsFromJson(const Json& json) {
  DeviceFacts facts;
  facts.architecture = json.at("architecture").get<std::string>();
  facts.cpu_model = GetText(json, "cpu_model");
  facts.cores = json.at("cores").get<int>();
  if (json.contains("max_frequency_hz")) {
    facts.max_frequency_hz = json.at("max_frequency_hz").get<double>();
  }
  for (const Json& entry : json.at("caches")) {
    facts.caches.push_back({entry.at("name").get<std::string>(),
                            Bytes{entry.at("size_bytes").get<uint64_t>()}});
  }
  facts.ram = Bytes{json.at("ram_bytes").get<uint64_t>()};
  facts.gpus = json.at("gpus").get<std::vector<std::string>>();
  facts.os = GetText(json, "os");
  facts.kernel = GetText(json, "kernel");
  facts.board = GetText(json, "board");
  return facts;
}

Json SpeedToJson(const DeviceSpeed& speed) {
  Json json;
  json["operations_per_second"] = speed.operations_per_second;
  json["memory_bytes_per_second"] = speed.memory_bytes_per_second;
  json["measured_at"] = FormatUtc(speed.measured_at);
  return json;
}

Result<DeviceSpeed> SpeedFromJson(const Json& json) {
  ASSIGN_OR_RETURN(auto measured_at,
                   ParseUtc(json.at("measured_at").get<std::string>()));
  return DeviceSpeed{
      .operations_per_second = json.at("operations_per_second").get<double>(),
      .memory_bytes_per_second =
          json.at("memory_bytes_per_second").get<double>(),
      .measured_at = measured_at};
}

Json EngineSpeedToJson(const EngineSpeed& speed) {
  Json json;
  json["threads"] = speed.threads;
  json["gemm_flops_per_second"] = speed.gemm_flops_per_second;
  json["conv_flops_per_second"] = speed.conv_flops_per_second;
  json["depthwise_flops_per_second"] = speed.depthwise_flops_per_second;
  json["elementwise_bytes_per_second"] = speed.elementwise_bytes_per_second;
  json["node_seconds"] = speed.node_seconds;
  return json;
}

EngineSpeed EngineSpeedFromJson(const Json& json) {
  auto number = [&](const char* key) { return json.at(key).get<double>(); };
  return {
      .threads = json.at("threads").get<int>(),
      .gemm_flops_per_second = number("gemm_flops_per_second"),
      .conv_flops_per_second = number("conv_flops_per_second"),
      .depthwise_flops_per_second = number("depthwise_flops_per_second"),
      .elementwise_bytes_per_second = number("elementwise_bytes_per_second"),
      .node_seconds = number("node_seconds")};
}

Json MicroToJson(const MicroMeasurements& micro) {
  Json json;
  json["engine"] = micro.engine;
  json["speeds"] = Json::array();
  for (const EngineSpeed& speed : micro.speeds) {
    json["speeds"].push_back(EngineSpeedToJson(speed));
  }
  json["measured_at"] = FormatUtc(micro.measured_at);
  return json;
}

Result<MicroMeasurements> MicroFromJson(const Json& json) {
  MicroMeasurements micro;
  micro.engine = json.at("engine").get<std::string>();
  for (const Json& speed : json.at("speeds")) {
    micro.speeds.push_back(EngineSpeedFromJson(speed));
  }
  ASSIGN_OR_RETURN(micro.measured_at,
                   ParseUtc(json.at("measured_at").get<std::string>()));
  return micro;
}

Json EmulationToJson(const Emulation& emulation) {
  Json json;
  json["host_id"] = emulation.host_id;
  json["limits"] = LimitsToJson(emulation.limits);
  json["period_microseconds"] = emulation.period.count();
  json["delivered_ratio"] = emulation.delivered_ratio;
  return json;
}

Emulation EmulationFromJson(const Json& json) {
  return {.host_id = json.at("host_id").get<std::string>(),
          .limits = LimitsFromJson(json.at("limits")),
          .period = std::chrono::microseconds(
              json.at("period_microseconds").get<int64_t>()),
          .delivered_ratio = json.at("delivered_ratio").get<double>()};
}

Result<Device> ReadDevice(const Json& json) {
  Device device;
  device.id = json.at("id").get<std::string>();
  device.name = json.at("name").get<std::string>();
  device.emulated = json.at("emulated").get<bool>();
  ASSIGN_OR_RETURN(device.registered_at,
                   ParseUtc(json.at("registered_at").get<std::string>()));
  device.facts = FactsFromJson(json.at("facts"));
  if (json.contains("emulation")) {
    device.emulation = EmulationFromJson(json.at("emulation"));
  }
  if (json.contains("speed")) {
    ASSIGN_OR_RETURN(device.speed, SpeedFromJson(json.at("speed")));
  }
  if (json.contains("micro")) {
    ASSIGN_OR_RETURN(device.micro, MicroFromJson(json.at("micro")));
  }
  return device;
}

}  // namespace

Json DeviceToJson(const Device& device) {
  Json json;
  json["id"] = device.id;
  json["name"] = device.name;
  json["emulated"] = device.emulated;
  json["registered_at"] = FormatUtc(device.registered_at);
  if (device.emulation) json["emulation"] = EmulationToJson(*device.emulation);
  json["facts"] = FactsToJson(device.facts);
  if (device.speed) json["speed"] = SpeedToJson(*device.speed);
  if (device.micro) json["micro"] = MicroToJson(*device.micro);
  return json;
}

Result<Device> DeviceFromJson(const Json& json) {
  return ReadJson("device", [&] { return ReadDevice(json); });
}

}  // namespace mete
