// Protocol between mete and its processes on a testbed: one JSON object per
// line.
//
//   {"do":"load","network":"x.onnx","threads":1,"batch":1,"seed":0}
//   {"loaded":{"seconds":0.02,"input_shapes":["input=1x3x224x224"],…}}
//   {"do":"run","at_least":10,"at_most":100,"seconds":1.5,…}
//   {"ran":{"samples":[0.0103,…],"cpu_seconds":1.02,"peak_rss_bytes":…}}
//   {"do":"burn","cpus":0.4}
//   {"burning":0.4}
//   {"error":{"code":"not_found","message":"load x.onnx: no such file"}}
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"
#include "support/json_fwd.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Order to read a network and prepare it.
struct LoadOrder {
  std::filesystem::path network;
  int threads = 1;
  int64_t batch = 1;
  uint64_t seed = 0;
  std::filesystem::path pictures;   // empty: random inputs
  std::vector<std::string> shapes;  // "input=1x3x224x224"
  std::vector<std::string> inputs;  // "sr=16000"
};

// Reply to LoadOrder.
struct LoadedNetwork {
  double seconds = 0;
  std::vector<std::string> input_shapes;
  std::string input_origin;
  EngineVersion engine;
};

// Order to time between `at_least` and `at_most` inferences. Within these
// bounds the run ends as soon as the mean is known to `precision` (standard
// error over mean), or when `time` is over. After four times `time` it ends
// even with fewer than `at_least`. `at_most` does not apply before `shortest`:
// the mean of short inferences needs several periods of a CPU quota.
struct RunOrder {
  uint64_t at_least = 1;
  uint64_t at_most = 100;
  Seconds shortest{0};
  Seconds time{1.5};
  double precision = 0;  // 0: do not check
};

// Reply to RunOrder.
struct TimedRun {
  std::vector<double> samples;  // seconds of each inference
  double cpu_seconds = 0;
  std::optional<Bytes> peak_rss;
};

Json ToJson(const LoadOrder& order);
Json ToJson(const RunOrder& order);
Json BurnOrder(double cpus);
Json ToJson(const LoadedNetwork& loaded);
Json ToJson(const TimedRun& run);
Json ErrorReply(const Error& error);

// Readers fail with kCorrupt when a key is missing or has the wrong type.
Result<LoadOrder> LoadOrderFrom(const Json& json);
Result<RunOrder> RunOrderFrom(const Json& json);

// Readers of replies. An "error" reply is returned as that error.
Result<LoadedNetwork> LoadedFrom(const std::string& line);
Result<TimedRun> TimedRunFrom(const std::string& line);
Status CheckReply(const std::string& line);

// Serializes to one line.
std::string ToLine(const Json& json);

}  // namespace mete
