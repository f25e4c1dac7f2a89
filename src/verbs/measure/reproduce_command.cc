#include "measure/reproduce_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/container_options.h"
#include "measure/container_privilege.h"
#include "support/command_line.h"

namespace mete {
namespace {

// Formats numbers so that the flags parse them back exactly.
std::string BytesWord(Bytes bytes) {
  constexpr uint64_t kMebi = 1 << 20;
  if (bytes.count % kMebi == 0) return fmt::format("{}Mi", bytes.count / kMebi);
  return fmt::format("{}B", bytes.count);
}
std::string SecondsWord(Seconds seconds) {
  return fmt::format("{}s", seconds.count());
}

void AddLimits(const Limits& limits, std::vector<std::string>& arguments) {
  auto add = [&](const char* flag, const std::string& value) {
    arguments.insert(arguments.end(), {flag, value});
  };
  if (limits.memory) add("--memory", BytesWord(*limits.memory));
  if (limits.cpus) add("--cpus", fmt::format("{}m", limits.cpus->count));
  if (limits.cpuset) add("--cpuset", *limits.cpuset);
  if (limits.pin) add("--pin", *limits.pin);
  if (limits.processes) add("--processes", std::to_string(*limits.processes));
  if (limits.threads) add("--threads", std::to_string(*limits.threads));
  if (limits.swap) arguments.emplace_back("--swap");
}

void AddContainer(const ContainerSettings& container,
                  std::vector<std::string>& arguments) {
  auto option = [&](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    arguments.push_back("--docker-arg=" +
                        JoinCommandLine({name + "=" + value}));
  };
  arguments.insert(arguments.end(), {"--image", container.image});
  for (const Mount& mount : container.mounts) {
    arguments.insert(arguments.end(),
                     {"--mount", mount.source.string() + ":" + mount.target +
                                     (mount.read_only ? ":ro" : "")});
  }
  for (const DeviceNode& device : container.devices) {
    option("--device",
           device.source + ":" + device.target + ":" + device.permissions);
  }
  option("--runtime", container.runtime);
  option("--network", container.network);
  option("--user", container.user);
  if (container.shared_memory) {
    option("--shm-size", BytesWord(*container.shared_memory));
  }
  if (container.entrypoint) {
    // An empty value has an effect.
    arguments.push_back(
        "--docker-arg=" +
        JoinCommandLine({"--entrypoint=" + *container.entrypoint}));
  }
  if (container.gpus) option("--gpus", FormatGpus(*container.gpus));
  for (const TemporaryFolder& folder : container.temporary_folders) {
    option("--tmpfs", FormatTemporaryFolder(folder));
  }
  for (const ProcessLimit& limit : container.process_limits) {
    option("--ulimit", FormatProcessLimit(limit));
  }
  option("--ipc", container.ipc);
  for (const std::string& group : container.groups) {
    option("--group-add", group);
  }
  const ContainerPrivileges& wide = container.privileges;
  if (wide.privileged) arguments.emplace_back("--docker-arg=--privileged");
  if (wide.host_processes) option("--pid", "host");
  for (const std::string& name : wide.capabilities) option("--cap-add", name);
  for (const std::string& text : wide.security_options) {
    option("--security-opt", text);
  }
}

}  // namespace

std::string MeasureCommand(const ApplicationSpec& spec) {
  const ApplicationSpec usual;
  std::vector<std::string> arguments = {"mete", "measure"};
  auto add = [&](const char* flag, const std::string& value) {
    arguments.insert(arguments.end(), {flag, value});
  };
  AddLimits(spec.limits, arguments);
  if (spec.timeout) add("--timeout", SecondsWord(*spec.timeout));
  if (spec.grace != usual.grace) add("--grace", SecondsWord(spec.grace));
  if (spec.repeat != usual.repeat) add("--repeat", std::to_string(spec.repeat));
  if (spec.sample_hertz != usual.sample_hertz) {
    add("--sample", fmt::format("{}Hz", spec.sample_hertz));
  }
  if (!spec.probes.required.empty()) {
    add("--probes", fmt::format("{}", fmt::join(spec.probes.required, ",")));
  }
  for (const auto& [name, value] : spec.environment) {
    add("--env", fmt::format("{}={}", name, value));
  }
  if (!spec.dataset.empty()) add("--dataset", spec.dataset.string());
  if (spec.network) {
    const std::vector<std::string> network = OptionArguments(*spec.network);
    arguments.insert(arguments.begin() + 2, network.begin(), network.end());
    return JoinCommandLine(arguments);
  }
  if (spec.container) {
    AddContainer(*spec.container, arguments);
    if (!spec.folder.empty()) {
      arguments.push_back(
          "--docker-arg=" +
          JoinCommandLine({"--workdir=" + spec.folder.string()}));
    }
    if (spec.pull != usual.pull)
      add("--pull", std::string(ToString(spec.pull)));
    if (!spec.launcher.empty()) add("--launcher", spec.launcher);
    if (!spec.nodes.empty()) add("--nodes", spec.nodes);
    if (!spec.node.empty()) add("--node", spec.node);
    if (WidenedPrivilege(*spec.container)) {
      arguments.emplace_back("--allow-privileged");
    }
  }
  std::string line = JoinCommandLine(arguments);
  if (!spec.container && !spec.folder.empty()) {
    line = "cd " + JoinCommandLine({spec.folder.string()}) + " && " + line;
  }
  if (spec.command.empty()) return line;
  return line + " -- " + JoinCommandLine(spec.command);
}

std::string MeasureCommand(const Run& run) {
  std::vector<std::string> arguments = {"mete", "measure"};
  AddLimits(run.limits, arguments);
  std::string line = JoinCommandLine(arguments);
  switch (run.workload.kind) {
    case WorkloadKind::kNetwork:
      if (run.network() && !run.network()->arguments.empty()) {
        return line + " " + JoinCommandLine(run.network()->arguments);
      }
      return line + " " + JoinCommandLine({run.workload.source});
    case WorkloadKind::kCommand:
      return line + " -- " + run.workload.source;
    case WorkloadKind::kImage:
      return line + " --image " + run.workload.source;
    case WorkloadKind::kService:
      break;
  }
  return "";
}

}  // namespace mete
