#include "measure/measure_and_store_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "devices/this_device.h"
#include "measure/keep_run.h"
#include "ports/network_file.h"
#include "ports/unknown_errors.h"
#include "support/sha256.h"

namespace mete {
namespace {

// Fails unless `expected` is this machine.
Status CheckDevice(const std::string& expected, const Device& here,
                   RunStore& runs) {
  if (expected.empty() || expected == here.name || expected == here.id) {
    return {};
  }
  ASSIGN_OR_RETURN(auto devices, runs.ListDevices());
  std::vector<std::string> names;
  for (const Device& device : devices) {
    if (device.name == expected || device.id == expected) {
      return InvalidInput(
          fmt::format("--device {} is not this machine ({}); run mete there",
                      expected, here.name));
    }
    names.push_back(device.name);
  }
  return UnknownDevice(expected, names);
}

}  // namespace

// Reads the file, opens the engine and registers the machine first: a
// measurement that could not be stored must not be started.
Result<NetworkMeasurement> MeasureAndStoreNetwork(
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop) {
  MeasureRequest& measure = request.measure;
  RETURN_IF_ERROR(CheckNotFolder(measure.network));
  ASSIGN_OR_RETURN(measure.sha256, Sha256OfFile(measure.network));
  ASSIGN_OR_RETURN(Engine * engine, dependencies.open_engine());
  if (callbacks.opened) callbacks.opened(engine->version());
  ASSIGN_OR_RETURN(Device device,
                   RegisterThisDevice(dependencies.runs, dependencies.host,
                                      dependencies.clock));
  RETURN_IF_ERROR(
      CheckDevice(request.expected_device, device, dependencies.runs));
  measure.device_id = device.id;
  measure.device_name = device.name;
  measure.entropy = dependencies.draw_entropy();
  if (measure.threads == 0) measure.threads = std::max(1, device.facts.cores);
  ASSIGN_OR_RETURN(Run run, MeasureNetwork(measure,
                                           {.engine = *engine,
                                            .host = dependencies.host,
                                            .images = dependencies.images,
                                            .clock = dependencies.clock},
                                           callbacks.progress, stop));
  if (!run.network()->latency) {
    return Error(ErrorCode::kInterrupted, "stopped before anything was timed");
  }
  Status stored = KeepRun(dependencies.runs, run);
  return NetworkMeasurement{.run = std::move(run), .stored = stored};
}

}  // namespace mete
