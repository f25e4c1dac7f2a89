// Exports devices, networks and runs as JSON lines and imports them into
// another store: {"device":{…}}, {"network":{…}}, {"run":{…}}.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// One line of an export.
using ExportedRecord = std::variant<Device, NetworkTraits, Run>;

// Lines with their line ends. That of a run has its samples.
std::string RecordLine(const Device& device);
std::string RecordLine(const NetworkTraits& network);
std::string RecordLine(const Run& run);
// Fails with kCorrupt.
Result<ExportedRecord> ReadRecord(std::string_view line);
// Stores what is not known yet; of devices, what is newer. Fails like
// RunStore's functions.
Status SaveRecord(RunStore& store, const ExportedRecord& record);

// Writes devices and networks first, then the runs that match the filter with
// their samples, oldest first. Includes only the devices and networks of these
// runs.
Status ExportRuns(RunStore& store, const RunFilter& filter,
                  const std::function<Status(const std::string&)>& write);

// The same into a file, atomically. Returns the number of lines.
Result<size_t> ExportRunsToFile(RunStore& store, const RunFilter& filter,
                                const std::filesystem::path& file);

// How many records an import stored.
struct ImportCounts {
  size_t devices = 0;  // new or newer
  size_t networks = 0;
  size_t runs = 0;
  size_t known = 0;  // runs that the store already had
};

// Importing the same lines twice has no further effect. Checks everything
// before writing anything. Fails with kCorrupt and the line number, or with
// kInvalidInput when a run with the same id differs or a device's name belongs
// to another device.
Result<ImportCounts> ImportRuns(RunStore& store, std::string_view lines);

// The same from a file written by ExportRunsToFile. Also fails when the file
// cannot be read.
Result<ImportCounts> ImportRunsFromFile(RunStore& store,
                                        const std::filesystem::path& file);

}  // namespace mete
