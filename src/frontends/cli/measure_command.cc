// mete measure: measures the latency of a network, or the time and resources
// that a command or an image uses.
#include "cli/measure_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/application_flags.h"
#include "cli/network_flags.h"
#include "cli/run_output.h"
#include "domain/run_json.h"
#include "flags/version.h"
#include "measure/application_text.h"
#include "measure/measure_network.h"
#include "measure/run_table.h"
#include "support/json.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

// The values of the flags. Settings replace those that are absent.
struct MeasureFlags {
  NetworkFlags network;
  std::optional<int> threads;
  std::optional<uint64_t> top;
  std::string trace;
  std::string device;
  std::optional<int> pid;
  std::string container;

  bool observes() const { return pid || !container.empty(); }
};

void AddOtherFlags(Command command, MeasureFlags& flags) {
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

Result<NetworkMeasurementRequest> RequestFor(const MeasureFlags& flags,
                                             const Settings& settings) {
  const NetworkDefaults defaults = NetworkDefaultsFrom(settings);
  ASSIGN_OR_RETURN(
      MeasureRequest request,
      MakeMeasureRequest(MakeNetworkOptions(flags.network), defaults));
  request.threads = flags.threads.value_or(defaults.threads);
  request.trace = flags.trace;
  request.mete_version = kVersion;
  return NetworkMeasurementRequest{.measure = std::move(request),
                                   .expected_device = flags.device};
}

ProgressCallback ShowProgress(Console& console) {
  return [&console](const MeasureProgress& progress) {
    std::string bound;
    if (progress.of_iterations) {
      bound = " of " + FormatCount(*progress.of_iterations);
    } else if (progress.at_most) {
      bound = fmt::format(", {:.0f} s of at most {:.0f} s",
                          progress.elapsed.count(), progress.at_most->count());
    }
    console.Progress("measuring: " + Counted(progress.iterations, "iteration") +
                     bound);
  };
}

void Print(Invocation& invocation, const Run& run, size_t top) {
  invocation.output.Print({
      .text = [&] { return RunText(run, top); },
      .json = [&] { return RunToJson(run); },
      .csv = [&] { return RunCsv({run}); },
  });
}

ExitCode ExitCodeFor(const Run& run) {
  if (run.outcome.kind == OutcomeKind::kInterrupted) {
    return ExitCode::kInterrupted;
  }
  return run.verdict().kind == VerdictKind::kStable ? ExitCode::kDone
                                                    : ExitCode::kUnstable;
}

Result<ExitCode> MeasureNetworkFile(
    Invocation& invocation, const MeasureFlags& flags,
    const MeasureNetworkDependencies& dependencies) {
  Console& console = invocation.console;
  ASSIGN_OR_RETURN(NetworkMeasurementRequest request,
                   RequestFor(flags, invocation.settings));
  auto measured = MeasureAndStoreNetwork(
      std::move(request), dependencies,
      {.opened =
           [&](const EngineVersion& engine) {
             console.Detail("engine: " + engine.name + " " + engine.version);
             console.Detail("store: " + invocation.settings.Text("store"));
           },
       .progress = ShowProgress(console)},
      invocation.stop);
  console.ClearProgress();
  if (!measured.ok()) return measured.error();
  const Run& run = measured->run;
  Print(invocation, run, flags.top.value_or(SIZE_MAX));
  RETURN_IF_ERROR(measured->stored);
  bool shown = invocation.output.format() == OutputFormat::kTable;
  if (!run.verdict().explanation.empty() && !shown) {
    console.Warn(std::string(ToString(run.verdict().kind)) + ": " +
                 run.verdict().explanation);
  }
  if (flags.network.layers &&
      invocation.output.format() == OutputFormat::kCsv) {
    console.Note("CSV does not include layers; use -o json");
  }
  return ExitCodeFor(run);
}

// Runs a command or an image, or a network in a process of its own.
Result<ExitCode> MeasureProcess(
    Invocation& invocation, const ApplicationFlags& flags,
    const NetworkFlags& network,
    const MeasureApplicationDependencies& dependencies) {
  ASSIGN_OR_RETURN(
      ApplicationSpec spec,
      MakeSpec(flags, invocation.command.value_or(std::vector<std::string>())));
  if (!network.file.empty()) spec.network = MakeNetworkOptions(network);
  auto measured = MeasureApplication(
      {.application = std::move(spec),
       .allow_privileged = flags.allow_privileged,
       .mete_version = kVersion,
       .folder = flags.out},
      dependencies, LinesTo(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (!measured.ok()) return measured.error();
  const std::vector<Run>& runs = measured->runs;
  PrintRuns(invocation.output, runs);
  RETURN_IF_ERROR(measured->stored);
  bool shown = invocation.output.format() == OutputFormat::kTable &&
               runs.size() == 1;  // the text has the notes
  if (!shown && runs.front().process()) {
    for (const std::string& note : runs.front().process()->notes) {
      invocation.console.Warn(note);
    }
  }
  ExitCode code = ExitCodeFor(runs);
  const bool missed = !std::ranges::all_of(runs, AreLimitsApplied);
  if (code == ExitCode::kDone && missed && !flags.best_effort) {
    invocation.console.Warn(
        "a limit was not applied; use --best-effort to accept that");
    return ExitCode::kInfeasible;
  }
  return code;
}

void AddObserveFlags(Command command, MeasureFlags& flags) {
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

Result<ExitCode> Observe(Invocation& invocation, const MeasureFlags& flags,
                         const ApplicationFlags& application,
                         const ObserveDependencies& dependencies) {
  // The other flags of applications are refused, so the spec has only these.
  ASSIGN_OR_RETURN(ApplicationSpec spec, MakeSpec(application, {}));
  ObserveRequest request{
      .target = {.pid = flags.pid, .container = flags.container},
      .sample_hertz = spec.sample_hertz,
      .probes = spec.probes,
      .mete_version = kVersion,
      .folder = application.out};
  if (flags.network.duration)
    request.duration = *ParseDuration(*flags.network.duration);
  auto observed = ObserveService(request, dependencies,
                                 LinesTo(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (!observed.ok()) return observed.error();
  const Run& run = observed->runs.front();
  PrintRuns(invocation.output, observed->runs);
  RETURN_IF_ERROR(observed->stored);
  switch (run.outcome.kind) {
    case OutcomeKind::kInterrupted:
      return ExitCode::kInterrupted;
    case OutcomeKind::kOutOfMemory:
      return ExitCode::kInfeasible;
    default:
      return ExitCode::kDone;  // no exit code is known
  }
}

// Returns a complaint about flags that do not go with --pid and --container.
std::optional<std::string> ObserveComplaint(
    const Invocation& invocation, const MeasureFlags& flags,
    const std::vector<std::string>& given) {
  if (invocation.command || !flags.network.file.empty()) {
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

// Whether a flag makes mete measure a network in a process of its own.
bool NeedsProcess(const std::string& flag) {
  const std::vector<std::string> flags = {
      "--memory",  "--cpus",  "--cpuset",     "--processes", "--swap",
      "--timeout", "--grace", "--repeat",     "--sample",    "--probes",
      "--env",     "--out",   "--best-effort"};
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
      return name + " does not apply to a network with limits or repeats";
    }
    bool shared = name == "--threads" || name == "--help" ||
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
std::optional<std::string> Complaint(
    const MeasureFlags& flags, const ApplicationFlags& application,
    const Invocation& invocation, const std::vector<std::string>& given,
    const std::vector<std::string>& application_flags) {
  // An empty variable of a script must not measure something else.
  if (HasItem(given, "--container") && flags.container.empty()) {
    return "--container: expected the name of a container";
  }
  if (flags.observes()) return ObserveComplaint(invocation, flags, given);
  if (auto complaint = ImageComplaint(given, application)) return complaint;
  const bool command = invocation.command.has_value();
  const bool image = !application.image.empty();
  if (command && !image && invocation.command->empty()) {
    return "expected a command after --: mete measure -- ./app";
  }
  if ((command || image) && !flags.network.file.empty()) {
    return "expected a network or a command after --, not both";
  }
  if (!command && !image && flags.network.file.empty()) {
    return "expected a network file or a command after --: mete measure "
           "net.onnx or mete measure -- ./app";
  }
  return MisplacedFlag(given, application_flags, command || image);
}

}  // namespace

void AddMeasureCommand(Command root, Verbs& verbs,
                       Lazy<MeasureNetworkDependencies> network,
                       Lazy<MeasureApplicationDependencies> applications,
                       Lazy<ObserveDependencies> services) {
  auto flags = std::make_shared<MeasureFlags>();
  auto application = std::make_shared<ApplicationFlags>();
  Command command = root.Add(
      "measure",
      "Measure the latency of a network or the resource use of a command",
      "mete measure resnet18.onnx --threads 2 --until 1%\n"
      "  mete measure resnet18.onnx --memory 512Mi --cpus 1\n"
      "  mete measure --memory 512Mi --timeout 60s -- ./app --fast\n"
      "  mete measure --image my/app:1 --mount data:/data:ro -- --fast\n"
      "  mete measure --container web --duration 30s");
  command.TakesCommand();
  command.Option("NET.onnx", flags->network.file, "Network file");
  AddEndingFlags(command, flags->network);
  AddInputFlags(command, flags->network);
  AddOtherFlags(command, *flags);
  AddObserveFlags(command, *flags);
  AddEngineFlags(command, flags->network);
  auto command_flags = AddApplicationFlags(command, *application);
  command
      .Option("--out", application->out,
              "Output folder for samples.csv and app.log")
      .Placeholder("DIR");
  command.Switch("--best-effort", application->best_effort,
                 "Accept limits that cannot be applied here");
  command_flags.insert(command_flags.end(), {"--out", "--best-effort"});
  verbs.push_back(
      {.command = command,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         auto complaint = Complaint(*flags, *application, invocation,
                                    command.Given(), command_flags);
         if (complaint) {
           invocation.console.Error("mete measure: " + *complaint);
           return ExitCode::kUsage;
         }
         if (flags->observes()) {
           ASSIGN_OR_RETURN(ObserveDependencies needs, services());
           return Observe(invocation, *flags, *application, needs);
         }
         const bool process = invocation.command ||
                              !application->image.empty() ||
                              NeedsProcess(command.Given());
         if (!process) {
           ASSIGN_OR_RETURN(MeasureNetworkDependencies needs, network());
           return MeasureNetworkFile(invocation, *flags, needs);
         }
         application->threads = flags->threads;
         ASSIGN_OR_RETURN(MeasureApplicationDependencies needs, applications());
         return MeasureProcess(invocation, *application, flags->network, needs);
       },
       .interruptible = true,
       .takes_command = true});
}

}  // namespace mete
