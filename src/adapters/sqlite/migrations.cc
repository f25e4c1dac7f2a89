#include "adapters/sqlite/migrations.h"

#include <fmt/format.h>

#include <array>

namespace mete {
namespace {

// "mete" in ASCII, in the file's header: identifies a store to us and to
// file(1).
constexpr int64_t kApplicationId = 0x6d657465;

// Values by which runs are listed, filtered and sorted have a column;
// everything else is in the document, in the format of `mete runs show -o
// json`. Samples and layers are separate, so that listing does not read them.
// Times are microseconds since 1970, UTC; samples are little-endian doubles. A
// job has only columns, because it changes while others read it.
constexpr std::array<std::string_view, 5> kMigrations = {R"sql(
CREATE TABLE devices (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  registered_at INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  workload_name TEXT NOT NULL,
  workload_sha256 TEXT NOT NULL,
  device_id TEXT NOT NULL REFERENCES devices (id),
  outcome TEXT NOT NULL,
  verdict TEXT NOT NULL,
  iterations INTEGER NOT NULL,
  p50 REAL,
  p99 REAL,
  schema_version INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_time ON runs (started_at, id);
CREATE INDEX runs_by_workload ON runs (workload_name, started_at, id);
CREATE INDEX runs_by_device ON runs (device_id, started_at, id);

CREATE TABLE samples (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  seconds BLOB NOT NULL CHECK (length(seconds) % 8 = 0)
) STRICT;

CREATE TABLE layers (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  document TEXT NOT NULL
) STRICT;
)sql",
                                                         R"sql(
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  device_id TEXT NOT NULL,
  state TEXT NOT NULL,
  submitted_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  heartbeat_at INTEGER,
  worker TEXT NOT NULL,
  cancel_requested INTEGER NOT NULL,
  run_ids TEXT NOT NULL,
  folder TEXT NOT NULL,
  error TEXT NOT NULL,
  work TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_by_state ON jobs (device_id, state, id);

CREATE TABLE workers (
  id TEXT PRIMARY KEY,
  device_id TEXT NOT NULL,
  heartbeat_at INTEGER NOT NULL
) STRICT;
)sql",
                                                         R"sql(
CREATE TABLE networks (
  sha256 TEXT NOT NULL,
  batch INTEGER NOT NULL,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (sha256, batch)
) STRICT;
)sql",
                                                         R"sql(
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX sweeps_by_key ON sweeps (key, finished, id);
)sql",
                                                         R"sql(
CREATE TABLE profiles (
  kind TEXT NOT NULL,
  space TEXT NOT NULL,
  name TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (kind, space, name)
) STRICT;
)sql"};

struct Header {
  int64_t version = 0;
  int64_t owner = 0;
  int64_t tables = 0;
};

// A single statement, so that it sees another process's commit completely or
// not at all.
Result<Header> ReadHeader(Database& database) {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare("SELECT user_version, application_id, (SELECT count(*) "
                       "FROM sqlite_schema) FROM pragma_user_version, "
                       "pragma_application_id"));
  ASSIGN_OR_RETURN(bool row, select.Step());
  CHECK(row) << "a database without a version";
  return Header{select.Integer(0), select.Integer(1), select.Integer(2)};
}

// Rejects a file that is not ours before anything is written to it. Returns the
// version.
Result<int64_t> CheckHeader(Database& database, int64_t newest) {
  ASSIGN_OR_RETURN(Header header, ReadHeader(database));
  bool empty = header.owner == 0 && header.tables == 0 && header.version == 0;
  if (header.owner != kApplicationId && !empty) {
    return InvalidInput(
        fmt::format("store {}: database of another program; use another file",
                    database.file().string()));
  }
  if (header.version < 0 || header.version > newest) {
    return Unsupported(
        fmt::format("store {}: version {} was written by a newer mete, this "
                    "one supports up "
                    "to {}; install the newer mete",
                    database.file().string(), header.version, newest));
  }
  return header.version;
}

// One step, under the write lock; false when nothing is left to do.
Result<bool> MigrateOnce(Database& database,
                         std::span<const std::string_view> migrations) {
  const auto newest = static_cast<int64_t>(migrations.size());
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ASSIGN_OR_RETURN(int64_t version, CheckHeader(database, newest));
  if (version == newest) return false;
  RETURN_IF_ERROR(
      database.Execute(std::string(migrations[static_cast<size_t>(version)])));
  RETURN_IF_ERROR(database.Execute(
      fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}",
                  version + 1, kApplicationId)));
  RETURN_IF_ERROR(transaction.Commit());
  return true;
}

}  // namespace

std::span<const std::string_view> StoreMigrations() { return kMigrations; }

Status Migrate(Database& database,
               std::span<const std::string_view> migrations) {
  const auto newest = static_cast<int64_t>(migrations.size());
  ASSIGN_OR_RETURN(int64_t version, CheckHeader(database, newest));
  // The common case takes no lock.
  if (version == newest) return {};
  while (true) {
    auto more = MigrateOnce(database, migrations);
    if (!more.ok()) return more.error();
    if (!*more) return {};
  }
}

Status CheckMigrated(Database& database,
                     std::span<const std::string_view> migrations) {
  const auto newest = static_cast<int64_t>(migrations.size());
  ASSIGN_OR_RETURN(int64_t version, CheckHeader(database, newest));
  if (version == newest) return {};
  return Unsupported(
      fmt::format("store {}: written by an older mete, and read-only here; "
                  "copy it to a folder that can be written",
                  database.file().string()));
}

}  // namespace mete
