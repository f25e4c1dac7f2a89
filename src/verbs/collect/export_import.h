// Devices, networks and runs as lines of JSON, to be taken from one store to
// another: {"device":{…}}, {"network":{…}}, {"run":{…}}.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Devices and networks first, then the runs of the filter with their samples,
// oldest first. Only devices and networks that the runs are of.
Status ExportRuns(RunStore& store, const RunFilter& filter,
                  const std::function<Status(const std::string&)>& write);

// The same into a file, whole or not at all. Returns the number of lines.
Result<size_t> ExportRunsToFile(RunStore& store, const RunFilter& filter,
                                const std::filesystem::path& file);

struct ImportCounts {
  size_t devices = 0;  // new or newer
  size_t networks = 0;
  size_t runs = 0;
  size_t known = 0;  // runs that were there
};

// Twice the same is once. Everything is checked before anything is written:
// fails with kCorrupt and the line, or with kInvalidInput when a run of the
// same id differs or a device's name belongs to another one.
Result<ImportCounts> ImportRuns(RunStore& store, std::string_view lines);

// The same from a file of ExportRunsToFile. Fails as ReadFile does, too.
Result<ImportCounts> ImportRunsFromFile(RunStore& store,
                                        const std::filesystem::path& file);

}  // namespace mete
