#include "measure/application_spec_json.h"

#include <fmt/format.h>

#include "domain/limits_json.h"

namespace mete {
namespace {

using Texts = std::vector<std::string>;

Json MountsToJson(const std::vector<Mount>& mounts) {
  Json json = Json::array();
  for (const Mount& mount : mounts) {
    Json entry;
    entry["source"] = mount.source.string();
    entry["target"] = mount.target;
    if (mount.read_only) entry["read_only"] = true;
    json.push_back(std::move(entry));
  }
  return json;
}

Json DevicesToJson(const std::vector<DeviceNode>& devices) {
  Json json = Json::array();
  for (const DeviceNode& device : devices) {
    Json entry;
    entry["source"] = device.source;
    entry["target"] = device.target;
    entry["permissions"] = device.permissions;
    json.push_back(std::move(entry));
  }
  return json;
}

Json ContainerToJson(const ContainerSettings& container) {
  Json json;
  json["image"] = container.image;
  if (!container.mounts.empty()) {
    json["mounts"] = MountsToJson(container.mounts);
  }
  if (!container.devices.empty()) {
    json["devices"] = DevicesToJson(container.devices);
  }
  SetText(json, "runtime", container.runtime);
  SetText(json, "network", container.network);
  SetText(json, "user", container.user);
  if (container.shared_memory) {
    json["shared_memory_bytes"] = container.shared_memory->count;
  }
  const ContainerPrivileges& wide = container.privileges;
  if (wide.privileged) json["privileged"] = true;
  if (wide.host_processes) json["host_processes"] = true;
  if (!wide.capabilities.empty()) json["capabilities"] = wide.capabilities;
  if (!wide.security_options.empty()) {
    json["security_options"] = wide.security_options;
  }
  return json;
}

ContainerSettings ContainerFromJson(const Json& json) {
  ContainerSettings container{.image = json.at("image").get<std::string>()};
  for (const Json& entry : json.value("mounts", Json::array())) {
    container.mounts.push_back({.source = entry.at("source").get<std::string>(),
                                .target = entry.at("target").get<std::string>(),
                                .read_only = entry.value("read_only", false)});
  }
  for (const Json& entry : json.value("devices", Json::array())) {
    container.devices.push_back(
        {.source = entry.at("source").get<std::string>(),
         .target = entry.at("target").get<std::string>(),
         .permissions = entry.at("permissions").get<std::string>()});
  }
  container.runtime = GetText(json, "runtime");
  container.network = GetText(json, "network");
  container.user = GetText(json, "user");
  if (auto bytes = GetOptional<uint64_t>(json, "shared_memory_bytes")) {
    container.shared_memory = Bytes{*bytes};
  }
  container.privileges = {
      .privileged = json.value("privileged", false),
      .host_processes = json.value("host_processes", false),
      .capabilities =
          GetOptional<Texts>(json, "capabilities").value_or(Texts()),
      .security_options =
          GetOptional<Texts>(json, "security_options").value_or(Texts())};
  return container;
}

Result<ApplicationSpec> ReadSpec(const Json& json) {
  ApplicationSpec spec;
  spec.name = GetText(json, "name");
  spec.command = GetOptional<Texts>(json, "command").value_or(Texts());
  if (json.contains("container")) {
    spec.container = ContainerFromJson(json.at("container"));
  }
  if (auto word = GetOptional<std::string>(json, "pull")) {
    ASSIGN_OR_RETURN(spec.pull, ParsePullPolicy(*word));
  }
  using Variables = std::map<std::string, std::string>;
  spec.environment =
      GetOptional<Variables>(json, "environment").value_or(Variables());
  spec.folder = GetText(json, "folder");
  spec.dataset = GetText(json, "dataset");
  spec.instructions = GetText(json, "instructions");
  spec.limits = LimitsFromJson(json.value("limits", Json::object()));
  if (auto seconds = GetOptional<double>(json, "timeout_seconds")) {
    spec.timeout = Seconds(*seconds);
  }
  spec.grace = Seconds(json.value("grace_seconds", spec.grace.count()));
  spec.repeat = json.value("repeat", spec.repeat);
  spec.sample_hertz = json.value("sample_hertz", spec.sample_hertz);
  if (json.contains("probes")) {
    spec.probes = {.machine = json.at("probes").at("machine").get<bool>(),
                   .hooks = json.at("probes").at("hooks").get<bool>()};
    using Names = std::vector<std::string>;
    spec.probes.wanted =
        GetOptional<Names>(json.at("probes"), "wanted").value_or(Names());
  }
  return spec;
}

}  // namespace

Json ApplicationSpecToJson(const ApplicationSpec& spec) {
  const ApplicationSpec usual;
  Json json = Json::object();
  SetText(json, "name", spec.name);
  if (!spec.command.empty()) json["command"] = spec.command;
  if (spec.container) json["container"] = ContainerToJson(*spec.container);
  if (spec.pull != usual.pull) json["pull"] = NameOf(spec.pull);
  if (!spec.environment.empty()) json["environment"] = spec.environment;
  SetText(json, "folder", spec.folder.string());
  SetText(json, "dataset", spec.dataset.string());
  SetText(json, "instructions", spec.instructions);
  json["limits"] = LimitsToJson(spec.limits);
  if (spec.timeout) json["timeout_seconds"] = spec.timeout->count();
  json["grace_seconds"] = spec.grace.count();
  json["repeat"] = spec.repeat;
  json["sample_hertz"] = spec.sample_hertz;
  json["probes"]["machine"] = spec.probes.machine;
  json["probes"]["hooks"] = spec.probes.hooks;
  if (!spec.probes.wanted.empty()) {
    json["probes"]["wanted"] = spec.probes.wanted;
  }
  return json;
}

Result<ApplicationSpec> ApplicationSpecFromJson(const Json& json) {
  // The JSON library throws on a missing key or another kind of value.
  try {
    return ReadSpec(json).While("read application");
  } catch (const Json::exception& error) {
    return Corrupt(fmt::format("read application: {}", error.what()));
  }
}

}  // namespace mete
