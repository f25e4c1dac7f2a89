// A run: one execution of a workload on a device. A run has a common part and,
// depending on what was run, the details of a network or of an application.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domain/application_details.h"
#include "machine/facts.h"
#include "machine/limits.h"
#include "support/units.h"

namespace mete {

// The kinds of things mete can run.
enum class WorkloadKind { kNetwork, kCommand, kImage, kService };

// What was run: a network, a program or a container image, and its inputs.
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
  // "random", "random x; sr=16000", "images DIR (12 files)"
  std::string input_origin;
  // Sizes that were set instead of the network's own: "x=1x3x640x640".
  std::vector<std::string> given_shapes;
};

// The ways a run can end. Running out of memory is a result, not an error.
enum class OutcomeKind {
  kCompleted,
  kFailed,  // it ended by itself with an exit code other than 0
  kOutOfMemory,
  kTimedOut,
  kCrashed,
  kRejected,
  kInterrupted,  // the user stopped it; what was measured until then is kept
};

// How a run ended, with a sentence about the reason.
struct RunOutcome {
  OutcomeKind kind = OutcomeKind::kCompleted;
  std::string detail;
};

// Whether the numbers of a completed run can be trusted.
enum class VerdictKind {
  kStable,
  kDrifting,       // the latency moves with time
  kBimodal,        // it jumps between two levels
  kNotConverged,   // the interval is wider than the precision requires
  kTooFewSamples,  // no interval exists at the requested confidence
};

// How far the measured latency of a run can be trusted, and why.
struct Verdict {
  VerdictKind kind = VerdictKind::kStable;
  std::string explanation;  // what was seen, with numbers; "" when stable
};

// The time of one inference, summarised over all timed iterations. A bound is
// absent when there were too few samples for the confidence.
struct LatencySummary {
  Seconds mean{0};
  Seconds min{0};
  Seconds p50{0};
  Seconds p90{0};
  Seconds p95{0};
  Seconds p99{0};
  Seconds max{0};
  std::optional<Seconds> p50_low;
  std::optional<Seconds> p50_high;
  std::optional<Seconds> p99_low;
  std::optional<Seconds> p99_high;
};

// The software that executed the workload: an inference engine for a network,
// a container engine for an image.
struct EngineVersion {
  std::string name;
  std::string version;
};

// How the inference engine was set up. Absent: the engine's default.
struct EngineOptions {
  std::string provider;              // execution provider; "": the CPU
  std::string optimization;          // "none", "basic", "extended"; "": "all"
  int inter_op_threads = 1;          // operators that run side by side
  std::optional<bool> spinning;      // idle threads wait in a loop
  std::optional<bool> memory_arena;  // memory is kept for the next inference
  bool operator==(const EngineOptions&) const = default;
};

// How busy other processes kept the device during a run, as a share of its
// processors: 0 to 1.
struct BackgroundLoad {
  double asked = 0;     // of the load generator
  double measured = 0;  // CPU time of everything but the workload
};

// Time spent in one node of the network, from the engine's own profiler.
struct LayerTime {
  std::string name;
  std::string op;
  uint64_t calls = 0;
  Seconds mean{0};  // per inference
  Seconds stddev{0};
  double share = 0;  // of the time in all nodes, 0 to 1
};

// The same measurement made in several fresh processes, each of which is a
// run. All of these runs have it.
struct ProcessRepeats {
  uint64_t index = 0;                // of this run, from 1
  std::vector<std::string> run_ids;  // of all of them, in order
  std::vector<double> medians;       // seconds, in the same order
  double mean = 0;                   // geometric mean of the medians
  // 95 % interval of the mean. It contains the variation between processes,
  // which the interval of one run does not. Absent with one process.
  std::optional<double> low;
  std::optional<double> high;
  Verdict verdict;  // on the mean
};

// What the run of a network adds to a run: the latency of its inferences.
struct NetworkDetails {
  Verdict verdict;
  uint64_t iterations = 0;
  uint64_t warmup_iterations = 0;
  std::optional<LatencySummary> latency;  // absent when nothing was timed
  std::optional<double> throughput;       // samples (batch items) per second
  std::optional<Joules> energy_per_inference;
  std::optional<Seconds> load_time;  // reading and preparing the network
  // Iterations that count as one independent observation (>= 1).
  std::optional<double> autocorrelation_time;
  std::vector<LayerTime> layers;  // only with --layers
  EngineOptions engine_options;
  // Arguments of mete measure that repeat the run. Empty: they
  // were not recorded.
  std::vector<std::string> arguments;
  std::vector<std::string> notes;  // what may have disturbed the measurement
  std::optional<ProcessRepeats> repeats;  // only with --repeat
  // Seconds per iteration, in order. Plain numbers because statistics work on
  // them.
  std::vector<double> samples;
  // The process that measured the network, from its start to its end, if it was
  // measured under limits, in a session or as a job.
  std::optional<ApplicationDetails> process;
};

// One execution of a workload on a device: where it came from, how it ended
// and what was measured. This is what stores, exports and reports hold.
struct Run {
  static constexpr int kSchemaVersion = 1;

  std::string id;  // sorts by time of start
  std::chrono::system_clock::time_point started_at;
  Workload workload;
  std::string device_id;
  std::string device_name;
  Limits limits;
  RunOutcome outcome;
  // Of the timed iterations of a network, of the whole run of an application.
  std::optional<Seconds> cpu_time;
  std::optional<Bytes> peak_rss;
  std::optional<BackgroundLoad> load;  // absent when it was not measured
  EngineVersion engine;
  Environment environment;
  std::string clock = "CLOCK_MONOTONIC";
  std::string mete_version;
  uint64_t seed = 0;
  // NetworkDetails for workloads of kind kNetwork, else ApplicationDetails.
  std::variant<NetworkDetails, ApplicationDetails> details;

  // The details of that kind, or null when the run is of the other kind.
  const NetworkDetails* network() const {
    return std::get_if<NetworkDetails>(&details);
  }
  NetworkDetails* network() { return std::get_if<NetworkDetails>(&details); }
  const ApplicationDetails* application() const {
    return std::get_if<ApplicationDetails>(&details);
  }
  ApplicationDetails* application() {
    return std::get_if<ApplicationDetails>(&details);
  }

  // The details of the process that was run: of an application, or of the
  // process that measured a network. Null when mete itself measured it.
  const ApplicationDetails* process() const;

  // The fields that every format has for runs of both kinds. An application
  // counts as one iteration, from which no interval can be computed.
  uint64_t iterations() const;
  Verdict verdict() const;
};

}  // namespace mete
