// RunStore in one SQLite file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "adapters/sqlite/database.h"
#include "adapters/sqlite/store_file.h"
#include "ports/run_store.h"

namespace mete {

// Any number of processes may read, one at a time may write. Not thread-safe.
class SqliteRunStore final : public RunStore {
 public:
  // Creates the file (readable only by its owner) and its folders if missing,
  // and migrates an older store. Fails with kCorrupt, kInvalidInput,
  // kUnsupported, kPermissionDenied or kUnavailable and one line that says what
  // to do.
  static Result<std::unique_ptr<SqliteRunStore>> Open(
      const SqliteStoreRequest& request);
  static Result<std::unique_ptr<SqliteRunStore>> Open(
      const std::filesystem::path& path) {
    return Open(SqliteStoreRequest{.path = path});
  }

  Status CheckWritable() override { return database_.CheckWritable(); }
  Status SaveRun(const Run& run) override;
  Result<Run> FindRun(const std::string& id) override;
  Result<std::vector<Run>> ListRuns(const RunFilter& filter) override;
  Status SaveDevice(const Device& device) override;
  Result<Device> FindDevice(const std::string& name_or_id) override;
  Result<std::vector<Device>> ListDevices() override;
  Status RemoveDevice(const std::string& name_or_id) override;
  Status SaveNetwork(const NetworkTraits& network) override;
  Result<NetworkTraits> FindNetwork(const std::string& sha256,
                                    int64_t batch) override;
  Result<std::vector<NetworkTraits>> ListNetworks() override;

  // Reads the whole file. Fails with kCorrupt and the first error.
  Status CheckIntegrity();

 private:
  explicit SqliteRunStore(Database database) : database_(std::move(database)) {}

  Result<bool> Exists(std::string_view sql, std::string_view key);

  Database database_;
};

}  // namespace mete
