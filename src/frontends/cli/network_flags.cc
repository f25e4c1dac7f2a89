#include "cli/network_flags.h"

#include "config/settings.h"
#include "domain/tensor.h"
#include "support/units.h"

namespace mete {
namespace {

// The values have been validated.
EngineOptions EngineOptionsFor(const NetworkFlags& flags) {
  EngineOptions options{.provider = flags.provider,
                        .inter_op_threads = flags.inter_op_threads};
  if (flags.optimization != "all") options.optimization = flags.optimization;
  if (!flags.spinning.empty()) options.spinning = *ParseOnOff(flags.spinning);
  if (!flags.arena.empty()) options.memory_arena = *ParseOnOff(flags.arena);
  return options;
}

}  // namespace

void AddEndingFlags(Command command, NetworkFlags& flags) {
  Flag iterations = command
                        .Option("--iterations", flags.iterations,
                                "Measure exactly this many inferences")
                        .Check(ParseCount, "N")
                        .Within(1, kMostIterations);
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
      .Within(1, kMostBatch);
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

Flag AddLayersFlag(Command command, NetworkFlags& flags) {
  return command.Switch("--layers", flags.layers,
                        "Also measure every layer, slowest first");
}

std::vector<std::string> AddNetworkFlags(Command command, NetworkFlags& flags) {
  AddEndingFlags(command, flags);
  AddInputFlags(command, flags);
  AddLayersFlag(command, flags);
  AddEngineFlags(command, flags);
  return {"--iterations",   "--duration",
          "--until",        "--max-duration",
          "--warmup",       "--batch",
          "--shape",        "--input",
          "--image-path",   "--seed",
          "--layers",       "--provider",
          "--optimization", "--inter-op-threads",
          "--spinning",     "--arena"};
}

NetworkOptions MakeNetworkOptions(const NetworkFlags& flags) {
  NetworkOptions options{.network = flags.file,
                         .iterations = flags.iterations,
                         .warmup = flags.warmup,
                         .batch = flags.batch,
                         .shapes = flags.shapes,
                         .inputs = flags.inputs,
                         .image_path = flags.image_path,
                         .seed = flags.seed,
                         .layers = flags.layers,
                         .engine = EngineOptionsFor(flags)};
  if (flags.duration) options.duration = *ParseDuration(*flags.duration);
  if (flags.until) options.until = *ParseRatio(*flags.until);
  if (flags.max_duration) {
    options.max_duration = *ParseDuration(*flags.max_duration);
  }
  return options;
}

}  // namespace mete
