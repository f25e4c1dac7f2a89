#include "measure/application_spec.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "domain/limits_json.h"
#include "measure/run_application.h"
#include "support/nearest.h"

namespace mete {
namespace {

constexpr std::array<std::pair<PullPolicy, std::string_view>, 3> kPolicies = {
    {{PullPolicy::kMissing, "missing"},
     {PullPolicy::kAlways, "always"},
     {PullPolicy::kNever, "never"}}};

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
  }
  return spec;
}

}  // namespace

std::string NameOf(const ApplicationSpec& spec) {
  if (!spec.name.empty()) return spec.name;
  if (spec.container) return spec.container->image;
  if (spec.command.empty()) return "";
  return std::filesystem::path(spec.command[0]).filename().string();
}

std::string_view NameOf(PullPolicy policy) {
  for (const auto& [candidate, name] : kPolicies) {
    if (candidate == policy) return name;
  }
  CHECK(false) << "a policy without a name: " << static_cast<int>(policy);
  return "";
}

Result<PullPolicy> ParsePullPolicy(const std::string& word) {
  Texts names;
  for (const auto& [policy, name] : kPolicies) {
    if (name == word) return policy;
    names.emplace_back(name);
  }
  return InvalidInput(fmt::format("'{}' is not missing, always or never{}",
                                  word, DidYouMean(word, names)));
}

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

Result<double> ParseHertz(std::string_view text) {
  std::string_view digits = text;
  for (std::string_view unit : {"Hz", "hz", "HZ"}) {
    if (digits.ends_with(unit)) digits.remove_suffix(unit.size());
  }
  double hertz = 0;
  auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), hertz);
  bool whole = error == std::errc() && rest == digits.data() + digits.size();
  if (!whole || hertz < kSlowestSampling || hertz > kFastestSampling) {
    return InvalidInput(
        fmt::format("'{}' is not a rate from {} to {} a second, as in 10Hz",
                    text, kSlowestSampling, kFastestSampling));
  }
  return hertz;
}

Result<Seconds> ParseTimeout(const std::string& text) {
  ASSIGN_OR_RETURN(Seconds length, ParseDuration(text));
  if (length.count() <= 0) return InvalidInput("must be longer than nothing");
  return length;
}

Result<std::pair<std::string, std::string>> ParseVariable(
    const std::string& text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return InvalidInput(fmt::format("'{}' is not NAME=VALUE", text));
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace mete
