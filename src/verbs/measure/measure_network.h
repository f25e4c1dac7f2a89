// Measures the latency of a network on this machine: loads it, times engine
// calls until the result is precise enough, and reports how precise it is.
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

// A network to measure, with its inputs and its ending rule.
struct MeasureRequest {
  std::filesystem::path network;
  std::string name;    // name of the workload
  std::string sha256;  // of the network file
  Ending ending;
  // The precision that the median must have to be called stable, if `ending`
  // names none.
  double precision = 0.02;
  // Maximum duration; the call in progress is completed. Absent: 60 s for
  // UntilPrecise, no limit for the others.
  std::optional<Seconds> max_duration;
  // Number of initial calls to discard. Absent: detected, at least one.
  std::optional<uint64_t> warmup;
  int threads = 1;
  // The process has a CPU quota: the calls must cover many of its periods.
  bool has_cpu_quota = false;
  std::optional<std::string> pin;  // CPUs to run on, e.g. "0-2,4"
  InputRequest inputs;
  bool layers = false;  // also measure the time of every node
  // File for a Chrome trace of the nodes, with `layers`. Empty: none.
  std::filesystem::path trace;
  EngineOptions engine;
  // Arguments of mete measure that repeat the run; stored with it.
  std::vector<std::string> arguments;
  std::string device_id;
  std::string device_name;
  std::string mete_version;
  RunEntropy entropy;  // for the run's id
};

// The dependencies of MeasureNetwork, borrowed for the duration of the call.
struct MeasurePorts {
  Engine& engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
};

// The progress of a measurement, for a progress line.
struct MeasureProgress {
  uint64_t iterations = 0;  // warm-up included
  Seconds elapsed{0};
  std::optional<Seconds> at_most;         // the time limit, if there is one
  std::optional<uint64_t> of_iterations;  // the number of calls, if it is fixed
};
// Called between two engine calls, at most ten times a second.
using ProgressCallback = std::function<void(const MeasureProgress&)>;

// Fails when the network cannot be loaded, fed or run. An unstable or
// unfinished measurement is not a failure: see Run::verdict. When `stop` is
// requested, ends after the current call with OutcomeKind::kInterrupted and the
// measurements so far.
Result<Run> MeasureNetwork(const MeasureRequest& request,
                           const MeasurePorts& ports,
                           const ProgressCallback& progress,
                           std::stop_token stop);

}  // namespace mete
