// Measures a network on this machine and stores the run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/machine_check.h"
#include "measure/measure_network.h"
#include "measure/network_process.h"
#include "measure/run_id.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "ports/run_store.h"
#include "ports/testbed.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// A network to measure on this machine.
struct NetworkMeasurementRequest {
  // Device, sha256 and entropy are filled in. 0 threads means one per core, or
  // per pinned CPU.
  MeasureRequest measure;
  // The name or id this machine must have. Empty: any.
  std::string expected_device;
  uint64_t repeat = 1;  // processes, for RepeatNetwork
};

// Starts mete itself with these arguments.
using StartSelf = std::function<Result<std::unique_ptr<TestbedProcess>>(
    const std::vector<std::string>& arguments)>;

// The dependencies of MeasureAndStoreNetwork, borrowed for the duration of a
// call.
struct MeasureNetworkDependencies {
  RunStore& runs;
  std::function<Result<Engine*>()> open_engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
  std::function<RunEntropy()> draw_entropy;
  StartSelf start_self;  // for RepeatNetwork
  // The length of a sequence with which a network can run, to suggest it when
  // the user gave none. May be empty.
  std::function<int64_t(const std::filesystem::path&)> suggest_length{};
  // The engine takes a negative size for an open one.
  NetworkCheck check{};
};

// Reports on a measurement while it runs. All callbacks may be empty.
struct MeasureNetworkCallbacks {
  // Something on this machine may disturb the measurement; one sentence. Called
  // before the measurement.
  std::function<void(const std::string&)> warn;
  // With several processes: the number of the one that starts now, from 1, and
  // how many there will be.
  std::function<void(uint64_t, uint64_t)> process;
  std::function<void(const EngineVersion&)> opened;  // before the measurement
  ProgressCallback progress;
};

// A measurement of which everything is known that can be known before it.
struct PreparedNetwork {
  MeasureRequest measure;  // complete
  Engine* engine = nullptr;
  MachineCheck check;
};

// Reads the file, opens the engine, registers the machine and looks at its
// load: a measurement that could not be stored must not be started.
Result<PreparedNetwork> PrepareNetwork(
    MeasureRequest measure, const std::string& expected_device,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop);

// The notes of a run: the warnings, and whether earlier runs in the store
// disagree with it.
std::vector<std::string> NotesFor(const Run& run, const MachineCheck& check,
                                  RunStore& runs);

// A measured run and whether it could be stored.
struct NetworkMeasurement {
  Run run;        // has a latency
  Status stored;  // whether the run is in the store
};

// Registers this machine as a device on first use. Fails as MeasureNetwork
// does, when the file cannot be read, when there is no engine, when this is not
// the expected device, and with kInterrupted when `stop` was requested before
// anything was timed.
Result<NetworkMeasurement> MeasureAndStoreNetwork(
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop);

}  // namespace mete
