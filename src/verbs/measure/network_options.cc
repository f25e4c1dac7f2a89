#include "measure/network_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "domain/tensor.h"
#include "measure/application_bounds.h"
#include "measure/input_tensors.h"
#include "ports/network_file.h"

namespace mete {
namespace {

Status CheckAtMost(const char* name, uint64_t value, uint64_t most) {
  if (value >= 1 && value <= most) return {};
  return InvalidInput(
      fmt::format("{}: {} is not between 1 and {}", name, value, most));
}

Status CheckLength(const char* name, const std::optional<Seconds>& length) {
  if (!length) return {};
  if (std::isfinite(length->count()) && length->count() > 0) return {};
  return InvalidInput(fmt::format("{}: duration must be positive", name));
}

Status CheckEnding(const NetworkOptions& options) {
  int endings = (options.iterations ? 1 : 0) + (options.duration ? 1 : 0) +
                (options.until ? 1 : 0);
  if (endings > 1) {
    return InvalidInput("set only one of iterations, duration and until");
  }
  if (options.iterations) {
    RETURN_IF_ERROR(
        CheckAtMost("iterations", *options.iterations, kMostIterations));
  }
  RETURN_IF_ERROR(CheckLength("duration", options.duration));
  RETURN_IF_ERROR(CheckLength("max_duration", options.max_duration));
  if (options.until && !(*options.until > 0 && *options.until < 1)) {
    return InvalidInput(
        fmt::format("until: {} is not between 0 % and 100 %", *options.until));
  }
  return {};
}

// "x=in.npy" with the absolute path if there is such a file.
std::string AbsoluteInput(const std::string& given) {
  size_t value = given.find('=') + 1;  // 0 without a name
  if (ParseInputNumber(given.substr(value))) return given;
  for (size_t at : {value, size_t{0}}) {
    std::filesystem::path path = given.substr(at);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    return given.substr(0, at) + std::filesystem::absolute(path).string();
  }
  return given;
}

// Without an option, the default only limits adaptive runs. A user who requests
// 1000 iterations gets them.
std::optional<Seconds> MaxDurationFor(const NetworkOptions& options,
                                      const NetworkDefaults& defaults) {
  if (options.max_duration) return options.max_duration;
  if (options.iterations || options.duration) return std::nullopt;
  return defaults.max_duration;
}

Ending MakeEnding(const NetworkOptions& options,
                  const NetworkDefaults& defaults) {
  if (options.iterations) return FixedIterations{.count = *options.iterations};
  if (options.duration) return FixedDuration{.length = *options.duration};
  return UntilPrecise{.target = options.until.value_or(defaults.until)};
}

std::string LengthWord(Seconds length) {
  return fmt::format("{}s", length.count());
}

std::string OnOff(bool on) { return on ? "on" : "off"; }

}  // namespace

NetworkDefaults NetworkDefaultsFrom(const Settings& settings) {
  return {.until = *ParseRatio(settings.Text("measure.until")),
          .max_duration = *ParseDuration(settings.Text("measure.max_duration")),
          .threads = std::stoi(settings.Text("measure.threads"))};
}

Status CheckNetworkOptions(const NetworkOptions& options) {
  RETURN_IF_ERROR(CheckEnding(options));
  if (options.batch < 1 || options.batch > kMostBatch) {
    return InvalidInput(fmt::format("batch: {} is not between 1 and {}",
                                    options.batch, kMostBatch));
  }
  for (const std::string& shape : options.shapes) {
    auto parsed = ParseShapeOverride(shape);
    if (!parsed.ok()) return parsed.error().While("shape");
  }
  if (!options.image_path.empty() && !options.inputs.empty()) {
    return InvalidInput("set inputs or image_path, not both");
  }
  const EngineOptions& engine = options.engine;
  if (!engine.optimization.empty()) {
    auto parsed = ParseOptimization(engine.optimization);
    if (!parsed.ok()) return parsed.error().While("optimization");
  }
  if (engine.inter_op_threads < 1 || engine.inter_op_threads > kMostThreads) {
    return InvalidInput(
        fmt::format("inter_op_threads: {} is not between 1 and {}",
                    engine.inter_op_threads, kMostThreads));
  }
  return {};
}

Status CheckNetworkFile(const std::filesystem::path& network) {
  // The system would read the name up to the NUL only.
  if (network.native().find('\0') != std::string::npos) {
    return InvalidInput("the path of the network contains a NUL character");
  }
  RETURN_IF_ERROR(CheckMayBeNetwork(network));
  const std::string act = "read " + network.string();
  std::error_code error;
  if (!std::filesystem::exists(network, error)) {
    return NotFound(act + ": no such file");
  }
  if (access(network.c_str(), R_OK) != 0) return SystemError(act, errno);
  return {};
}

Result<MeasureRequest> MakeMeasureRequest(const NetworkOptions& options,
                                          const NetworkDefaults& defaults) {
  RETURN_IF_ERROR(CheckNetworkOptions(options));
  MeasureRequest request{.network = options.network,
                         .name = options.network.stem().string(),
                         .ending = MakeEnding(options, defaults),
                         .precision = defaults.until,
                         .max_duration = MaxDurationFor(options, defaults),
                         .warmup = options.warmup,
                         .inputs = {.sizes = {.batch = options.batch},
                                    .seed = options.seed,
                                    .given = options.inputs,
                                    .picture_folder = options.image_path},
                         .layers = options.layers,
                         .engine = options.engine,
                         .arguments = NetworkArguments(options, defaults)};
  for (const std::string& shape : options.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.inputs.sizes.shapes.push_back(std::move(given));
  }
  return request;
}

std::vector<std::string> NetworkArguments(const NetworkOptions& options,
                                          const NetworkDefaults& defaults) {
  NetworkOptions complete = options;
  if (!options.iterations && !options.duration) {
    complete.until = options.until.value_or(defaults.until);
  }
  complete.max_duration = MaxDurationFor(options, defaults);
  return OptionArguments(complete);
}

std::vector<std::string> OptionArguments(const NetworkOptions& options) {
  std::vector<std::string> arguments = {
      std::filesystem::absolute(options.network).string()};
  auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {flag, value});
  };
  if (options.iterations) {
    add("--iterations", std::to_string(*options.iterations));
  }
  if (options.duration) add("--duration", LengthWord(*options.duration));
  if (options.until) {
    add("--until", fmt::format("{:.12g}%", *options.until * 100));
  }
  if (options.max_duration) {
    add("--max-duration", LengthWord(*options.max_duration));
  }
  if (options.warmup) add("--warmup", std::to_string(*options.warmup));
  if (options.batch != 1) add("--batch", std::to_string(options.batch));
  for (const std::string& shape : options.shapes) add("--shape", shape);
  for (const std::string& input : options.inputs) {
    add("--input", AbsoluteInput(input));
  }
  if (!options.image_path.empty()) {
    add("--image-path", std::filesystem::absolute(options.image_path).string());
  }
  if (options.seed != 0) add("--seed", std::to_string(options.seed));
  if (options.layers) arguments.emplace_back("--layers");
  const EngineOptions& engine = options.engine;
  add("--provider", engine.provider);
  add("--optimization", engine.optimization);
  if (engine.inter_op_threads != 1) {
    add("--inter-op-threads", std::to_string(engine.inter_op_threads));
  }
  if (engine.spinning) add("--spinning", OnOff(*engine.spinning));
  if (engine.memory_arena) add("--arena", OnOff(*engine.memory_arena));
  return arguments;
}

Result<uint64_t> ParseIterations(const std::string& text) {
  ASSIGN_OR_RETURN(uint64_t count, ParseCount(text));
  if (count < 1 || count > kMostIterations) {
    return InvalidInput(
        fmt::format("{} is not between 1 and {}", text, kMostIterations));
  }
  return count;
}

Result<int64_t> ParseBatch(const std::string& text) {
  ASSIGN_OR_RETURN(uint64_t count, ParseCount(text));
  if (count < 1 || count > static_cast<uint64_t>(kMostBatch)) {
    return InvalidInput(
        fmt::format("{} is not between 1 and {}", text, kMostBatch));
  }
  return static_cast<int64_t>(count);
}

Result<double> ParsePrecision(const std::string& text) {
  RETURN_IF_ERROR(CheckRatio(text));
  return ParseRatio(text);
}

Result<Seconds> ParseLength(const std::string& text) {
  RETURN_IF_ERROR(CheckDuration(text));
  return ParseDuration(text);
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

}  // namespace mete
