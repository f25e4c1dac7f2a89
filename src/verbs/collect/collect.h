// Measures every network on every device under every load, in random order,
// and stores each run as soon as it is there.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

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

struct CollectRequest {
  std::vector<NetworkSource> networks;
  std::vector<Device> devices;     // of this machine, with micro-measurements
  std::vector<double> loads;       // shares of a device's CPUs, 0 to 1
  uint64_t iterations = 100;       // at most, in one run
  Seconds time{1.5};               // of one run, as RunOrder says
  size_t passes = 1;               // how often everything is measured
  int64_t batch = 1;               // items in an inference
  bool again = false;              // whatever the store has
  uint64_t seed = 0;               // of the order, and of random inputs
  std::filesystem::path pictures;  // for image networks; empty: random
  std::string mete_version;
};

// What a collection needs; all of it must outlive the call.
struct CollectDependencies {
  RunStore& store;
  TestbedFactory& testbeds;
  GraphReader& reader;
  GraphWriter& writer;
  Host& host;
  Clock& clock;
  std::function<std::unique_ptr<MachineProbe>()> new_machine_probe;
  std::function<RunEntropy()> draw_entropy;
  // The engine that networks run on. Fails with kUnavailable or kUnsupported
  // and what to do when there is none.
  std::function<Result<EngineVersion>()> engine_version;
};

// Where the collection stands. Absent: too early to tell.
struct CollectProgress {
  size_t done = 0;  // runs, those found in the store included
  size_t total = 0;
  std::string network;
  std::string device;
  std::optional<Seconds> left;
};
using OnCollectProgress = std::function<void(const CollectProgress&)>;

// What the use cases that collect say meanwhile. Each may be empty.
struct CollectCallbacks {
  OnCollectProgress on_progress;
  // What is being done before the first run, for a progress line.
  std::function<void(const std::string&)> on_step;
  std::function<void(const EngineVersion&)> on_engine;
  // The notes of the summary, after the last run.
  std::function<void(const std::string&)> on_note;
};

struct CollectSummary {
  size_t total = 0;
  size_t found = 0;     // were in the store
  size_t measured = 0;  // completed now
  size_t failed = 0;    // ended in another way now
  // Networks that were left out and why, what a bench cannot do.
  std::vector<std::string> notes;
  bool interrupted = false;
};

// A network at a time: devices in random order, on each the loads in random
// order, so that what changes with time falls on all alike and only one made
// network lies on the disk. A pass begins when the one before is through: what
// disturbs a machine from outside lasts seconds, so repeats must be far apart.
// A stop ends it with what is stored by then; running it again goes on from
// there. Fails when a bench or the store does.
Result<CollectSummary> Collect(const CollectRequest& request,
                               const CollectDependencies& ports,
                               const OnCollectProgress& on_progress,
                               std::stop_token stop);

// The same for use cases that need all of the runs: fails with kInterrupted
// when it was stopped before the end.
Status CollectWhole(const CollectRequest& request,
                    const CollectDependencies& ports,
                    const CollectCallbacks& callbacks, std::stop_token stop);

}  // namespace mete
