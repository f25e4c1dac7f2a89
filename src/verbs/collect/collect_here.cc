#include "collect/collect_here.h"

#include "collect/latency_table.h"
#include "collect/legacy_csv.h"
#include "devices/find_devices.h"
#include "devices/this_device.h"
#include "support/file.h"
#include "support/gzip.h"

namespace mete {
namespace {

// Predictors distinguish devices by their micro-measurements.
Status MeasureMissing(std::vector<Device>& devices,
                      const DeviceDependencies& needs,
                      const std::stop_token& stop) {
  for (Device& device : devices) {
    if (device.micro) continue;
    ASSIGN_OR_RETURN(device, RefreshMeasurements(device, needs, stop));
  }
  return {};
}

Status WriteTable(const std::filesystem::path& file, std::string content) {
  if (file.extension() == ".gz") {
    ASSIGN_OR_RETURN(content, Gzip(content));
  }
  return WriteFileAtomically(file, content);
}

}  // namespace

DeviceDependencies NeedsOfDevices(const CollectDependencies& needs,
                                  const CollectCallbacks& callbacks) {
  return {.store = needs.store,
          .testbeds = needs.testbeds,
          .host = needs.host,
          .writer = needs.writer,
          .clock = needs.clock,
          .engine_version = needs.engine_version,
          .progress = callbacks.on_step,
          .on_engine = callbacks.on_engine};
}

Result<CollectSummary> CollectHere(const CollectHereRequest& request,
                                   const CollectDependencies& needs,
                                   const CollectCallbacks& callbacks,
                                   std::stop_token stop) {
  CollectRequest how = request.how;
  ASSIGN_OR_RETURN(how.networks, FindNetworks(request.networks, how.seed));
  if (!how.pictures.empty()) {
    RETURN_IF_ERROR(FilesIn(how.pictures).While("--image-path"));
  }
  // Checked first, since nothing can be measured without an engine.
  ASSIGN_OR_RETURN(EngineVersion engine, needs.engine_version());
  if (callbacks.on_engine) callbacks.on_engine(engine);
  if (callbacks.on_step) callbacks.on_step("inspecting this machine …");
  ASSIGN_OR_RETURN(Device here,
                   RegisterThisDevice(needs.store, needs.host, needs.clock));
  ASSIGN_OR_RETURN(how.devices,
                   DevicesHere(needs.store, here, request.devices));
  RETURN_IF_ERROR(
      MeasureMissing(how.devices, NeedsOfDevices(needs, callbacks), stop));
  Result<CollectSummary> summary =
      Collect(how, needs, callbacks.on_progress, stop);
  if (summary.ok() && callbacks.on_note) {
    for (const std::string& note : summary->notes) callbacks.on_note(note);
  }
  return summary;
}

Result<ExportedTables> ExportTables(const ExportTablesRequest& request,
                                    RunStore& store) {
  ExportedTables exported;
  if (!request.table.empty()) {
    ASSIGN_OR_RETURN(std::vector<LatencyRow> rows, LatencyRows(store));
    RETURN_IF_ERROR(WriteTable(request.table, LatencyCsv(rows)));
    exported.rows = rows.size();
  }
  if (!request.legacy_csv.empty()) {
    ASSIGN_OR_RETURN(std::string csv,
                     LegacyCsv(store, {.device_type = request.device_type}));
    RETURN_IF_ERROR(WriteTable(request.legacy_csv, csv));
  }
  return exported;
}

}  // namespace mete
