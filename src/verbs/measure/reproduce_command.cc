#include "measure/reproduce_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/container_privilege.h"
#include "support/words.h"

namespace mete {
namespace {

// Numbers as the flags read them back, to the last digit.
std::string BytesWord(Bytes bytes) {
  constexpr uint64_t kMebi = 1 << 20;
  if (bytes.count % kMebi == 0) return fmt::format("{}Mi", bytes.count / kMebi);
  return std::to_string(bytes.count);
}
std::string SecondsWord(Seconds seconds) {
  return fmt::format("{}s", seconds.count());
}

void AddLimits(const Limits& limits, std::vector<std::string>& words) {
  auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  if (limits.memory) add("--memory", BytesWord(*limits.memory));
  if (limits.cpus) add("--cpus", fmt::format("{}m", limits.cpus->count));
  if (limits.cpuset) add("--cpuset", *limits.cpuset);
  if (limits.processes) add("--processes", std::to_string(*limits.processes));
  if (limits.threads) add("--threads", std::to_string(*limits.threads));
  if (limits.swap) words.emplace_back("--swap");
}

void AddContainer(const ContainerSettings& container,
                  std::vector<std::string>& words) {
  auto option = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) words.push_back("--docker-arg=" + name + "=" + value);
  };
  words.insert(words.end(), {"--image", container.image});
  for (const Mount& mount : container.mounts) {
    words.insert(words.end(),
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
  const ContainerPrivileges& wide = container.privileges;
  if (wide.privileged) words.emplace_back("--docker-arg=--privileged");
  if (wide.host_processes) option("--pid", "host");
  for (const std::string& name : wide.capabilities) option("--cap-add", name);
  for (const std::string& text : wide.security_options) {
    option("--security-opt", text);
  }
}

}  // namespace

std::string MeasureCommand(const ApplicationSpec& spec) {
  const ApplicationSpec usual;
  std::vector<std::string> words = {"mete", "measure"};
  auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  AddLimits(spec.limits, words);
  if (spec.timeout) add("--timeout", SecondsWord(*spec.timeout));
  if (spec.grace != usual.grace) add("--grace", SecondsWord(spec.grace));
  if (spec.repeat != usual.repeat) add("--repeat", std::to_string(spec.repeat));
  if (spec.sample_hertz != usual.sample_hertz) {
    add("--sample", fmt::format("{}Hz", spec.sample_hertz));
  }
  if (!spec.probes.wanted.empty()) {
    add("--probes", fmt::format("{}", fmt::join(spec.probes.wanted, ",")));
  }
  for (const auto& [name, value] : spec.environment) {
    add("--env", name + "=" + value);
  }
  if (!spec.dataset.empty()) add("--dataset", spec.dataset.string());
  if (spec.container) {
    AddContainer(*spec.container, words);
    if (spec.pull != usual.pull) add("--pull", std::string(NameOf(spec.pull)));
    if (WidenedPrivilege(*spec.container)) {
      words.emplace_back("--allow-privileged");
    }
  }
  std::string line = JoinWords(words);
  if (!spec.container && !spec.folder.empty()) {
    line = "cd " + JoinWords({spec.folder.string()}) + " && " + line;
  }
  if (spec.command.empty()) return line;
  return line + " -- " + JoinWords(spec.command);
}

std::string MeasureCommand(const Run& run) {
  std::vector<std::string> words = {"mete", "measure"};
  AddLimits(run.limits, words);
  std::string line = JoinWords(words);
  switch (run.workload.kind) {
    case WorkloadKind::kNetwork:
      return line + " " + JoinWords({run.workload.source});
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
