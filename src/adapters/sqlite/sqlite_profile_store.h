// ProfileStore in the SQLite file that also contains the runs.
#pragma once

#include <memory>

#include "adapters/sqlite/database.h"
#include "adapters/sqlite/store_file.h"
#include "ports/profile_store.h"

namespace mete {

// Has its own connection. Not thread-safe.
class SqliteProfileStore final : public ProfileStore {
 public:
  // Fails like OpenStoreFile.
  static Result<std::unique_ptr<SqliteProfileStore>> Open(
      const SqliteStoreRequest& request);

  Status SaveProfiles(const std::vector<StoredProfile>& profiles) override;
  Result<std::vector<StoredProfile>> ListProfiles() override;

 private:
  explicit SqliteProfileStore(Database database)
      : database_(std::move(database)) {}

  Status Save(const StoredProfile& profile);

  Database database_;
};

}  // namespace mete
