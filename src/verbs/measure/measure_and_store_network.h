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

struct NetworkMeasurementRequest {
  // Its device, sha256 and entropy are filled in. 0 threads: one for each core.
  MeasureRequest measure;
  // Name or id that this machine must have; empty: any.
  std::string expected_device;
};

// Borrowed for the length of a call.
struct MeasureNetworkDependencies {
  RunStore& runs;
  std::function<Result<Engine*>()> open_engine;
  Host& host;
  ImageReader& images;
  Clock& clock;
  std::function<RunEntropy()> draw_entropy;
};

// All may be empty.
struct MeasureNetworkCallbacks {
  std::function<void(const EngineVersion&)> opened;  // before the measurement
  ProgressCallback progress;
};

struct NetworkMeasurement {
  Run run;        // has a latency
  Status stored;  // whether the run is in the store
};

// Registers this machine as a device on its first use. Fails as MeasureNetwork
// does, when the file cannot be read, there is no engine or this is another
// device, and with kInterrupted when `stop` was requested before anything was
// timed.
Result<NetworkMeasurement> MeasureAndStoreNetwork(
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop);

}  // namespace mete
