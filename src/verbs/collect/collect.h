// Measures every network on every device under every load, in random order, and
// stores each run as soon as it ends.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "collect/collected.h"
#include "collect/network_source.h"
#include "domain/device.h"
#include "measure/run_id.h"
#include "ports/graph_reader.h"
#include "ports/graph_writer.h"
#include "ports/host.h"
#include "ports/machine_probe.h"
#include "ports/run_store.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What to measure and how.
struct CollectRequest {
  std::vector<NetworkSource> networks;
  std::vector<Device> devices;  // on this machine, with micro-measurements
  std::vector<double> loads;    // shares of a device's CPUs, 0 to 1
  uint64_t iterations = 100;    // at most, per run
  Seconds time{1.5};            // of one run; see RunOrder
  size_t passes = 1;            // number of times everything is measured
  int64_t batch = 1;            // items per inference
  bool again = false;           // measure even what the store already has
  uint64_t seed = 0;            // seed of the order and of random inputs
  // Runs that need not be made, on any of the devices.
  std::vector<SkippedRun> skip{};
  std::filesystem::path pictures;  // inputs of image networks; empty: random
  std::string mete_version;
};

// Ports a collection needs. All of them must outlive the call.
struct CollectDependencies {
  RunStore& store;
  TestbedFactory& testbeds;
  GraphReader& reader;
  GraphWriter& writer;
  Host& host;
  Clock& clock;
  std::function<std::unique_ptr<MachineProbe>()> new_machine_probe;
  std::function<RunEntropy()> draw_entropy;
  // The engine that runs the networks. Fails with kUnavailable or kUnsupported
  // and says what to do when there is none.
  std::function<Result<EngineVersion>()> engine_version;
};

// Progress of a collection.
struct CollectProgress {
  size_t done = 0;  // runs, including those found in the store
  size_t total = 0;
  std::string network;
  // Estimated time left. Absent: too early to estimate.
  std::string device;
  std::optional<Seconds> left;
};
using OnCollectProgress = std::function<void(const CollectProgress&)>;

// Callbacks of the use cases that collect. Each may be empty.
struct CollectCallbacks {
  OnCollectProgress on_progress;
  // Called with the current step before the first run, for a progress line.
  std::function<void(const std::string&)> on_step;
  std::function<void(const EngineVersion&)> on_engine;
  // Called with each note of the summary after the last run.
  std::function<void(const std::string&)> on_note;
};

// Result of a collection.
struct CollectSummary {
  size_t total = 0;
  size_t found = 0;     // already in the store
  size_t measured = 0;  // completed in this collection
  size_t failed = 0;    // ended otherwise in this collection
  // Networks that were skipped and why, and limitations of a testbed.
  std::vector<std::string> notes;
  bool interrupted = false;
};

// Measures one network at a time: the devices in random order, and on each the
// loads in random order. Thus drift over time affects all of them equally, and
// only one generated network is on disk at a time. A pass begins when the one
// before has ended: external disturbances last for seconds, so repetitions must
// be far apart. When stopped, it returns what is stored so far; the same
// request resumes from there. Fails when a testbed or the store fails.
Result<CollectSummary> Collect(const CollectRequest& request,
                               const CollectDependencies& ports,
                               const OnCollectProgress& on_progress,
                               std::stop_token stop);

// The same for use cases that need all runs. Fails with kInterrupted when
// stopped before the end.
Status CollectWhole(const CollectRequest& request,
                    const CollectDependencies& ports,
                    const CollectCallbacks& callbacks, std::stop_token stop);

}  // namespace mete
