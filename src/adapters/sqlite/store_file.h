// The SQLite file that contains runs, devices, jobs and sweeps.
#pragma once

#include <chrono>
#include <filesystem>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// The file of a store, and how long to wait for other writers.
struct SqliteStoreRequest {
  std::filesystem::path path;
  // A write takes milliseconds; ten seconds allow for a slow memory card with
  // several queued writers.
  std::chrono::milliseconds patience{10000};
};

// Creates the file (readable only by its owner) and its folders if missing, and
// migrates an older store. A store that this user cannot write to, or whose
// folder, is opened for reading (Database::CheckWritable). Fails with kCorrupt,
// kInvalidInput, kUnsupported, kPermissionDenied or kUnavailable and one line
// that says what to do.
//
// Uses a write-ahead log, synced at every commit (synchronous=FULL). A killed
// process loses at most the run it was saving; so does a power failure,
// provided that the disk keeps what it reports as synced. synchronous=NORMAL
// would save that sync, which takes milliseconds next to a measurement of
// seconds, but a power failure could then lose all runs since the last
// checkpoint.
Result<Database> OpenStoreFile(const SqliteStoreRequest& request);

}  // namespace mete
