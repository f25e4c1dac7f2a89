#include "adapters/docker/container_config.h"

#include "ports/launch_environment.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr int64_t kNanocpusPerMillicore = 1'000'000;

void SetLimits(Json& host, const Limits& limits) {
  if (limits.memory) {
    host["Memory"] = limits.memory->count;
    // Memory and swap together: the same value leaves nothing for swap; -1
    // means unlimited.
    host["MemorySwap"] = limits.swap ? Json(-1) : Json(limits.memory->count);
  }
  if (limits.cpus) {
    host["NanoCpus"] = limits.cpus->count * kNanocpusPerMillicore;
  }
  if (limits.cpuset) host["CpusetCpus"] = *limits.cpuset;
  // Containers are pinned by the same means.
  if (limits.pin) host["CpusetCpus"] = *limits.pin;
  if (limits.processes) host["PidsLimit"] = *limits.processes;
}

Json MakeMountsJson(const std::vector<Mount>& mounts) {
  Json list = Json::array();
  for (const Mount& mount : mounts) {
    // Not as "Binds", which creates missing paths.
    list.push_back({{"Type", "bind"},
                    {"Source", mount.source.string()},
                    {"Target", mount.target},
                    {"ReadOnly", mount.read_only}});
  }
  return list;
}

Json MakeDevicesJson(const std::vector<DeviceNode>& devices) {
  Json list = Json::array();
  for (const DeviceNode& device : devices) {
    list.push_back({{"PathOnHost", device.source},
                    {"PathInContainer", device.target},
                    {"CgroupPermissions", device.permissions}});
  }
  return list;
}

Json MakeGpusJson(const GpuChoice& gpus) {
  Json request;
  request["Capabilities"] = Json::array({Json::array({"gpu"})});
  if (gpus.devices.empty()) {
    request["Count"] = gpus.count;
  } else {
    request["DeviceIDs"] = gpus.devices;
  }
  return Json::array({std::move(request)});
}

Json MakeProcessLimitsJson(const std::vector<ProcessLimit>& limits) {
  Json list = Json::array();
  for (const ProcessLimit& limit : limits) {
    list.push_back(
        {{"Name", limit.name}, {"Soft", limit.soft}, {"Hard", limit.hard}});
  }
  return list;
}

// Sets the options that are not limits, mounts or privileges.
void SetOptions(Json& host, const ContainerSettings& settings) {
  if (settings.gpus) host["DeviceRequests"] = MakeGpusJson(*settings.gpus);
  for (const TemporaryFolder& folder : settings.temporary_folders) {
    host["Tmpfs"][folder.target] = folder.options;
  }
  if (!settings.process_limits.empty()) {
    host["Ulimits"] = MakeProcessLimitsJson(settings.process_limits);
  }
  if (!settings.ipc.empty()) host["IpcMode"] = settings.ipc;
  if (!settings.groups.empty()) host["GroupAdd"] = settings.groups;
}

void SetPrivileges(Json& host, const ContainerPrivileges& privileges) {
  if (privileges.privileged) host["Privileged"] = true;
  if (privileges.host_processes) host["PidMode"] = "host";
  if (!privileges.capabilities.empty()) {
    host["CapAdd"] = privileges.capabilities;
  }
  if (!privileges.security_options.empty()) {
    host["SecurityOpt"] = privileges.security_options;
  }
}

}  // namespace

Json ContainerConfig(const ContainerRequest& request) {
  const LaunchRequest& launch = request.launch;
  const ContainerSettings& settings = *launch.container;
  Json config = {{"Image", settings.image},
                 {"Env", EnvironmentFor(launch, request.image_environment)},
                 {"Labels", {{kOwnerLabel, request.owner}}}};
  if (!launch.command.empty()) config["Cmd"] = launch.command;
  if (!launch.folder.empty()) config["WorkingDir"] = launch.folder.string();
  if (!settings.user.empty()) config["User"] = settings.user;
  if (settings.entrypoint) {
    config["Entrypoint"] = Json::array({*settings.entrypoint});
  }
  // The output is read through the engine's own log, which must neither be sent
  // elsewhere nor fill the disk.
  Json host = {{"LogConfig",
                {{"Type", "json-file"},
                 {"Config", {{"max-size", "16m"}, {"max-file", "2"}}}}}};
  SetLimits(host, launch.limits);
  if (!settings.mounts.empty())
    host["Mounts"] = MakeMountsJson(settings.mounts);
  if (!settings.devices.empty())
    host["Devices"] = MakeDevicesJson(settings.devices);
  if (!settings.runtime.empty()) host["Runtime"] = settings.runtime;
  if (!settings.network.empty()) host["NetworkMode"] = settings.network;
  if (settings.shared_memory) host["ShmSize"] = settings.shared_memory->count;
  if (!request.parent_group.empty()) {
    host["CgroupParent"] = request.parent_group;
  }
  SetOptions(host, settings);
  SetPrivileges(host, settings.privileges);
  config["HostConfig"] = std::move(host);
  return config;
}

}  // namespace mete
