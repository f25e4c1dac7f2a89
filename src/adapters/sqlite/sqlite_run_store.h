// RunStore in one SQLite file.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "adapters/sqlite/database.h"
#include "ports/run_store.h"

namespace mete {

// Where a store lies, and how long to wait for another process that writes.
struct SqliteStoreRequest {
  std::filesystem::path path;
  // A write takes milliseconds; ten seconds are a slow memory card with
  // several writers in the queue.
  std::chrono::milliseconds patience{10000};
};

// Many readers and one writer at a time, from any number of processes. One
// object serves one thread at a time.
//
// Journal: write-ahead log, synced at every commit (synchronous=FULL). A
// killed process loses at most the run it was saving; so does a power cut,
// provided the disk keeps what it says it has synced. synchronous=NORMAL
// would save that one sync, milliseconds beside a measurement of seconds, and
// a power cut could take the runs since the last checkpoint with it.
class SqliteRunStore final : public RunStore {
 public:
  // Creates the file (readable by its owner only) and its folders when
  // absent, and brings an older store up to date. Fails with kCorrupt,
  // kInvalidInput, kUnsupported, kPermissionDenied or kUnavailable and one
  // line that says what to do.
  static Result<std::unique_ptr<SqliteRunStore>> Open(
      const SqliteStoreRequest& request);
  static Result<std::unique_ptr<SqliteRunStore>> Open(
      const std::filesystem::path& path) {
    return Open(SqliteStoreRequest{.path = path});
  }

  Status SaveRun(const Run& run) override;
  Result<Run> FindRun(const std::string& id) override;
  Result<std::vector<Run>> ListRuns(const RunFilter& filter) override;
  Status SaveDevice(const Device& device) override;
  Result<Device> FindDevice(const std::string& name_or_id) override;
  Result<std::vector<Device>> ListDevices() override;

  // Reads the whole file. Fails with kCorrupt and the first thing wrong.
  Status CheckIntegrity();

 private:
  explicit SqliteRunStore(Database database) : database_(std::move(database)) {}

  Result<bool> Exists(std::string_view sql, std::string_view key);
  Result<std::string> ResolveRunId(const std::string& beginning);

  Database database_;
};

}  // namespace mete
