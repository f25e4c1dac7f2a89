// mete measure: latency of a network on this machine, with its interval.
#include <fmt/format.h>

#include <algorithm>

#include "cli/measure_application.h"
#include "cli/run_entropy.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "devices/this_device.h"
#include "domain/run_json.h"
#include "flags/version.h"
#include "measure/measure_network.h"
#include "measure/run_table.h"
#include "support/json.h"
#include "support/nearest.h"
#include "support/sha256.h"

namespace mete {
namespace {

// The flags as given; what is absent comes from the settings.
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
  uint64_t seed = 0;
  std::string device;
};

void AddEndingFlags(Command command, MeasureFlags& flags) {
  Flag iterations = command
                        .Option("--iterations", flags.iterations,
                                "Time exactly this many inferences")
                        .Check(ParseCount, "N")
                        .Within(1, 100'000'000);
  Flag duration =
      command.Option("--duration", flags.duration, "Time for this long: 10s")
          .Check(CheckDuration, "DURATION")
          .Excludes(iterations);
  command
      .Option("--until", flags.until,
              "Until the median is known this well (default 2%)")
      .Check(CheckRatio, "RATIO")
      .Excludes(iterations)
      .Excludes(duration);
  command
      .Option("--max-duration", flags.max_duration,
              "At the latest after this time (default 60s)")
      .Check(CheckDuration, "DURATION");
  command
      .Option("--warmup", flags.warmup,
              "Inferences to discard first (default: detected)")
      .Check(ParseCount, "N");
}

void AddInputFlags(Command command, MeasureFlags& flags) {
  command.Option("--batch", flags.batch, "Items in a batch (default 1)")
      .Within(1, 1'000'000);
  command
      .Option("--shape", flags.shapes, "Sizes of an input: input=1x3x224x224")
      .Check(ParseShapeOverride, "NAME=SIZES")
      .OneEach();
  Flag input = command
                   .Option("--input", flags.inputs,
                           "Feed a NumPy file: x.npy or name=x.npy")
                   .OneEach();
  command
      .Option("--image-path", flags.image_path,
              "Feed the pictures (jpg, png, bmp) of a folder")
      .Excludes(input);
  command.Option("--seed", flags.seed, "Seed of random inputs (default 0)")
      .Check(ParseCount, "N");
}

void AddOtherFlags(Command command, MeasureFlags& flags) {
  command
      .Option("--threads", flags.threads,
              "Engine threads (default: one for each core)")
      .Within(1, 1024);
  command.Switch("--layers", flags.layers, "Also the time of every node");
  command.Option("--device", flags.device,
                 "The device this is, as a check (name or id)");
}

// Where the run belongs: --device must name this machine.
Status CheckDevice(const std::string& asked, const Device& here,
                   RunStore& store) {
  if (asked.empty() || asked == here.name || asked == here.id) return {};
  ASSIGN_OR_RETURN(auto devices, store.ListDevices());
  std::vector<std::string> names;
  for (const Device& device : devices) {
    if (device.name == asked || device.id == asked) {
      return InvalidInput(fmt::format(
          "--device {}: that is another machine than this one ({}); run mete "
          "there",
          asked, here.name));
    }
    names.push_back(device.name);
  }
  return InvalidInput(fmt::format("--device {}: no such device{}", asked,
                                  DidYouMean(asked, names)));
}

// A flag, or the setting of that name. Both have been checked.
std::string FlagOr(const std::optional<std::string>& flag,
                   const std::string& setting) {
  return flag ? *flag : setting;
}

Ending EndingOf(const MeasureFlags& flags, const Settings& settings) {
  if (flags.iterations) return FixedIterations{.count = *flags.iterations};
  if (flags.duration) {
    return FixedDuration{.length = *ParseDuration(*flags.duration)};
  }
  return UntilPrecise{.target = *ParseRatio(
                          FlagOr(flags.until, settings.Text("measure.until")))};
}

// Without a flag the setting only bounds the adaptive ending: who asks for
// 1000 iterations gets them.
std::optional<Seconds> MaxDurationOf(const MeasureFlags& flags,
                                     const Settings& settings) {
  bool adaptive = !flags.iterations && !flags.duration;
  if (!flags.max_duration && !adaptive) return std::nullopt;
  return *ParseDuration(
      FlagOr(flags.max_duration, settings.Text("measure.max_duration")));
}

int ThreadsOf(const MeasureFlags& flags, const Settings& settings,
              const Device& device) {
  int threads = flags.threads ? *flags.threads
                              : std::stoi(settings.Text("measure.threads"));
  return threads > 0 ? threads : std::max(1, device.facts.cores);
}

Result<MeasureRequest> RequestOf(const MeasureFlags& flags,
                                 const Settings& settings,
                                 const Device& device) {
  std::filesystem::path path = flags.network;
  MeasureRequest request{.network = path,
                         .name = path.stem().string(),
                         .ending = EndingOf(flags, settings),
                         .max_duration = MaxDurationOf(flags, settings),
                         .warmup = flags.warmup,
                         .threads = ThreadsOf(flags, settings, device),
                         .inputs = {.sizes = {.batch = flags.batch},
                                    .seed = flags.seed,
                                    .files = flags.inputs,
                                    .picture_folder = flags.image_path},
                         .layers = flags.layers,
                         .device_id = device.id,
                         .device_name = device.name,
                         .mete_version = kVersion,
                         .entropy = DrawRunEntropy()};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.inputs.sizes.shapes.push_back(std::move(given));
  }
  return request;
}

ProgressCallback ShowProgress(Talk& talk) {
  return [&talk](const MeasureProgress& progress) {
    std::string bound;
    if (progress.of_iterations) {
      bound = fmt::format(" of {}", *progress.of_iterations);
    } else if (progress.at_most) {
      bound = fmt::format(", {:.0f} s of at most {:.0f} s",
                          progress.elapsed.count(), progress.at_most->count());
    }
    talk.Progress(
        fmt::format("measuring: {} iterations{}", progress.iterations, bound));
  };
}

void Print(Invocation& invocation, const Run& run) {
  invocation.output.Print({
      .text = [&] { return RunText(run); },
      .json = [&] { return RunToJson(run); },
      .csv = [&] { return RunCsv({run}); },
  });
}

ExitCode CodeOf(const Run& run) {
  if (run.outcome.kind == OutcomeKind::kInterrupted) {
    return ExitCode::kInterrupted;
  }
  return run.verdict.kind == VerdictKind::kStable ? ExitCode::kDone
                                                  : ExitCode::kUnstable;
}

// The file is read, the store opened and the machine registered first: a
// measurement that could not be kept is not begun.
Result<ExitCode> Measure(Invocation& invocation, const MeasureFlags& flags) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(std::string sha256, Sha256OfFile(flags.network));
  ASSIGN_OR_RETURN(RunStore * store, services.Store());
  ASSIGN_OR_RETURN(Engine * engine, services.TheEngine());
  invocation.talk.Detail("engine: " + engine->version().name + " " +
                         engine->version().version);
  invocation.talk.Detail("store: " + invocation.settings.Text("store"));
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(*store, services.ThisHost(), services.TheClock()));
  RETURN_IF_ERROR(CheckDevice(flags.device, device, *store));
  ASSIGN_OR_RETURN(MeasureRequest request,
                   RequestOf(flags, invocation.settings, device));
  request.sha256 = sha256;
  Result<Run> run =
      MeasureNetwork(request,
                     {.engine = *engine,
                      .host = services.ThisHost(),
                      .images = services.Images(),
                      .clock = services.TheClock()},
                     ShowProgress(invocation.talk), invocation.stop);
  invocation.talk.ClearProgress();
  if (!run.ok()) return run.error();
  if (!run->latency) {
    return Error(ErrorCode::kInterrupted, "stopped before anything was timed");
  }
  // Printed first: a full disk must not take the result with it.
  Print(invocation, *run);
  RETURN_IF_ERROR(store->SaveRun(*run).While("the run is not stored"));
  bool told = invocation.output.format() == OutputFormat::kTable;
  if (!run->verdict.explanation.empty() && !told) {
    invocation.talk.Warn(std::string(NameOf(run->verdict.kind)) + ": " +
                         run->verdict.explanation);
  }
  if (flags.layers && invocation.output.format() == OutputFormat::kCsv) {
    invocation.talk.Note("the layers are left out of CSV; -o json has them");
  }
  return CodeOf(*run);
}

// A flag that does not go with what is measured; absent when all do.
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

// What is wrong with the combination of words; absent when nothing is.
std::optional<std::string> Complaint(
    const MeasureFlags& flags, const ApplicationFlags& application,
    const Invocation& invocation, const std::vector<std::string>& given,
    const std::vector<std::string>& application_flags) {
  const bool command = invocation.command.has_value();
  const bool image = !application.image.empty();
  if (command && !image && invocation.command->empty()) {
    return "a command is wanted after --: mete measure -- ./app";
  }
  if ((command || image) && !flags.network.empty()) {
    return "a network or a command after --, not both";
  }
  if (!command && !image && flags.network.empty()) {
    return "a network (mete measure net.onnx) or a command (mete measure -- "
           "./app) is wanted";
  }
  auto misplaced = ImageComplaint(given, application);
  if (misplaced) return misplaced;
  return MisplacedFlag(given, application_flags, command || image);
}

}  // namespace

void AddMeasureCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<MeasureFlags>();
  auto application = std::make_shared<ApplicationFlags>();
  Command command = root.Add(
      "measure", "Latency of a network, or what a command takes",
      "mete measure resnet18.onnx --threads 2 --until 1%\n"
      "  mete measure --memory 512Mi --timeout 60s -- ./app --fast\n"
      "  mete measure --image my/app:1 --mount data:/data:ro -- --fast");
  command.Option("NET.onnx", flags->network, "Network file");
  AddEndingFlags(command, *flags);
  AddInputFlags(command, *flags);
  AddOtherFlags(command, *flags);
  auto command_flags = AddApplicationFlags(command, *application);
  command.Option("--out", application->out,
                 "Command: folder for samples.csv and app.log");
  command_flags.push_back("--out");
  verbs.push_back({.command = command,
                   .run = [=](Invocation& invocation) -> Result<ExitCode> {
                     auto complaint =
                         Complaint(*flags, *application, invocation,
                                   command.Given(), command_flags);
                     if (complaint) {
                       invocation.talk.Error("mete measure: " + *complaint);
                       return ExitCode::kUsage;
                     }
                     if (!invocation.command && application->image.empty())
                       return Measure(invocation, *flags);
                     application->threads = flags->threads;
                     return MeasureApplication(invocation, *application);
                   },
                   .interruptible = true,
                   .takes_command = true});
}

}  // namespace mete
