// SweepStore in the SQLite file that also contains the runs.
#pragma once

#include <filesystem>
#include <memory>

#include "adapters/sqlite/database.h"
#include "adapters/sqlite/store_file.h"
#include "ports/sweep_store.h"

namespace mete {

// Has its own connection. Not thread-safe.
class SqliteSweepStore final : public SweepStore {
 public:
  // Fails like OpenStoreFile.
  static Result<std::unique_ptr<SqliteSweepStore>> Open(
      const SqliteStoreRequest& request);

  Status SaveSweep(const Sweep& sweep) override;
  Result<Sweep> FindSweep(const std::string& id) override;
  Result<std::optional<Sweep>> UnfinishedSweep(const std::string& key) override;
  Result<std::vector<Sweep>> ListSweeps() override;

 private:
  explicit SqliteSweepStore(Database database)
      : database_(std::move(database)) {}

  Database database_;
};

}  // namespace mete
