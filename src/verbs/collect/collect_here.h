// Collects networks given by location on devices given by name. Finds both,
// measures the devices that lack micro-measurements, and collects.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "collect/collect.h"
#include "collect/emulated_device.h"
#include "support/result.h"

namespace mete {

// A collection as a user requests it.
struct CollectHereRequest {
  std::string networks = "zoo";  // argument of FindNetworks
  std::string devices;           // argument of DevicesHere
  // How to measure. CollectHere fills in networks and devices.
  CollectRequest how;
};

// The dependencies for measuring one device, with its progress line.
DeviceDependencies NeedsOfDevices(const CollectDependencies& needs,
                                  const CollectCallbacks& callbacks);

// Fails before measuring anything when there is no engine, or when networks,
// pictures or devices cannot be found. When stopped later, it returns a summary
// marked `interrupted`; the same request resumes from there.
Result<CollectSummary> CollectHere(const CollectHereRequest& request,
                                   const CollectDependencies& needs,
                                   const CollectCallbacks& callbacks,
                                   std::stop_token stop);

// Which tables to write from the stored runs of all collections. Files that end
// in .gz are compressed.
struct ExportTablesRequest {
  std::filesystem::path table;       // for training; empty: none
  std::filesystem::path legacy_csv;  // in PEPPER's columns; empty: none
  std::string device_type;  // for `legacy_csv`; empty: the device's name
};
// What ExportTables wrote.
struct ExportedTables {
  std::optional<size_t> rows;  // rows in `table`
};
Result<ExportedTables> ExportTables(const ExportTablesRequest& request,
                                    RunStore& store);

}  // namespace mete
