#include "measure/measure_and_store_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "devices/this_device.h"
#include "measure/keep_run.h"
#include "measure/pin.h"
#include "measure/speed_history.h"
#include "ports/network_file.h"
#include "ports/unknown_errors.h"
#include "support/core_list.h"
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

int CoresFor(const MeasureRequest& measure, const Device& device) {
  if (!measure.pin) return std::max(1, device.facts.cores);
  auto cpus = ListCores(*measure.pin);
  return cpus.ok() ? static_cast<int>(cpus->size()) : 1;
}

}  // namespace

Result<PreparedNetwork> PrepareNetwork(
    MeasureRequest measure, const std::string& expected_device,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop) {
  RETURN_IF_ERROR(CheckMayBeNetwork(measure.network));
  if (dependencies.check) {
    RETURN_IF_ERROR(dependencies.check(measure.network));
  }
  ASSIGN_OR_RETURN(measure.sha256, Sha256OfFile(measure.network));
  if (measure.pin) {
    RETURN_IF_ERROR(CheckPin(*measure.pin, dependencies.host).While("--pin"));
  }
  ASSIGN_OR_RETURN(Engine * engine, dependencies.open_engine());
  if (callbacks.opened) callbacks.opened(engine->version());
  ASSIGN_OR_RETURN(Device device,
                   RegisterThisDevice(dependencies.runs, dependencies.host,
                                      dependencies.clock));
  RETURN_IF_ERROR(CheckDevice(expected_device, device, dependencies.runs));
  measure.device_id = device.id;
  measure.device_name = device.name;
  measure.entropy = dependencies.draw_entropy();
  if (dependencies.suggest_length) {
    measure.inputs.suggest_length = [suggest = dependencies.suggest_length,
                                     network = measure.network] {
      return suggest(network);
    };
  }
  if (measure.threads == 0) measure.threads = CoresFor(measure, device);
  PreparedNetwork prepared{
      .measure = std::move(measure),
      .engine = engine,
      .check = CheckMachineAndWarn(dependencies.host, dependencies.clock,
                                   callbacks.warn, std::move(stop))};
  return prepared;
}

std::vector<std::string> NotesFor(const Run& run, const MachineCheck& check,
                                  RunStore& runs) {
  std::vector<std::string> notes = check.warnings;
  if (auto note = CompareWithStored(run, runs)) notes.push_back(*note);
  return notes;
}

Result<NetworkMeasurement> MeasureAndStoreNetwork(
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop) {
  ASSIGN_OR_RETURN(
      PreparedNetwork prepared,
      PrepareNetwork(std::move(request.measure), request.expected_device,
                     dependencies, callbacks, stop));
  ASSIGN_OR_RETURN(Run run, MeasureNetwork(prepared.measure,
                                           {.engine = *prepared.engine,
                                            .host = dependencies.host,
                                            .images = dependencies.images,
                                            .clock = dependencies.clock},
                                           callbacks.progress, stop));
  if (!run.network()->latency) {
    return Error(ErrorCode::kInterrupted, "stopped before anything was timed");
  }
  KeepLoad(prepared.check, run.environment);
  run.network()->notes = NotesFor(run, prepared.check, dependencies.runs);
  Status stored = KeepRun(dependencies.runs, run);
  return NetworkMeasurement{.run = std::move(run), .stored = stored};
}

}  // namespace mete
