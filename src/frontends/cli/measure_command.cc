// mete measure: declares the flags and decides what is to be measured. The
// measurements are in measure_networks.cc, measure_applications.cc and
// measure_services.cc.
#include "cli/measure_command.h"

#include <algorithm>
#include <limits>

#include "cli/application_flags.h"
#include "cli/measure_actions.h"
#include "cli/network_flags.h"
#include "measure/application_bounds.h"
#include "support/text.h"

namespace mete {
namespace {

// The values of all flags.
struct MeasureFlags {
  MeasuredNetworkFlags network;
  ApplicationFlags application;
  ServiceFlags service;
  std::vector<std::string> of_applications;  // names of flags
};

void AddOtherNetworkFlags(Command command, MeasuredNetworkFlags& flags) {
  command
      .Option("--threads", flags.threads,
              "Threads of the engine (default: one per core) or of the "
              "command's thread pools")
      .Within(1, 1024);
  Flag layers = AddLayersFlag(command, flags.network);
  command
      .Option("--top", flags.top,
              "With --layers: list only this many layers in the table")
      .Check(ParseCount, "N")
      .Within(1, 1'000'000)
      .Needs(layers);
  command
      .Option("--trace", flags.trace,
              "With --layers: write a Chrome trace (Perfetto) to this file")
      .Placeholder("FILE")
      .Needs(layers);
  command.Option("--device", flags.device,
                 "Fail unless this machine is that device (name or ID)");
}

void AddObserveFlags(Command command, ServiceFlags& flags) {
  Flag pid = command
                 .Option("--pid", flags.pid,
                         "Observe this running process and its descendants for "
                         "--duration; it is never stopped")
                 .Within(1, std::numeric_limits<int>::max());
  command
      .Option("--container", flags.container,
              "The same for a running container: name or ID")
      .Placeholder("NAME")
      .Excludes(pid);
}

// Returns a complaint about flags that do not go with --pid and --container.
std::optional<std::string> ObserveComplaint(
    const Invocation& invocation, const NetworkFlags& flags,
    const std::vector<std::string>& given) {
  if (invocation.command || !flags.file.empty()) {
    return "expected a network, a command or something that runs (--pid, "
           "--container), not two of them";
  }
  const std::vector<std::string> fitting = {
      "--pid",    "--container", "--duration", "--sample",
      "--probes", "--out",       "--help"};
  for (const std::string& name : given) {
    if (HasItem(fitting, name)) continue;
    return name + " does not apply to something that already runs";
  }
  return std::nullopt;
}

// Whether a flag makes mete measure a network in a process that it limits or
// watches from outside.
bool NeedsProcess(const std::string& flag) {
  const std::vector<std::string> flags = {
      "--memory", "--cpus",  "--cpuset",  "--processes",
      "--swap",   "--grace", "--timeout", "--sample",
      "--probes", "--env",   "--out",     "--best-effort"};
  return HasItem(flags, flag);
}

bool NeedsProcess(const std::vector<std::string>& given) {
  return std::ranges::any_of(
      given, [](const std::string& flag) { return NeedsProcess(flag); });
}

// Returns a complaint about a flag that does not apply to this workload.
std::optional<std::string> MisplacedFlag(
    const std::vector<std::string>& given,
    const std::vector<std::string>& application_flags, bool application) {
  const bool process = !application && NeedsProcess(given);
  for (const std::string& name : given) {
    if (process && (name == "--trace" || name == "--device")) {
      return name + " does not apply to a network with limits";
    }
    bool shared = name == "--threads" || name == "--pin" ||
                  name == "--repeat" || name == "--help" ||
                  (!application && NeedsProcess(name));
    bool of_applications =
        std::ranges::find(application_flags, name) != application_flags.end();
    if (shared || of_applications == application) continue;
    return name + (application ? " is for networks" : " is for commands") +
           ", not for " + (application ? "commands" : "networks");
  }
  return std::nullopt;
}

// Returns a complaint if the arguments do not go together.
std::optional<std::string> Complaint(const MeasureFlags& all,
                                     const Invocation& invocation,
                                     const std::vector<std::string>& given) {
  const NetworkFlags& flags = all.network.network;
  const ApplicationFlags& application = all.application;
  // An empty variable of a script must not measure something else.
  if (HasItem(given, "--container") && all.service.container.empty()) {
    return "--container: expected the name of a container";
  }
  if (all.service.given()) return ObserveComplaint(invocation, flags, given);
  if (auto complaint = ImageComplaint(given, application)) return complaint;
  const bool command = invocation.command.has_value();
  const bool image = !application.image.empty();
  if (command && !image && invocation.command->empty()) {
    return "expected a command after --: mete measure -- ./app";
  }
  if ((command || image) && !flags.file.empty()) {
    return "expected a network or a command after --, not both";
  }
  if (!command && !image && flags.file.empty()) {
    return "expected a network file or a command after --: mete measure "
           "net.onnx or mete measure -- ./app";
  }
  if (application.repeat > 1 && !all.network.trace.empty()) {
    return "--trace is for one process and cannot be given with --repeat";
  }
  return MisplacedFlag(given, all.of_applications, command || image);
}

// Adds the flags that only commands and images have, and remembers their names.
void AddFlagsOfApplications(Command command, MeasureFlags& flags) {
  flags.of_applications = AddApplicationFlags(command, flags.application);
  command
      .Option("--out", flags.application.out,
              "Output folder for samples.csv and app.log")
      .Placeholder("DIR");
  command
      .Option("--nodes", flags.application.nodes,
              "Image: measure on these nodes in turn: all, or a,b")
      .Placeholder("LIST");
  command.Switch("--best-effort", flags.application.best_effort,
                 "Accept limits that cannot be applied here");
  flags.of_applications.insert(flags.of_applications.end(),
                               {"--out", "--nodes", "--best-effort"});
}

// CPUs that this machine does not have are a mistake on the command line.
bool CanPin(Invocation& invocation, const MeasureFlags& flags, Host& host) {
  auto complaint = PinComplaint(flags.application, host);
  if (complaint) invocation.console.Error("mete measure: " + *complaint);
  return !complaint;
}

}  // namespace

void AddMeasureCommand(Command root, Verbs& verbs,
                       Lazy<MeasureNetworkDependencies> network,
                       Lazy<MeasureApplicationDependencies> applications,
                       Lazy<ObserveDependencies> services) {
  auto flags = std::make_shared<MeasureFlags>();
  Command command = root.Add(
      "measure",
      "Measure the latency of a network or the resource use of a command",
      "mete measure resnet18.onnx --threads 2 --until 1%\n"
      "  mete measure resnet18.onnx --repeat 10 --pin 0\n"
      "  mete measure resnet18.onnx --memory 512Mi --cpus 1\n"
      "  mete measure --memory 512Mi --timeout 60s -- ./app --fast\n"
      "  mete measure --image my/app:1 --mount data:/data:ro -- --fast\n"
      "  mete measure --container web --duration 30s");
  command.TakesCommand();
  NetworkFlags& network_flags = flags->network.network;
  command.Option("NET.onnx", network_flags.file, "Network file");
  AddEndingFlags(command, network_flags);
  AddInputFlags(command, network_flags);
  AddOtherNetworkFlags(command, flags->network);
  AddObserveFlags(command, flags->service);
  AddEngineFlags(command, network_flags);
  AddFlagsOfApplications(command, *flags);
  verbs.push_back(
      {.command = command,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         auto complaint = Complaint(*flags, invocation, command.Given());
         if (complaint) {
           invocation.console.Error("mete measure: " + *complaint);
           return ExitCode::kUsage;
         }
         ApplicationFlags& application = flags->application;
         const NetworkFlags& net = flags->network.network;
         if (flags->service.given()) {
           ASSIGN_OR_RETURN(ObserveDependencies needs, services());
           flags->service.duration = net.duration;
           return ObserveProcessOrContainer(invocation, flags->service,
                                            application, needs);
         }
         const bool process = invocation.command ||
                              !application.image.empty() ||
                              NeedsProcess(command.Given());
         if (!process) {
           ASSIGN_OR_RETURN(MeasureNetworkDependencies needs, network());
           if (!CanPin(invocation, *flags, needs.host)) return ExitCode::kUsage;
           flags->network.pin = application.pin;
           return UsageIfInvalid(invocation,
                                 MeasureNetworkFile(invocation, flags->network,
                                                    application.repeat, needs));
         }
         application.threads = flags->network.threads;
         ASSIGN_OR_RETURN(MeasureApplicationDependencies needs, applications());
         if (!CanPin(invocation, *flags, needs.platform.host)) {
           return ExitCode::kUsage;
         }
         return UsageIfInvalid(
             invocation, MeasureProcess(invocation, application, net, needs));
       },
       .interruptible = true,
       .takes_command = true});
}

}  // namespace mete
