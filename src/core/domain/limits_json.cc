#include "domain/limits_json.h"

#include <string>

#include "support/json.h"

namespace mete {

Json LimitsToJson(const Limits& limits) {
  Json json = Json::object();
  if (limits.memory) json["memory_bytes"] = limits.memory->count;
  if (limits.cpus) json["cpu_millicores"] = limits.cpus->count;
  if (limits.threads) json["threads"] = *limits.threads;
  if (limits.cpuset) json["cpuset"] = *limits.cpuset;
  if (limits.pin) json["pin"] = *limits.pin;
  if (limits.processes) json["processes"] = *limits.processes;
  if (limits.swap) json["swap"] = true;
  return json;
}

Limits LimitsFromJson(const Json& json) {
  Limits limits;
  if (auto bytes = GetOptional<uint64_t>(json, "memory_bytes")) {
    limits.memory = Bytes{*bytes};
  }
  if (auto cpus = GetOptional<int64_t>(json, "cpu_millicores")) {
    limits.cpus = Millicores{*cpus};
  }
  limits.threads = GetOptional<int>(json, "threads");
  limits.cpuset = GetOptional<std::string>(json, "cpuset");
  limits.pin = GetOptional<std::string>(json, "pin");
  limits.processes = GetOptional<uint64_t>(json, "processes");
  limits.swap = GetOptional<bool>(json, "swap").value_or(false);
  return limits;
}

}  // namespace mete
