// How to measure a network: the options of `mete measure NET.onnx`. Flags,
// session files and stored jobs are all converted to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "domain/run.h"
#include "measure/measure_network.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// A network file and how to measure it. The number of threads is not here: it
// belongs to the limits.
struct NetworkOptions {
  std::filesystem::path network;
  // When to stop: at most one of these. None: at the default precision.
  std::optional<uint64_t> iterations{};
  std::optional<Seconds> duration{};
  std::optional<double> until{};
  std::optional<Seconds> max_duration{};
  std::optional<uint64_t> warmup{};
  int64_t batch = 1;
  std::vector<std::string> shapes{};   // "input=1x3x224x224"
  std::vector<std::string> inputs{};   // see InputRequest::given
  std::filesystem::path image_path{};  // folder of pictures; empty: none
  uint64_t seed = 0;
  bool layers = false;  // also measure every layer
  EngineOptions engine{};
  bool operator==(const NetworkOptions&) const = default;
};

// The settings that apply where the options are silent.
struct NetworkDefaults {
  double until = 0.02;
  Seconds max_duration = kDefaultMaxDuration;
  int threads = 0;  // 0: one per core
};

// The settings have been validated.
NetworkDefaults NetworkDefaultsFrom(const Settings& settings);

inline constexpr uint64_t kMostIterations = 100'000'000;
inline constexpr int64_t kMostBatch = 1'000'000;

// Fails with kInvalidInput and the name of the option that is out of its range
// or contradicts another.
Status CheckNetworkOptions(const NetworkOptions& options);

// Fails unless the path is a regular file that can be read: opening a pipe
// would wait forever, and a device has no end.
Status CheckNetworkFile(const std::filesystem::path& network);

// Converts the options to a request without device and threads. Fails as
// CheckNetworkOptions does.
Result<MeasureRequest> MakeMeasureRequest(const NetworkOptions& options,
                                          const NetworkDefaults& defaults);

// The arguments of `mete measure` that repeat the measurement from any folder
// and whatever the settings are then, except for the threads.
std::vector<std::string> NetworkArguments(const NetworkOptions& options,
                                          const NetworkDefaults& defaults);

// The same without the settings: only what the options say.
std::vector<std::string> OptionArguments(const NetworkOptions& options);

// Parsers of single values. All fail with kInvalidInput.
Result<uint64_t> ParseIterations(const std::string& text);
Result<int64_t> ParseBatch(const std::string& text);
Result<double> ParsePrecision(const std::string& text);  // "1%"
Result<Seconds> ParseLength(const std::string& text);    // positive
Result<std::string> ParseOptimization(const std::string& text);
Result<bool> ParseOnOff(const std::string& text);

}  // namespace mete
