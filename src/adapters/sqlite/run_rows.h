// Converts runs, devices and networks to rows of the store and back.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "adapters/sqlite/database.h"
#include "domain/device.h"
#include "domain/network_traits.h"
#include "domain/run.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Writes the columns of `runs`. Call within a transaction.
Status InsertRun(Database& database, const Run& run);
Status InsertSamples(Database& database, const Run& run);
Status InsertLayers(Database& database, const Run& run);

// From columns (started_at, document), without samples and layers.
Result<Run> RunOfRow(const Statement& row);
// Fills in samples and layers; runs without them have none stored.
Status ReadSamples(Database& database, Run& run);
Status ReadLayers(Database& database, Run& run);

// From columns (registered_at, document).
Result<Device> DeviceOfRow(const Statement& row);
// From the column document.
Result<NetworkTraits> NetworkOfRow(const Statement& row);

// Eight bytes per sample, little-endian on every machine.
std::vector<std::byte> PackSamples(std::span<const double> samples);
std::vector<double> UnpackSamples(std::span<const std::byte> bytes);

// One line; invalid UTF-8 is replaced.
std::string CompactJson(const Json& json);

// Times as stored in the columns: since 1970.
int64_t Microseconds(std::chrono::system_clock::time_point time);
std::chrono::system_clock::time_point FromMicroseconds(int64_t count);

}  // namespace mete
