// A collection as people ask for it: networks by where they are, devices by
// name. Finds both, measures what is missing of the devices, and collects.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "collect/collect.h"
#include "collect/emulated_device.h"
#include "support/result.h"

namespace mete {

struct CollectHereRequest {
  std::string networks = "zoo";  // as FindNetworks takes it
  std::string devices;           // as DevicesHere takes it
  // How to measure; its networks and devices are filled in.
  CollectRequest how;
};

// The same needs as for measuring one device, with its progress line.
DeviceDependencies NeedsOfDevices(const CollectDependencies& needs,
                                  const CollectCallbacks& callbacks);

// Fails before anything is measured when there is no engine, or when networks,
// pictures or devices cannot be found. Ends with `interrupted` in the summary
// when stopped later; the same request resumes from there.
Result<CollectSummary> CollectHere(const CollectHereRequest& request,
                                   const CollectDependencies& needs,
                                   const CollectCallbacks& callbacks,
                                   std::stop_token stop);

// Tables of what the store holds, of all collections. Files that end in .gz
// are compressed.
struct ExportTablesRequest {
  std::filesystem::path table;       // for training; empty: none
  std::filesystem::path legacy_csv;  // PEPPER's columns; empty: none
  std::string device_type;           // in those; empty: the device's name
};
struct ExportedTables {
  std::optional<size_t> rows;  // of `table`
};
Result<ExportedTables> ExportTables(const ExportTablesRequest& request,
                                    RunStore& store);

}  // namespace mete
