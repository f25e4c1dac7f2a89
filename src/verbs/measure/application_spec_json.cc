#include "measure/application_spec_json.h"

#include <limits>
#include <string_view>

#include "domain/limits_json.h"
#include "measure/container_options.h"
#include "measure/json_keys.h"
#include "measure/network_options_json.h"
#include "support/json.h"

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
  if (container.entrypoint) json["entrypoint"] = *container.entrypoint;
  if (container.gpus) json["gpus"] = FormatGpus(*container.gpus);
  for (const TemporaryFolder& folder : container.temporary_folders) {
    json["tmpfs"].push_back(FormatTemporaryFolder(folder));
  }
  for (const ProcessLimit& limit : container.process_limits) {
    json["ulimits"].push_back(FormatProcessLimit(limit));
  }
  SetText(json, "ipc", container.ipc);
  if (!container.groups.empty()) json["groups"] = container.groups;
  const ContainerPrivileges& wide = container.privileges;
  if (wide.privileged) json["privileged"] = true;
  if (wide.host_processes) json["host_processes"] = true;
  if (!wide.capabilities.empty()) json["capabilities"] = wide.capabilities;
  if (!wide.security_options.empty()) {
    json["security_options"] = wide.security_options;
  }
  return json;
}

Result<Mount> MountFromJson(const Json& json) {
  RETURN_IF_ERROR(
      CheckKeys(json, "container.mounts.", {"source", "target", "read_only"}));
  return Mount{.source = json.at("source").get<std::string>(),
               .target = json.at("target").get<std::string>(),
               .read_only = json.value("read_only", false)};
}

Result<DeviceNode> DeviceFromJson(const Json& json) {
  RETURN_IF_ERROR(CheckKeys(json, "container.devices.",
                            {"source", "target", "permissions"}));
  return DeviceNode{.source = json.at("source").get<std::string>(),
                    .target = json.at("target").get<std::string>(),
                    .permissions = json.at("permissions").get<std::string>()};
}

Status ReadLists(const Json& json, ContainerSettings& container) {
  if (auto mounts = json.find("mounts"); mounts != json.end()) {
    for (const Json& entry : *mounts) {
      ASSIGN_OR_RETURN(Mount mount, MountFromJson(entry));
      container.mounts.push_back(std::move(mount));
    }
  }
  if (auto devices = json.find("devices"); devices != json.end()) {
    for (const Json& entry : *devices) {
      ASSIGN_OR_RETURN(DeviceNode device, DeviceFromJson(entry));
      container.devices.push_back(std::move(device));
    }
  }
  return {};
}

// Reads the keys whose values are those of options of docker run.
Status ReadDockerKeys(const Json& json, ContainerSettings& container) {
  Texts arguments;
  auto add = [&](const char* option, const Texts& values) {
    for (const std::string& value : values) {
      arguments.insert(arguments.end(), {option, value});
    }
  };
  for (const auto& [key, option] :
       {std::pair("entrypoint", "--entrypoint"), std::pair("gpus", "--gpus"),
        std::pair("ipc", "--ipc")}) {
    if (auto value = GetOptional<std::string>(json, key)) add(option, {*value});
  }
  for (const auto& [key, option] :
       {std::pair("tmpfs", "--tmpfs"), std::pair("ulimits", "--ulimit"),
        std::pair("groups", "--group-add")}) {
    add(option, GetOptional<Texts>(json, key).value_or(Texts()));
  }
  ContainerOptions options{.settings = std::move(container)};
  Status read = ReadContainerOptions(arguments, "/", options);
  if (!read.ok()) return Corrupt("container: " + read.error().message());
  container = std::move(options.settings);
  return {};
}

Result<ContainerSettings> ContainerFromJson(const Json& json) {
  const std::string section = "container.";
  RETURN_IF_ERROR(
      CheckKeys(json, section,
                {"image", "mounts", "devices", "runtime", "network", "user",
                 "shared_memory_bytes", "entrypoint", "gpus", "tmpfs",
                 "ulimits", "ipc", "groups", "privileged", "host_processes",
                 "capabilities", "security_options"}));
  RETURN_IF_ERROR(CheckWhole(json, section, "shared_memory_bytes",
                             std::numeric_limits<int64_t>::max()));
  ContainerSettings container{.image = json.at("image").get<std::string>()};
  RETURN_IF_ERROR(ReadLists(json, container));
  RETURN_IF_ERROR(ReadDockerKeys(json, container));
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

Result<Limits> ReadLimits(const Json& json) {
  const std::string section = "limits.";
  RETURN_IF_ERROR(CheckKeys(json, section,
                            {"memory_bytes", "cpu_millicores", "threads",
                             "cpuset", "pin", "processes", "swap"}));
  RETURN_IF_ERROR(CheckWhole(json, section, "memory_bytes",
                             std::numeric_limits<int64_t>::max()));
  RETURN_IF_ERROR(CheckWhole(json, section, "cpu_millicores",
                             std::numeric_limits<int64_t>::max()));
  RETURN_IF_ERROR(
      CheckWhole(json, section, "threads", std::numeric_limits<int>::max()));
  RETURN_IF_ERROR(CheckWhole(json, section, "processes",
                             std::numeric_limits<uint64_t>::max()));
  return LimitsFromJson(json);
}

Result<ProbeChoice> ReadProbes(const Json& json) {
  RETURN_IF_ERROR(CheckKeys(json, "probes.", {"machine", "hooks", "wanted"}));
  ProbeChoice probes;
  for (const std::string& name :
       GetOptional<Texts>(json, "wanted").value_or(Texts())) {
    RETURN_IF_ERROR(AddProbe(name, probes));
  }
  probes.machine = json.at("machine").get<bool>();
  probes.hooks = json.at("hooks").get<bool>();
  return probes;
}

// Reads the nested blocks.
Status ReadBlocks(const Json& json, ApplicationSpec& spec) {
  if (auto found = json.find("container"); found != json.end()) {
    ASSIGN_OR_RETURN(spec.container, ContainerFromJson(*found));
  }
  if (auto found = json.find("network"); found != json.end()) {
    ASSIGN_OR_RETURN(spec.network, NetworkOptionsFromJson(*found));
  }
  if (auto found = json.find("limits"); found != json.end()) {
    ASSIGN_OR_RETURN(spec.limits, ReadLimits(*found));
  }
  if (auto found = json.find("probes"); found != json.end()) {
    ASSIGN_OR_RETURN(spec.probes, ReadProbes(*found));
  }
  return {};
}

bool HasNul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

// Arguments, variables and paths end at a NUL for the system, but not for the
// checks.
bool HoldsNul(const Json& json) {
  if (json.is_string()) return HasNul(json.get_ref<const std::string&>());
  if (!json.is_structured()) return false;
  for (const auto& [key, value] : json.items()) {
    if (HasNul(key) || HoldsNul(value)) return true;
  }
  return false;
}

Result<ApplicationSpec> ReadSpec(const Json& json) {
  if (HoldsNul(json)) return Corrupt("a text contains a NUL character");
  RETURN_IF_ERROR(
      CheckKeys(json, "",
                {"name", "command", "container", "network", "pull",
                 "environment", "folder", "dataset", "instructions", "limits",
                 "timeout_seconds", "grace_seconds", "repeat", "sample_hertz",
                 "probes", "launcher", "node"}));
  RETURN_IF_ERROR(
      CheckWhole(json, "", "repeat", std::numeric_limits<uint64_t>::max()));
  ApplicationSpec spec;
  RETURN_IF_ERROR(ReadBlocks(json, spec));
  spec.name = GetText(json, "name");
  spec.command = GetOptional<Texts>(json, "command").value_or(Texts());
  if (auto word = GetOptional<std::string>(json, "pull")) {
    ASSIGN_OR_RETURN(spec.pull, ParsePullPolicy(*word));
  }
  if (auto name = GetOptional<std::string>(json, "launcher")) {
    ASSIGN_OR_RETURN(spec.launcher, ParseLauncher(*name));
  }
  spec.node = GetText(json, "node");
  using Variables = std::map<std::string, std::string>;
  spec.environment =
      GetOptional<Variables>(json, "environment").value_or(Variables());
  spec.folder = GetText(json, "folder");
  spec.dataset = GetText(json, "dataset");
  spec.instructions = GetText(json, "instructions");
  if (auto seconds = GetOptional<double>(json, "timeout_seconds")) {
    spec.timeout = Seconds(*seconds);
  }
  spec.grace = Seconds(json.value("grace_seconds", spec.grace.count()));
  spec.repeat = json.value("repeat", spec.repeat);
  spec.sample_hertz = json.value("sample_hertz", spec.sample_hertz);
  return spec;
}

}  // namespace

Json ApplicationSpecToJson(const ApplicationSpec& spec) {
  const ApplicationSpec usual;
  Json json = Json::object();
  SetText(json, "name", spec.name);
  if (!spec.command.empty()) json["command"] = spec.command;
  if (spec.container) json["container"] = ContainerToJson(*spec.container);
  if (spec.network) json["network"] = NetworkOptionsToJson(*spec.network);
  if (spec.pull != usual.pull) json["pull"] = ToString(spec.pull);
  SetText(json, "launcher", spec.launcher);
  SetText(json, "node", spec.node);
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
  if (!spec.probes.required.empty()) {
    json["probes"]["wanted"] = spec.probes.required;
  }
  return json;
}

Result<ApplicationSpec> ApplicationSpecFromJson(const Json& json) {
  return ReadJson("application", [&] { return ReadSpec(json); });
}

}  // namespace mete
