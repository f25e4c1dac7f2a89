#include "measure/network_yaml.h"

#include "measure/application_bounds.h"
#include "measure/input_tensors.h"

namespace mete {
namespace {

using std::filesystem::path;

// One text, or a list of them.
YamlTaker TakeList(std::vector<std::string>& target) {
  return [&target](const YamlValue& value) -> Status {
    ASSIGN_OR_RETURN(target, YamlTexts(value));
    return {};
  };
}

// An ending in a block replaces that of the defaults.
template <typename Parser, typename Target>
YamlTaker TakeEnding(NetworkOptions& options, Parser parse, Target& target) {
  return [&options, taker = TakeText(parse, target)](const YamlValue& value) {
    options.iterations.reset();
    options.duration.reset();
    options.until.reset();
    return taker(value);
  };
}

}  // namespace

YamlKeys NetworkKeys(NetworkOptions& options, const path& base) {
  EngineOptions& engine = options.engine;
  auto folder = [base](const std::string& text) -> Result<path> {
    if (text.empty()) return InvalidInput("is empty");
    return (base / text).lexically_normal();
  };
  auto level = [](const std::string& text) -> Result<std::string> {
    ASSIGN_OR_RETURN(std::string name, ParseOptimization(text));
    return name == "all" ? "" : name;
  };
  auto count = [](const std::string& text) { return ParseCount(text); };
  return {
      {"iterations", TakeEnding(options, ParseIterations, options.iterations)},
      {"duration", TakeEnding(options, ParseLength, options.duration)},
      {"until", TakeEnding(options, ParsePrecision, options.until)},
      {"max_duration", TakeText(ParseLength, options.max_duration)},
      {"warmup", TakeText(count, options.warmup)},
      {"batch", TakeText(ParseBatch, options.batch)},
      {"shape", TakeList(options.shapes)},
      {"input", TakeList(options.inputs)},
      {"image_path", TakeText(folder, options.image_path)},
      {"seed", TakeText(count, options.seed)},
      {"layers", TakeTruth(options.layers)},
      {"provider", TakeText(engine.provider)},
      {"optimization", TakeText(level, engine.optimization)},
      {"inter_op_threads", TakeText(ParseThreads, engine.inter_op_threads)},
      {"spinning", TakeText(ParseOnOff, engine.spinning)},
      {"arena", TakeText(ParseOnOff, engine.memory_arena)}};
}

void AnchorNetwork(const path& base, NetworkOptions& options) {
  options.network = (base / options.network).lexically_normal();
  if (!options.image_path.empty()) {
    options.image_path = (base / options.image_path).lexically_normal();
  }
  for (std::string& given : options.inputs) {
    size_t value = given.find('=') + 1;  // 0 without a name
    if (ParseInputNumber(given.substr(value))) continue;
    for (size_t at : {value, size_t{0}}) {
      const path file = base / given.substr(at);
      std::error_code error;
      const bool named = given.ends_with(".npy") && at == value;
      if (!named && !std::filesystem::is_regular_file(file, error)) continue;
      given = given.substr(0, at) + file.lexically_normal().string();
      break;
    }
  }
}

}  // namespace mete
