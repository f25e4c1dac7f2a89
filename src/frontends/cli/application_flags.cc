#include "cli/application_flags.h"

#include <algorithm>

#include "measure/application_bounds.h"
#include "measure/container_options.h"
#include "measure/container_privilege.h"
#include "measure/pin.h"
#include "support/command_line.h"
#include "support/text.h"

namespace mete {
namespace {

// Parses "perf,gpu". These probes are added to those that always run.
Result<ProbeChoice> ParseProbes(const std::string& text) {
  ProbeChoice probes;
  for (const std::string& name : SplitAt(text, ',')) {
    RETURN_IF_ERROR(AddProbe(name, probes));
  }
  return probes;
}

// Checks the syntax only; paths are resolved when the container is made.
Result<Mount> CheckMount(const std::string& text) {
  return ParseMount(text, "/");
}

Status CheckDockerArgument(const std::string& text) {
  ASSIGN_OR_RETURN(auto arguments, SplitCommandLine(text));
  ContainerOptions options;
  return ReadContainerOptions(arguments, "/", options);
}

// Returns the container that --image and its options describe.
Status FillContainer(const ApplicationFlags& flags, ApplicationSpec& spec) {
  const std::filesystem::path here = std::filesystem::current_path();
  ContainerOptions options{.settings = {.image = flags.image}};
  for (const std::string& text : flags.mounts) {
    ASSIGN_OR_RETURN(Mount mount, ParseMount(text, here));
    options.settings.mounts.push_back(std::move(mount));
  }
  for (const std::string& text : flags.docker_arguments) {
    ASSIGN_OR_RETURN(auto arguments, SplitCommandLine(text));
    RETURN_IF_ERROR(
        ReadContainerOptions(arguments, here, options).While("--docker-arg"));
  }
  RETURN_IF_ERROR(ReadEnvironmentFiles(options).While("--docker-arg"));
  if (!options.folder.empty()) spec.folder = options.folder;
  spec.container = std::move(options.settings);
  spec.environment.merge(options.environment);
  ASSIGN_OR_RETURN(spec.pull, ParsePullPolicy(flags.pull));
  spec.launcher = flags.launcher;
  spec.node = flags.node;
  return {};
}

void AddContainerFlags(Command command, ApplicationFlags& flags,
                       std::vector<std::string>& added) {
  added.insert(added.end(), {"--image", "--pull", "--mount", "--docker-arg",
                             "--launcher", "--node", "--allow-privileged"});
  command.Option("--image", flags.image,
                 "Run this container image (arguments after --)");
  command
      .Option("--pull", flags.pull,
              "Image: when to pull: missing (default), always or never")
      .Check(ParsePullPolicy, "WHEN");
  command
      .Option("--mount", flags.mounts,
              "Image: mount a folder, e.g. data:/data:ro")
      .Check(CheckMount, "SOURCE:TARGET[:ro]")
      .OneEach();
  command
      .Option("--docker-arg", flags.docker_arguments,
              "Image: option for docker run, e.g. '--network none'")
      .Check(CheckDockerArgument, "ARG")
      .OneEach();
  command
      .Option("--launcher", flags.launcher,
              "Image: run it on a cluster: kubernetes")
      .Check(ParseLauncher, "NAME");
  command
      .Option("--node", flags.node,
              "Image: node of the cluster (default: its scheduler decides)")
      .Placeholder("NODE");
  command.Switch("--allow-privileged", flags.allow_privileged,
                 "Allow privileged container options");
}

std::optional<std::string> PrivilegeComplaint(const ApplicationFlags& flags) {
  ApplicationSpec spec;
  Status filled = FillContainer(flags, spec);
  if (filled.ok()) {
    filled = CheckPrivileges(*spec.container, flags.allow_privileged);
  }
  if (filled.ok()) return std::nullopt;
  return filled.error().message();
}

}  // namespace

std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags) {
  command.Option("--memory", flags.memory, "Memory limit, e.g. 512Mi")
      .Check(ParseMemoryLimit, "BYTES");
  command.Option("--cpus", flags.cpus, "CPU limit, e.g. 0.5 or 500m")
      .Check(ParseCpuLimit, "CPUS");
  command
      .Option("--repeat", flags.repeat,
              "Number of runs, each in a fresh process (default 1)")
      .Within(1, kMostRepeats);
  std::vector<std::string> added = AddSurroundingFlags(command, flags);
  added.insert(added.end(), {"--memory", "--cpus", "--repeat"});
  return added;
}

std::vector<std::string> AddSurroundingFlags(Command command,
                                             ApplicationFlags& flags) {
  std::vector<std::string> added = {"--swap"};
  auto add = [&](const std::string& name, auto& value,
                 const std::string& description) {
    added.push_back(name);
    return command.Option(name, value, description);
  };
  add("--cpuset", flags.cpuset, "Cores to run on, e.g. 0-2,4")
      .Check(ParseCpuset, "CORES");
  add("--pin", flags.pin, "Run on these CPUs only, e.g. 0 or 0-1,3")
      .Check(ParseCpuset, "CPUS");
  add("--processes", flags.processes, "Maximum number of processes and threads")
      .Check(ParseProcesses, "N");
  command.Switch("--swap", flags.swap,
                 "Allow swapping beyond the memory limit");
  add("--timeout", flags.timeout, "Stop after this time, e.g. 60s")
      .Check(ParseTimeout, "DURATION");
  add("--grace", flags.grace, "Time between SIGTERM and SIGKILL (default 5s)")
      .Check(ParseGrace, "DURATION");
  add("--sample", flags.sample, "Sampling rate (default 10Hz)")
      .Check(ParseHertz, "RATE");
  add("--probes", flags.probes,
      "Print a note if one of these probes is unavailable: "
      "perf,gpu,tegrastats")
      .Check(ParseProbes, "LIST");
  add("--env", flags.environment, "Set an environment variable")
      .Check(ParseVariable, "NAME=VALUE")
      .OneEach();
  added.emplace_back("--dataset");
  command
      .Option("--dataset", flags.dataset,
              "Command: dataset file or folder, passed in METE_DATASET")
      .Placeholder("PATH");
  AddContainerFlags(command, flags, added);
  return added;
}

Result<ApplicationSpec> MakeSpec(const ApplicationFlags& flags,
                                 const std::vector<std::string>& arguments) {
  ApplicationSpec spec{.command = arguments,
                       .dataset = flags.dataset,
                       .limits = {.threads = flags.threads,
                                  .cpuset = flags.cpuset,
                                  .pin = flags.pin,
                                  .processes = flags.processes,
                                  .swap = flags.swap},
                       .repeat = flags.repeat};
  if (flags.memory) {
    ASSIGN_OR_RETURN(spec.limits.memory, ParseBytes(*flags.memory));
  }
  if (flags.cpus) {
    ASSIGN_OR_RETURN(spec.limits.cpus, ParseMillicores(*flags.cpus));
  }
  if (flags.timeout) {
    ASSIGN_OR_RETURN(spec.timeout, ParseTimeout(*flags.timeout));
  }
  ASSIGN_OR_RETURN(spec.grace, ParseGrace(flags.grace));
  ASSIGN_OR_RETURN(spec.sample_hertz, ParseHertz(flags.sample));
  for (const std::string& text : flags.environment) {
    ASSIGN_OR_RETURN(auto variable, ParseVariable(text));
    spec.environment.insert_or_assign(variable.first, variable.second);
  }
  if (flags.probes) {
    ASSIGN_OR_RETURN(ProbeChoice probes, ParseProbes(*flags.probes));
    spec.probes = std::move(probes);
  }
  if (!flags.image.empty()) RETURN_IF_ERROR(FillContainer(flags, spec));
  return spec;
}

std::optional<std::string> ImageComplaint(const std::vector<std::string>& given,
                                          const ApplicationFlags& flags) {
  if (!flags.image.empty()) {
    const bool cluster = !flags.launcher.empty();
    if (!cluster && !(flags.node.empty() && flags.nodes.empty())) {
      return std::string("--node and --nodes require --launcher kubernetes");
    }
    if (!flags.node.empty() && !flags.nodes.empty()) {
      return std::string("--node and --nodes cannot be given together");
    }
    return PrivilegeComplaint(flags);
  }
  for (const std::string& name : given) {
    // An empty variable of a script must not run the command on the host.
    if (name == "--image")
      return std::string("--image: expected the name of an image");
    bool for_images = name == "--mount" || name == "--docker-arg" ||
                      name == "--pull" || name == "--launcher" ||
                      name == "--node" || name == "--nodes" ||
                      name == "--allow-privileged";
    if (for_images) return name + " requires --image";
  }
  return std::nullopt;
}

std::optional<std::string> PinComplaint(const ApplicationFlags& flags,
                                        Host& host) {
  if (!flags.pin) return std::nullopt;
  if (flags.cpuset) return "--pin and --cpuset cannot be given together";
  Status checked = CheckPin(*flags.pin, host);
  if (checked.ok()) return std::nullopt;
  return "--pin: " + checked.error().message();
}

}  // namespace mete
