#include "measure/prepare_application.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "measure/application_bounds.h"
#include "measure/container_privilege.h"
#include "measure/container_view.h"
#include "measure/network_process.h"
#include "measure/pin.h"
#include "support/command_line.h"
#include "support/sha256.h"

namespace mete {
namespace {

Status CheckDataset(const std::filesystem::path& dataset) {
  std::error_code error;
  const std::string act = "dataset " + dataset.string();
  if (!std::filesystem::exists(dataset, error)) {
    return NotFound(act + ": no such file or folder");
  }
  bool folder = std::filesystem::is_directory(dataset, error);
  if (access(dataset.c_str(), folder ? R_OK | X_OK : R_OK) != 0) {
    return SystemError(act, errno);
  }
  return {};
}

Status CheckMounts(const ContainerSettings& container) {
  std::error_code error;
  for (const Mount& mount : container.mounts) {
    // Otherwise an engine would create an empty folder there, owned by root.
    if (!std::filesystem::exists(mount.source, error)) {
      return NotFound("mount " + mount.source.string() +
                      ": no such file or folder");
    }
  }
  return {};
}

Workload MakeWorkload(const ApplicationSpec& spec) {
  Workload workload{.kind = WorkloadKind::kCommand, .name = DisplayName(spec)};
  if (spec.network) {
    workload.kind = WorkloadKind::kNetwork;
    workload.source = spec.network->network.string();
    workload.batch = spec.network->batch;
    return workload;
  }
  std::vector<std::string> arguments = spec.command;
  if (spec.container) {
    workload.kind = WorkloadKind::kImage;
    arguments.insert(arguments.begin(), spec.container->image);
  }
  workload.source = JoinCommandLine(arguments);
  if (!spec.dataset.empty()) {
    workload.input_origin = "dataset " + spec.dataset.string();
  }
  return workload;
}

Status CheckPlace(const ApplicationSpec& spec) {
  if (!spec.launcher.empty() && !spec.container) {
    return InvalidInput("a cluster runs images only: no image is given");
  }
  if (!(spec.node + spec.nodes).empty() && spec.launcher.empty()) {
    return InvalidInput("a node can be chosen with the launcher kubernetes");
  }
  if (!spec.node.empty() && !spec.nodes.empty()) {
    return InvalidInput("set node or nodes, not both");
  }
  return {};
}

Result<Launcher*> FindLauncher(const PreparedApplication& prepared,
                               Launchers& launchers, std::stop_token stop) {
  const std::string& name = prepared.spec.launcher;
  if (name.empty()) return launchers.Find(prepared.workload.kind, stop);
  return launchers.Find(name, stop);
}

PreparedApplication MakePreparedApplication(const ApplicationSpec& spec,
                                            const RunContext& context) {
  PreparedApplication application{.spec = spec,
                                  .launch = {.command = spec.command,
                                             .container = spec.container,
                                             .pull = spec.pull,
                                             .environment = spec.environment,
                                             .folder = spec.folder,
                                             .limits = spec.limits,
                                             .node = spec.node},
                                  .workload = MakeWorkload(spec),
                                  .device_id = context.device.id,
                                  .device_name = context.device.name,
                                  .mete_version = context.mete_version};
  LaunchRequest& launch = application.launch;
  if (!spec.container && !spec.network) launch.user = context.user;
  if (!spec.dataset.empty()) ShowDataset(spec.dataset, launch);
  if (!spec.launcher.empty()) {
    // They observe this machine, on which the application does not run.
    application.spec.probes.machine = false;
    application.spec.probes.hooks = false;
  }
  if (launch.container) {
    launch.container->privileges.engine_socket = context.allow_privileged;
  }
  return application;
}

Status CheckNetworkSpec(const ApplicationSpec& spec) {
  if (spec.container || !spec.command.empty()) {
    return InvalidInput(
        "set a command, an image or a network, only one of "
        "them");
  }
  if (!spec.dataset.empty()) {
    return InvalidInput("'dataset' is not for a network");
  }
  RETURN_IF_ERROR(CheckBounds(spec));
  RETURN_IF_ERROR(CheckNetworkOptions(*spec.network));
  RETURN_IF_ERROR(CheckNetworkFile(spec.network->network));
  for (const std::string& given : spec.network->inputs) {
    const std::filesystem::path file =
        spec.folder / given.substr(given.find('=') + 1);
    std::error_code error;
    if (file.extension() != ".npy") continue;
    if (!std::filesystem::exists(file, error)) {
      return NotFound("input " + file.string() + ": no such file");
    }
  }
  return {};
}

// Makes the application a process of mete that measures the network.
Status PrepareNetwork(const RunContext& context, const NetworkRunner& runner,
                      PreparedApplication& prepared) {
  ApplicationSpec& spec = prepared.spec;
  const NetworkOptions& network = *spec.network;
  if (runner.program.empty()) {
    return Unavailable("networks cannot be measured here");
  }
  if (runner.check) RETURN_IF_ERROR(runner.check(network.network));
  ASSIGN_OR_RETURN(prepared.workload.sha256, Sha256OfFile(network.network));
  const int threads = ThreadsFor(spec.limits, context.device, runner.defaults);
  spec.limits.threads = threads;
  LaunchRequest& launch = prepared.launch;
  launch.command = NetworkCommand(network, spec.limits, runner);
  launch.limits.threads = threads;
  for (const auto& [name, value] : runner.environment) {
    launch.environment.emplace(name, value);
  }
  return {};
}

}  // namespace

Status CheckSpec(const ApplicationSpec& spec, bool allow_privileged) {
  RETURN_IF_ERROR(CheckPlace(spec));
  if (spec.network) return CheckNetworkSpec(spec);
  if (!spec.container && spec.command.empty()) {
    return InvalidInput("neither a command nor an image is given");
  }
  RETURN_IF_ERROR(CheckBounds(spec));
  if (!spec.dataset.empty()) RETURN_IF_ERROR(CheckDataset(spec.dataset));
  if (!spec.container) return {};
  ContainerSettings seen = *spec.container;
  if (!spec.dataset.empty()) seen.mounts.push_back(DatasetMount(spec.dataset));
  RETURN_IF_ERROR(CheckPrivileges(seen, allow_privileged));
  return CheckMounts(*spec.container);
}

Result<PreparedApplication> PrepareApplication(
    const ApplicationSpec& spec, const RunContext& context,
    const ApplicationDependencies& platform,
    const std::function<void(const std::string&)>& progress,
    std::stop_token stop) {
  RETURN_IF_ERROR(CheckSpec(spec, context.allow_privileged));
  if (spec.limits.pin) {
    RETURN_IF_ERROR(CheckPin(*spec.limits.pin, platform.host).While("pin"));
  }
  PreparedApplication prepared = MakePreparedApplication(spec, context);
  if (spec.network) {
    RETURN_IF_ERROR(PrepareNetwork(context, platform.networks, prepared));
    // Nothing else has to be fetched before a process of mete can start.
    ASSIGN_OR_RETURN(prepared.launcher,
                     platform.launchers.Find(WorkloadKind::kCommand, stop));
    return prepared;
  }
  // Other paths refer to the application's folder.
  const bool torch = !spec.container && spec.command[0] == kTorchProgram;
  if (torch && !platform.torch.beside.empty()) {
    ASSIGN_OR_RETURN(
        prepared.launch.command,
        WithTorchFound(std::move(prepared.launch.command), platform.torch));
  }
  ASSIGN_OR_RETURN(prepared.launcher,
                   FindLauncher(prepared, platform.launchers, stop));
  ASSIGN_OR_RETURN(
      LaunchFacts facts,
      prepared.launcher->Prepare(prepared.launch, progress, std::move(stop)));
  prepared.workload.sha256 = facts.sha256;
  prepared.engine = facts.engine;
  return prepared;
}

}  // namespace mete
