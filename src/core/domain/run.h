// A run: one execution of a workload on a device, with its outcome and numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/application_figures.h"
#include "machine/facts.h"
#include "machine/limits.h"
#include "support/units.h"

namespace mete {

enum class WorkloadKind { kNetwork, kCommand, kImage, kService };

// What was run.
struct Workload {
  WorkloadKind kind = WorkloadKind::kNetwork;
  // A network's file name without folder and .onnx, a program's file name, an
  // image's reference.
  std::string name;
  std::string source;  // path, command line or reference, as given
  std::string sha256;
  int64_t batch = 1;
  // "input=1x3x224x224" for every input, as really fed.
  std::vector<std::string> input_shapes;
  std::string input_origin;  // "random", "file x.npy", "images DIR (12 files)"
};

enum class OutcomeKind {
  kCompleted,
  kOutOfMemory,
  kTimedOut,
  kCrashed,
  kRejected,
  kInterrupted,  // the user stopped it; what was measured until then is kept
};

struct RunOutcome {
  OutcomeKind kind = OutcomeKind::kCompleted;
  std::string detail;
};

// Whether the numbers of a completed run may be trusted.
enum class VerdictKind {
  kStable,
  kDrifting,       // the latency moves with time
  kBimodal,        // it jumps between two levels
  kNotConverged,   // the asked interval was not reached in the time allowed
  kTooFewSamples,  // no interval at the asked confidence exists
};

struct Verdict {
  VerdictKind kind = VerdictKind::kStable;
  std::string explanation;  // what was seen, with numbers; "" when stable
};

// Seconds per inference. Absent bounds: too few samples for the confidence.
struct LatencySummary {
  double mean = 0;
  double min = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
  std::optional<double> p50_low;
  std::optional<double> p50_high;
  std::optional<double> p99_low;
  std::optional<double> p99_high;
};

struct EngineVersion {
  std::string name;
  std::string version;
};

// How busy others kept the device during a run, as shares of the processors it
// has: 0 to 1.
struct BackgroundLoad {
  double asked = 0;     // of the load generator
  double measured = 0;  // CPU time of everything but the workload
};

// Time spent in one node of the network, from the engine's own profiler.
struct LayerTime {
  std::string name;
  std::string op;
  uint64_t calls = 0;
  double mean = 0;    // seconds per inference
  double stddev = 0;  // seconds
  double share = 0;   // of the time in all nodes, 0 to 1
};

struct Run {
  static constexpr int kSchemaVersion = 1;

  std::string id;  // sorts by time of start
  std::chrono::system_clock::time_point started_at;
  Workload workload;
  std::string device_id;
  std::string device_name;
  Limits limits;
  RunOutcome outcome;
  Verdict verdict;
  uint64_t iterations = 0;
  uint64_t warmup_iterations = 0;
  std::optional<LatencySummary> latency;  // absent when nothing was timed
  std::optional<double> throughput;       // samples (batch items) per second
  std::optional<double> cpu_seconds;      // of the timed iterations
  std::optional<double> joules;           // per inference, where measured
  std::optional<BackgroundLoad> load;     // absent when nobody looked
  std::optional<Bytes> peak_rss;
  std::optional<double> load_seconds;  // reading and preparing the network
  // Iterations that count as one independent observation (>= 1).
  std::optional<double> autocorrelation_time;
  EngineVersion engine;
  Environment environment;
  std::string clock = "CLOCK_MONOTONIC";
  std::string mete_version;
  uint64_t seed = 0;
  std::optional<ApplicationFigures> application;  // absent for a network
  std::vector<LayerTime> layers;                  // only with --layers
  std::vector<double> samples;  // seconds per iteration, in order
};

}  // namespace mete
