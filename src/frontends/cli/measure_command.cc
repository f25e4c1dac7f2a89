// mete measure: measures the latency of a network, or the time and resources
// that a command or an image uses.
#include "cli/measure_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/application_flags.h"
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
  std::string network;
  std::optional<uint64_t> iterations;
  std::optional<std::string> duration;
  std::optional<std::string> until;
  std::optional<std::string> max_duration;
  std::optional<uint64_t> warmup;
  std::optional<int> threads;
  int64_t batch = 1;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  std::string image_path;
  bool layers = false;
  std::optional<uint64_t> top;
  std::string trace;
  std::string provider;
  std::string optimization;
  int inter_op_threads = 1;
  std::string spinning;
  std::string arena;
  uint64_t seed = 0;
  std::string device;
  std::optional<int> pid;
  std::string container;

  bool observes() const { return pid || !container.empty(); }
};

void AddEndingFlags(Command command, MeasureFlags& flags) {
  Flag iterations = command
                        .Option("--iterations", flags.iterations,
                                "Measure exactly this many inferences")
                        .Check(ParseCount, "N")
                        .Within(1, 100'000'000);
  Flag duration = command
                      .Option("--duration", flags.duration,
                              "Measure for this long, e.g. 10s")
                      .Check(CheckDuration, "DURATION")
                      .Excludes(iterations);
  command
      .Option("--until", flags.until,
              "Measure until the median is this precise (default 2%)")
      .Check(CheckRatio, "RATIO")
      .Excludes(iterations)
      .Excludes(duration);
  command
      .Option("--max-duration", flags.max_duration,
              "Stop after this time even if not precise enough (default 60s)")
      .Check(CheckDuration, "DURATION");
  command
      .Option("--warmup", flags.warmup,
              "Warm-up inferences to discard (default: detected)")
      .Check(ParseCount, "N");
}

void AddInputFlags(Command command, MeasureFlags& flags) {
  command
      .Option("--batch", flags.batch,
              "Batch size for inputs with an open batch dimension (default 1)")
      .Within(1, 1'000'000);
  command
      .Option("--shape", flags.shapes,
              "Shape of an input, e.g. input=1x3x224x224")
      .Check(ParseShapeOverride, "NAME=SIZES")
      .OneEach();
  Flag input = command
                   .Option("--input", flags.inputs,
                           "Values of an input: a NumPy file, a number, zeros "
                           "or ones, e.g. x=x.npy or sr=16000 (default: "
                           "random)")
                   .Placeholder("[NAME=]VALUE")
                   .OneEach();
  command
      .Option("--image-path", flags.image_path,
              "Use the images (jpg, png, bmp) in this folder as input")
      .Placeholder("DIR")
      .Excludes(input);
  command.Option("--seed", flags.seed, "Random seed for the inputs (default 0)")
      .Check(ParseCount, "N");
}

void AddOtherFlags(Command command, MeasureFlags& flags) {
  command
      .Option("--threads", flags.threads,
              "Threads of the engine (default: one per core) or of the "
              "command's thread pools")
      .Within(1, 1024);
  Flag layers = command.Switch("--layers", flags.layers,
                               "Also measure every layer, slowest first");
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

Result<std::string> ParseOptimization(const std::string& text) {
  for (const char* name : {"none", "basic", "extended", "all"}) {
    if (text == name) return text;
  }
  return InvalidInput("'" + text +
                      "' is not one of none, basic, extended, all");
}

Result<bool> ParseOnOff(const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return InvalidInput("'" + text + "' is not on or off");
}

void AddEngineFlags(Command command, MeasureFlags& flags) {
  command
      .Option("--provider", flags.provider,
              "Execution provider of the engine, e.g. CUDA (default: CPU)")
      .Placeholder("NAME");
  command
      .Option("--optimization", flags.optimization,
              "Graph optimization: none, basic, extended or all (default)")
      .Check(ParseOptimization, "LEVEL");
  command
      .Option("--inter-op-threads", flags.inter_op_threads,
              "Operators to run in parallel (default 1)")
      .Within(1, 1024);
  command
      .Option("--spinning", flags.spinning,
              "Whether idle engine threads busy-wait (default: as the engine)")
      .Check(ParseOnOff, "on|off");
  command
      .Option("--arena", flags.arena,
              "Whether the engine keeps memory between inferences (default: as "
              "the engine)")
      .Check(ParseOnOff, "on|off");
}

// The values have been validated.
EngineOptions OptionsFor(const MeasureFlags& flags) {
  EngineOptions options{.provider = flags.provider,
                        .inter_op_threads = flags.inter_op_threads};
  if (flags.optimization != "all") options.optimization = flags.optimization;
  if (!flags.spinning.empty()) options.spinning = *ParseOnOff(flags.spinning);
  if (!flags.arena.empty()) options.memory_arena = *ParseOnOff(flags.arena);
  return options;
}

// Returns the flag, or the setting of that name. Both have been validated.
std::string FlagOr(const std::optional<std::string>& flag,
                   const std::string& setting) {
  return flag ? *flag : setting;
}

Ending MakeEnding(const MeasureFlags& flags, const Settings& settings) {
  if (flags.iterations) return FixedIterations{.count = *flags.iterations};
  if (flags.duration) {
    return FixedDuration{.length = *ParseDuration(*flags.duration)};
  }
  return UntilPrecise{.target = *ParseRatio(
                          FlagOr(flags.until, settings.Text("measure.until")))};
}

// Without a flag, the setting only limits adaptive runs. A user who requests
// 1000 iterations gets them.
std::optional<Seconds> MaxDurationFor(const MeasureFlags& flags,
                                      const Settings& settings) {
  bool adaptive = !flags.iterations && !flags.duration;
  if (!flags.max_duration && !adaptive) return std::nullopt;
  return *ParseDuration(
      FlagOr(flags.max_duration, settings.Text("measure.max_duration")));
}

// "x=in.npy" with the absolute path if there is such a file.
std::string AbsoluteInput(const std::string& given) {
  size_t value = given.find('=') + 1;  // 0 without a name
  for (size_t at : {value, size_t{0}}) {
    std::filesystem::path path = given.substr(at);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    return given.substr(0, at) + std::filesystem::absolute(path).string();
  }
  return given;
}

// The arguments that repeat this measurement from any folder and whatever the
// settings are then. The number of threads is stored with the limits.
std::vector<std::string> ArgumentsFor(const MeasureFlags& flags,
                                      const Settings& settings) {
  std::vector<std::string> arguments = {
      std::filesystem::absolute(flags.network).string()};
  auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {flag, value});
  };
  if (flags.iterations) add("--iterations", std::to_string(*flags.iterations));
  add("--duration", flags.duration.value_or(""));
  bool adaptive = !flags.iterations && !flags.duration;
  if (adaptive) {
    add("--until", FlagOr(flags.until, settings.Text("measure.until")));
  }
  if (flags.max_duration || adaptive) {
    add("--max-duration",
        FlagOr(flags.max_duration, settings.Text("measure.max_duration")));
  }
  if (flags.warmup) add("--warmup", std::to_string(*flags.warmup));
  if (flags.batch != 1) add("--batch", std::to_string(flags.batch));
  for (const std::string& shape : flags.shapes) add("--shape", shape);
  for (const std::string& input : flags.inputs) {
    add("--input", AbsoluteInput(input));
  }
  if (!flags.image_path.empty()) {
    add("--image-path", std::filesystem::absolute(flags.image_path).string());
  }
  if (flags.seed != 0) add("--seed", std::to_string(flags.seed));
  if (flags.layers) arguments.emplace_back("--layers");
  add("--provider", flags.provider);
  add("--optimization", flags.optimization);
  if (flags.inter_op_threads != 1) {
    add("--inter-op-threads", std::to_string(flags.inter_op_threads));
  }
  add("--spinning", flags.spinning);
  add("--arena", flags.arena);
  return arguments;
}

Result<NetworkMeasurementRequest> RequestFor(const MeasureFlags& flags,
                                             const Settings& settings) {
  std::filesystem::path path = flags.network;
  MeasureRequest request{.network = path,
                         .name = path.stem().string(),
                         .ending = MakeEnding(flags, settings),
                         .max_duration = MaxDurationFor(flags, settings),
                         .warmup = flags.warmup,
                         .threads = flags.threads.value_or(
                             std::stoi(settings.Text("measure.threads"))),
                         .inputs = {.sizes = {.batch = flags.batch},
                                    .seed = flags.seed,
                                    .given = flags.inputs,
                                    .picture_folder = flags.image_path},
                         .layers = flags.layers,
                         .trace = flags.trace,
                         .engine = OptionsFor(flags),
                         .arguments = ArgumentsFor(flags, settings),
                         .mete_version = kVersion};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.inputs.sizes.shapes.push_back(std::move(given));
  }
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
  if (flags.layers && invocation.output.format() == OutputFormat::kCsv) {
    console.Note("CSV does not include layers; use -o json");
  }
  return ExitCodeFor(run);
}

Result<ExitCode> MeasureCommandOrImage(
    Invocation& invocation, const ApplicationFlags& flags,
    const MeasureApplicationDependencies& dependencies) {
  ASSIGN_OR_RETURN(
      ApplicationSpec spec,
      MakeSpec(flags, invocation.command.value_or(std::vector<std::string>())));
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
  if (!shown && runs.front().application()) {
    for (const std::string& note : runs.front().application()->notes) {
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
  if (flags.duration) request.duration = *ParseDuration(*flags.duration);
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
  if (invocation.command || !flags.network.empty()) {
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

// Returns a complaint about a flag that does not apply to this workload.
std::optional<std::string> MisplacedFlag(
    const std::vector<std::string>& given,
    const std::vector<std::string>& application_flags, bool application) {
  for (const std::string& name : given) {
    bool shared = name == "--threads" || name == "--help";
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
  if ((command || image) && !flags.network.empty()) {
    return "expected a network or a command after --, not both";
  }
  if (!command && !image && flags.network.empty()) {
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
      "  mete measure --memory 512Mi --timeout 60s -- ./app --fast\n"
      "  mete measure --image my/app:1 --mount data:/data:ro -- --fast\n"
      "  mete measure --container web --duration 30s");
  command.TakesCommand();
  command.Option("NET.onnx", flags->network, "Network file");
  AddEndingFlags(command, *flags);
  AddInputFlags(command, *flags);
  AddOtherFlags(command, *flags);
  AddObserveFlags(command, *flags);
  AddEngineFlags(command, *flags);
  auto command_flags = AddApplicationFlags(command, *application);
  command
      .Option("--out", application->out,
              "Command: output folder for samples.csv and app.log")
      .Placeholder("DIR");
  command.Switch("--best-effort", application->best_effort,
                 "Command: accept limits that cannot be applied here");
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
         if (!invocation.command && application->image.empty()) {
           ASSIGN_OR_RETURN(MeasureNetworkDependencies needs, network());
           return MeasureNetworkFile(invocation, *flags, needs);
         }
         application->threads = flags->threads;
         ASSIGN_OR_RETURN(MeasureApplicationDependencies needs, applications());
         return MeasureCommandOrImage(invocation, *application, needs);
       },
       .interruptible = true,
       .takes_command = true});
}

}  // namespace mete
