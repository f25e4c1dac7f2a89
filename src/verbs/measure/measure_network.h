// Measures the latency of a network on this machine: loads it, times one
// engine call after the other until the answer is good enough, and says how
// good it is.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "domain/run.h"
#include "measure/ending_rule.h"
#include "measure/input_tensors.h"
#include "measure/run_id.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

struct MeasureRequest {
  std::filesystem::path network;
  std::string name;    // of the workload
  std::string sha256;  // of the file
  Ending ending;
  // Ends after the call during which it passes. Absent: 60 s for UntilPrecise,
  // no limit for the others.
  std::optional<Seconds> max_duration;
  // Exactly so many first calls do not count. Absent: detected, at least one.
  std::optional<uint64_t> warmup;
  int threads = 1;
  InputRequest inputs;
  bool layers = false;  // also the time of every node
  std::string device_id;
  std::string device_name;
  std::string mete_version;
  RunEntropy entropy;  // for the run's id
};

// The outside. Borrowed for the length of the call.
struct MeasurePorts {
  Engine& engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
};

// Where a measurement stands, for a progress line.
struct MeasureProgress {
  uint64_t iterations = 0;  // warm-up included
  Seconds elapsed{0};
  std::optional<Seconds> at_most;         // of time, when limited
  std::optional<uint64_t> of_iterations;  // when fixed
};
// Called between two engine calls, at most ten times a second.
using ProgressCallback = std::function<void(const MeasureProgress&)>;

// Fails when the network cannot be loaded, fed or run. An unstable or
// unfinished measurement is no failure: see Run::verdict. When `stop` is
// requested, ends after the current call with OutcomeKind::kInterrupted and
// what was measured until then.
Result<Run> MeasureNetwork(const MeasureRequest& request,
                           const MeasurePorts& ports,
                           const ProgressCallback& progress,
                           std::stop_token stop);

}  // namespace mete
