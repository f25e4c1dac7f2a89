#include "measure/application_yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/application_bounds.h"
#include "measure/container_options.h"
#include "measure/network_yaml.h"
#include "support/command_line.h"
#include "support/nearest.h"

namespace mete {
namespace {

using std::filesystem::path;

// A list of arguments, or one line that is split as a shell would.
YamlTaker TakeArguments(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    if (value.kind == YamlValue::Kind::kText) {
      ASSIGN_OR_RETURN(target, SplitCommandLine(value.text));
    } else {
      ASSIGN_OR_RETURN(target, YamlTexts(value));
    }
    if (target.empty()) return InvalidInput("is empty");
    return {};
  };
}

YamlTaker TakeTexts(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(target, YamlTexts(value));
    return {};
  };
}

// One text, "all" or "a,b", or a list of names.
YamlTaker TakeNodes(std::string& target) {
  return [&target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto names, YamlTexts(value));
    target = fmt::format("{}", fmt::join(names, ","));
    if (target.empty()) return InvalidInput("is empty");
    return {};
  };
}

YamlTaker TakePath(path& target, const path& base) {
  return TakeText(
      [base](const std::string& text) -> Result<path> {
        if (text.empty()) return InvalidInput("is empty");
        return (base / text).lexically_normal();
      },
      target);
}

// NAME: VALUE lines, or a list of NAME=VALUE.
YamlTaker TakeVariables(std::map<std::string, std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    if (value.kind == YamlValue::Kind::kMap) {
      for (const YamlEntry& entry : value.entries) {
        if (entry.value.kind != YamlValue::Kind::kText) {
          return entry.value.Fail("expected a single value");
        }
        target.insert_or_assign(entry.key, entry.value.text);
      }
      return {};
    }
    ASSIGN_OR_RETURN(auto texts, YamlTexts(value));
    for (const std::string& text : texts) {
      ASSIGN_OR_RETURN(auto variable, ParseVariable(text));
      target.insert_or_assign(variable.first, variable.second);
    }
    return {};
  };
}

YamlTaker TakeLimits(Limits& limits) {
  return [&limits](const YamlValue& block) {
    return ReadYamlMap(
        block, {{"memory", TakeText(ParseMemoryLimit, limits.memory)},
                {"cpus", TakeText(ParseCpuLimit, limits.cpus)},
                {"cpuset", TakeText(ParseCpuset, limits.cpuset)},
                {"pin", TakeText(ParseCpuset, limits.pin)},
                {"processes", TakeText(ParseProcesses, limits.processes)},
                {"threads", TakeText(ParseThreads, limits.threads)},
                {"swap", TakeTruth(limits.swap)}});
  };
}

YamlTaker TakeMounts(std::vector<Mount>& mounts, const path& base) {
  return [&mounts, base](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto texts, YamlTexts(value));
    for (const std::string& text : texts) {
      ASSIGN_OR_RETURN(Mount mount, ParseMount(text, base));
      mounts.push_back(std::move(mount));
    }
    return {};
  };
}

bool Has(const YamlValue& block, const std::string& key) {
  for (const YamlEntry& entry : block.entries) {
    if (entry.key == key) return true;
  }
  return false;
}

// Values that several keys of one block contribute to. They are applied after
// the whole block is read, so that the order of its keys does not matter.
struct OwnParts {
  std::vector<Mount> mounts;
  std::map<std::string, std::string> variables;         // from `env`
  std::map<std::string, std::string> option_variables;  // from -e options
  std::string option_folder;                            // from -w
};

// Keeps the default list if the block does not set it.
template <typename List>
void KeepUnlessSaid(bool said, const List& usual, List& own) {
  if (!said && own.empty()) own = usual;
}

// Reads keys for the most common options, and `options` for any arguments of
// docker run.
Status ReadDocker(const YamlValue& block, const path& base,
                  ContainerSettings& container, OwnParts& own) {
  ContainerOptions options{.settings = container};
  ContainerSettings& settings = options.settings;
  ContainerPrivileges& wide = settings.privileges;
  settings.mounts.clear();
  settings.devices.clear();
  wide.capabilities.clear();
  wide.security_options.clear();
  settings.temporary_folders.clear();
  settings.process_limits.clear();
  settings.groups.clear();
  std::vector<std::string> devices;
  std::vector<std::string> tmpfs;
  std::vector<std::string> ulimits;
  std::vector<std::string> env_files;
  std::vector<std::string> arguments;
  std::optional<std::string> gpus;
  std::optional<std::string> ipc;
  auto any = [](const std::string& text) -> Result<std::string> {
    return text;
  };
  RETURN_IF_ERROR(ReadYamlMap(
      block, {{"network", TakeText(settings.network)},
              {"devices", TakeTexts(devices)},
              {"runtime", TakeText(settings.runtime)},
              {"user", TakeText(settings.user)},
              {"shm", TakeText(ParseBytes, settings.shared_memory)},
              {"entrypoint", TakeText(any, settings.entrypoint)},
              {"gpus", TakeText(any, gpus)},
              {"ipc", TakeText(any, ipc)},
              {"tmpfs", TakeTexts(tmpfs)},
              {"ulimits", TakeTexts(ulimits)},
              {"groups", TakeTexts(settings.groups)},
              {"env_files", TakeTexts(env_files)},
              {"privileged", TakeTruth(wide.privileged)},
              {"host_processes", TakeTruth(wide.host_processes)},
              {"capabilities", TakeTexts(wide.capabilities)},
              {"security_options", TakeTexts(wide.security_options)},
              {"options", TakeArguments(arguments)}}));
  auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      arguments.insert(arguments.end(), {option, value});
    }
  };
  add("--device", devices);
  add("--tmpfs", tmpfs);
  add("--ulimit", ulimits);
  add("--env-file", env_files);
  if (gpus) add("--gpus", {*gpus});
  if (ipc) add("--ipc", {*ipc});
  RETURN_IF_ERROR(ReadContainerOptions(arguments, base, options));
  RETURN_IF_ERROR(ReadEnvironmentFiles(options));
  own.mounts.insert(own.mounts.end(), settings.mounts.begin(),
                    settings.mounts.end());
  own.option_variables = std::move(options.environment);
  own.option_folder = std::move(options.folder);
  settings.mounts = container.mounts;
  KeepUnlessSaid(Has(block, "devices"), container.devices, settings.devices);
  KeepUnlessSaid(Has(block, "capabilities"), container.privileges.capabilities,
                 wide.capabilities);
  KeepUnlessSaid(Has(block, "security_options"),
                 container.privileges.security_options, wide.security_options);
  KeepUnlessSaid(Has(block, "tmpfs"), container.temporary_folders,
                 settings.temporary_folders);
  KeepUnlessSaid(Has(block, "ulimits"), container.process_limits,
                 settings.process_limits);
  KeepUnlessSaid(Has(block, "groups"), container.groups, settings.groups);
  container = std::move(settings);
  return {};
}

// Variables are merged by name, and `env` takes precedence over -e options.
// Mounts are replaced.
void TakeOver(const YamlValue& block, const OwnParts& own,
              ApplicationDraft& draft) {
  for (const auto* variables : {&own.option_variables, &own.variables}) {
    for (const auto& [name, value] : *variables) {
      draft.spec.environment.insert_or_assign(name, value);
    }
  }
  if (Has(block, "mounts") || !own.mounts.empty()) {
    draft.container.mounts = own.mounts;
  }
}

Result<ApplicationSpec> FinishNetwork(const YamlValue& block, const path& base,
                                      NetworkOptions network,
                                      ApplicationSpec spec) {
  for (const char* key : {"args", "mounts", "docker", "pull", "launcher",
                          "node", "nodes", "dataset", "folder"}) {
    if (Has(block, key)) {
      return block.Fail(fmt::format("'{}' is not for a network", key));
    }
  }
  int endings = 0;
  for (const char* key : {"iterations", "duration", "until"}) {
    if (Has(block, key)) ++endings;
  }
  if (endings > 1) {
    return block.Fail("set only one of iterations, duration and until");
  }
  AnchorNetwork(base, network);
  Status checked = CheckNetworkOptions(network);
  if (!checked.ok()) return block.Fail(checked.error().message());
  spec.network = std::move(network);
  spec.dataset.clear();
  spec.folder = base;
  return spec;
}

}  // namespace

YamlTaker TakeProbes(ProbeChoice& probes) {
  return [&probes](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(auto names, YamlTexts(value));
    probes = {.machine = false, .hooks = false};
    for (const std::string& name : names) {
      RETURN_IF_ERROR(AddProbe(name, probes));
    }
    return {};
  };
}

Status ReadApplication(const YamlValue& block, const path& base,
                       ApplicationDraft& draft) {
  ApplicationSpec& spec = draft.spec;
  // What the block runs replaces what the defaults run.
  if (Has(block, "command") || Has(block, "network")) {
    draft.container.image.clear();
  }
  if (Has(block, "image") || Has(block, "network")) spec.command.clear();
  if (Has(block, "command") || Has(block, "image")) {
    draft.network.network.clear();
  }
  std::string folder;
  OwnParts own;
  YamlKeys keys = NetworkKeys(draft.network, base);
  for (const auto& key :
       YamlKeys{{"name", TakeText(spec.name)},
                {"command", TakeArguments(spec.command)},
                {"image", TakeText(draft.container.image)},
                {"network", TakePath(draft.network.network, base)},
                {"threads", TakeText(ParseThreads, spec.limits.threads)},
                {"args", TakeArguments(spec.command)},
                {"pull", TakeText(ParsePullPolicy, spec.pull)},
                {"launcher", TakeText(ParseLauncher, spec.launcher)},
                {"node", TakeText(spec.node)},
                {"nodes", TakeNodes(spec.nodes)},
                {"folder", TakeText(folder)},
                {"env", TakeVariables(own.variables)},
                {"dataset", TakePath(spec.dataset, base)},
                {"instructions", TakeText(spec.instructions)},
                {"limits", TakeLimits(spec.limits)},
                {"timeout", TakeText(ParseTimeout, spec.timeout)},
                {"grace", TakeText(ParseGrace, spec.grace)},
                {"repeat", TakeText(ParseRepeat, spec.repeat)},
                {"sample", TakeText(ParseHertz, spec.sample_hertz)},
                {"probes", TakeProbes(spec.probes)},
                {"mounts", TakeMounts(own.mounts, base)},
                {"docker", [&](const YamlValue& value) {
                   return ReadDocker(value, base, draft.container, own);
                 }}}) {
    keys.push_back(key);
  }
  RETURN_IF_ERROR(ReadYamlMap(block, keys));
  TakeOver(block, own, draft);
  if (folder.empty()) folder = own.option_folder;
  if (!folder.empty()) spec.folder = folder;
  return {};
}

Result<ApplicationSpec> FinishApplication(const YamlValue& block,
                                          const path& base,
                                          ApplicationDraft draft) {
  ApplicationSpec spec = std::move(draft.spec);
  if (Has(block, "network") && (Has(block, "command") || Has(block, "image"))) {
    return block.Fail("set a command, an image or a network, only one of them");
  }
  if (!draft.network.network.empty()) {
    return FinishNetwork(block, base, std::move(draft.network),
                         std::move(spec));
  }
  NetworkOptions unused;
  for (const auto& [key, taker] : NetworkKeys(unused, base)) {
    if (Has(block, key)) {
      return block.Fail(fmt::format("'{}' is for a network", key));
    }
  }
  if (Has(block, "command") && Has(block, "image")) {
    return block.Fail(
        "set a command or an image, not both; put the arguments of the image's "
        "entry point into 'args'");
  }
  if (!draft.container.image.empty()) {
    spec.container = std::move(draft.container);
    return spec;
  }
  for (const char* key :
       {"args", "mounts", "docker", "pull", "launcher", "node", "nodes"}) {
    if (Has(block, key)) {
      return block.Fail(
          fmt::format("'{}' is for an image, not for a command", key));
    }
  }
  if (spec.command.empty()) {
    return block.Fail("expected a command, an image or a network");
  }
  // Only a process uses paths of this machine; a container has its own.
  spec.folder = spec.folder.empty() ? base : (base / spec.folder);
  spec.folder = spec.folder.lexically_normal();
  return spec;
}

}  // namespace mete
