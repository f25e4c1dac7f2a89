#include "cli/network_flags.h"

#include <filesystem>

#include "flags/version.h"
#include "measure/application_bounds.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

void AddEndingFlags(Command command, NetworkFlags& flags) {
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

void AddInputFlags(Command command, NetworkFlags& flags) {
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

void AddOtherFlags(Command command, NetworkFlags& flags) {
  command
      .Option("--threads", flags.threads,
              "Threads of the engine (default: one per core) or of the "
              "command's thread pools")
      .Within(1, 1024);
  command.Option("--pin", flags.pin, "Run on these CPUs only, e.g. 0 or 0-1,3")
      .Check(ParseCpuset, "CPUS");
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

// The values have been validated.
EngineOptions OptionsFor(const NetworkFlags& flags) {
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

Ending MakeEnding(const NetworkFlags& flags, const Settings& settings) {
  if (flags.iterations) return FixedIterations{.count = *flags.iterations};
  if (flags.duration) {
    return FixedDuration{.length = *ParseDuration(*flags.duration)};
  }
  return UntilPrecise{.target = *ParseRatio(
                          FlagOr(flags.until, settings.Text("measure.until")))};
}

// Without a flag, the setting only limits adaptive runs. A user who requests
// 1000 iterations gets them.
std::optional<Seconds> MaxDurationFor(const NetworkFlags& flags,
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
// settings are then. The number of threads and the CPUs are stored with the
// limits.
std::vector<std::string> ArgumentsFor(const NetworkFlags& flags,
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

}  // namespace

void AddNetworkFlags(Command command, NetworkFlags& flags) {
  command.Option("NET.onnx", flags.network, "Network file");
  AddEndingFlags(command, flags);
  AddInputFlags(command, flags);
  AddOtherFlags(command, flags);
}

void AddEngineFlags(Command command, NetworkFlags& flags) {
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

Result<NetworkMeasurementRequest> MakeNetworkRequest(const NetworkFlags& flags,
                                                     const Settings& settings) {
  std::filesystem::path path = flags.network;
  MeasureRequest request{
      .network = path,
      .name = path.stem().string(),
      .ending = MakeEnding(flags, settings),
      .precision = *ParseRatio(settings.Text("measure.until")),
      .max_duration = MaxDurationFor(flags, settings),
      .warmup = flags.warmup,
      .threads =
          flags.threads.value_or(std::stoi(settings.Text("measure.threads"))),
      .pin = flags.pin,
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

}  // namespace mete
