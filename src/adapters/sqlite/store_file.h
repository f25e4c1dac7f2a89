// The one SQLite file that holds runs, devices, jobs and sweeps.
#pragma once

#include <chrono>
#include <filesystem>

#include "adapters/sqlite/database.h"
#include "support/result.h"

namespace mete {

// Where a store lies, and how long to wait for another process that writes.
struct SqliteStoreRequest {
  std::filesystem::path path;
  // A write takes milliseconds; ten seconds are a slow memory card with
  // several writers in the queue.
  std::chrono::milliseconds patience{10000};
};

// Creates the file (readable by its owner only) and its folders when absent,
// and brings an older store up to date. Fails with kCorrupt, kInvalidInput,
// kUnsupported, kPermissionDenied or kUnavailable and one line that says what
// to do.
//
// Journal: write-ahead log, synced at every commit (synchronous=FULL). A
// killed process loses at most the run it was saving; so does a power cut,
// provided the disk keeps what it says it has synced. synchronous=NORMAL
// would save that one sync, milliseconds beside a measurement of seconds, and
// a power cut could take the runs since the last checkpoint with it.
Result<Database> OpenStoreFile(const SqliteStoreRequest& request);

}  // namespace mete
