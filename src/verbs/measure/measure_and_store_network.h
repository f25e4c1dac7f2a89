// Measures a network on this machine and stores the run.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "domain/run.h"
#include "measure/measure_network.h"
#include "measure/run_id.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "ports/run_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// A network to measure on this machine.
struct NetworkMeasurementRequest {
  // Device, sha256 and entropy are filled in. 0 threads means one per core.
  MeasureRequest measure;
  // The name or id this machine must have. Empty: any.
  std::string expected_device;
};

// The dependencies of MeasureAndStoreNetwork, borrowed for the duration of a
// call.
struct MeasureNetworkDependencies {
  RunStore& runs;
  std::function<Result<Engine*>()> open_engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
  std::function<RunEntropy()> draw_entropy;
};

// Reports on a measurement while it runs. All callbacks may be empty.
struct MeasureNetworkCallbacks {
  std::function<void(const EngineVersion&)> opened;  // before the measurement
  ProgressCallback progress;
};

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
