#include "adapters/sqlite/sqlite_run_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "adapters/sqlite/migrations.h"
#include "adapters/sqlite/run_rows.h"
#include "domain/device_json.h"
#include "support/descriptor.h"

namespace mete {
namespace {

// mkdir -p, each new folder for its owner only: runs tell what somebody works
// on.
Status CreatePrivateFolders(const std::filesystem::path& folder) {
  if (folder.empty() || folder == folder.root_path()) return {};
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  if (errno != ENOENT) {
    return SystemError("create folder " + folder.string(), errno);
  }
  RETURN_IF_ERROR(CreatePrivateFolders(folder.parent_path()));
  if (mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return SystemError("create folder " + folder.string(), errno);
}

// SQLite would create the file by the umask; its journal files take over the
// mode of an existing one.
// An existing file is not opened here: closing a descriptor of it would drop
// the locks that another store of this process holds on it.
Status CreatePrivateFile(const std::filesystem::path& file) {
  Descriptor made(open(file.c_str(),
                       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600));
  if (made.open()) return {};
  if (errno == EEXIST && access(file.c_str(), W_OK) == 0) return {};
  if (errno == EACCES || errno == EROFS) {
    return DatabaseError(SQLITE_READONLY, file, "");
  }
  return SystemError("open store " + file.string(), errno);
}

// Only the very first process switches; the answer stays in the file. SQLite
// does not wait for a lock here, so the waiting is ours.
Status UseWriteAheadLog(Database& database,
                        std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{5};
  while (true) {
    auto mode = database.QueryText("PRAGMA journal_mode = WAL");
    if (mode.ok() && *mode == "wal") return {};
    if (mode.ok()) {
      return Unavailable(fmt::format(
          "store {}: this file system cannot share memory between processes; "
          "name a file on a local disk",
          database.file().string()));
    }
    if (!database.Busy() || patience <= kPause) return mode.error();
    sqlite3_sleep(static_cast<int>(kPause.count()));
    patience -= kPause;
  }
}

// The parameters follow in the order of the filter's fields.
std::string ListSql(const RunFilter& filter) {
  std::string sql = "SELECT started_at, document FROM runs WHERE true";
  if (filter.workload) sql += " AND workload_name = ?";
  if (filter.device) {
    sql += " AND device_id IN (SELECT id FROM devices WHERE ? IN (id, name))";
  }
  sql += " ORDER BY started_at DESC, id DESC";
  if (filter.limit > 0) sql += " LIMIT ?";
  return sql;
}

}  // namespace

Result<std::unique_ptr<SqliteRunStore>> SqliteRunStore::Open(
    const SqliteStoreRequest& request) {
  if (request.path.empty()) return InvalidInput("open store: no file is named");
  RETURN_IF_ERROR(CreatePrivateFolders(request.path.parent_path()));
  RETURN_IF_ERROR(CreatePrivateFile(request.path));
  ASSIGN_OR_RETURN(Database database,
                   Database::Open(request.path, request.patience));
  RETURN_IF_ERROR(database.Execute("PRAGMA foreign_keys = ON"));
  RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = FULL"));
  RETURN_IF_ERROR(Migrate(database, StoreMigrations()));
  RETURN_IF_ERROR(UseWriteAheadLog(database, request.patience));
  return std::unique_ptr<SqliteRunStore>(
      new SqliteRunStore(std::move(database)));
}

Result<bool> SqliteRunStore::Exists(std::string_view sql,
                                    std::string_view key) {
  ASSIGN_OR_RETURN(Statement select, database_.Prepare(sql));
  return select.Bind(key).Step();
}

Status SqliteRunStore::SaveRun(const Run& run) {
  if (run.id.empty()) return InvalidInput("save run: it has no id");
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(bool taken,
                   Exists("SELECT 1 FROM runs WHERE id = ?", run.id));
  if (taken) return InvalidInput("save run " + run.id + ": the id is taken");
  ASSIGN_OR_RETURN(bool known,
                   Exists("SELECT 1 FROM devices WHERE id = ?", run.device_id));
  if (!known) {
    return InvalidInput("save run " + run.id + ": no device has the id '" +
                        run.device_id + "'");
  }
  RETURN_IF_ERROR(InsertRun(database_, run));
  RETURN_IF_ERROR(InsertSamples(database_, run));
  RETURN_IF_ERROR(InsertLayers(database_, run));
  return transaction.Commit();
}

Result<std::string> SqliteRunStore::ResolveRunId(const std::string& beginning) {
  constexpr size_t kShown = 5;
  if (beginning.empty()) return InvalidInput("find run: the id is empty");
  // The last code point there is: everything that begins alike sorts before.
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT id FROM runs WHERE id >= ?1 AND "
                        "id < ?1 || char(1114111) ORDER BY id LIMIT ?2"));
  select.Bind(beginning).Bind(static_cast<int64_t>(kShown + 1));
  std::vector<std::string> ids;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) break;
    ids.emplace_back(select.Text(0));
  }
  if (ids.empty()) return NotFound("no run has the id '" + beginning + "'");
  if (ids.size() == 1 || ids[0] == beginning) return ids[0];
  std::string candidates;
  for (size_t i = 0; i < std::min(ids.size(), kShown); ++i) {
    candidates += (i == 0 ? "" : ", ") + ids[i];
  }
  if (ids.size() > kShown) candidates += ", …";
  return InvalidInput(
      fmt::format("several runs begin with '{}': {}", beginning, candidates));
}

Result<Run> SqliteRunStore::FindRun(const std::string& id) {
  ASSIGN_OR_RETURN(std::string whole, ResolveRunId(id));
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT started_at, document FROM runs WHERE id = ?"));
  ASSIGN_OR_RETURN(bool found, select.Bind(whole).Step());
  if (!found) return NotFound("no run has the id '" + whole + "'");
  ASSIGN_OR_RETURN(Run run, RunOfRow(select));
  RETURN_IF_ERROR(ReadSamples(database_, run));
  RETURN_IF_ERROR(ReadLayers(database_, run));
  return run;
}

Result<std::vector<Run>> SqliteRunStore::ListRuns(const RunFilter& filter) {
  ASSIGN_OR_RETURN(Statement select, database_.Prepare(ListSql(filter)));
  if (filter.workload) select.Bind(*filter.workload);
  if (filter.device) select.Bind(*filter.device);
  if (filter.limit > 0) select.Bind(static_cast<int64_t>(filter.limit));
  std::vector<Run> runs;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return runs;
    ASSIGN_OR_RETURN(Run run, RunOfRow(select));
    runs.push_back(std::move(run));
  }
}

Status SqliteRunStore::SaveDevice(const Device& device) {
  if (device.id.empty() || device.name.empty()) {
    return InvalidInput("save device: it has no id or no name");
  }
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(
      Statement other,
      database_.Prepare("SELECT id FROM devices WHERE name = ? AND id <> ?"));
  ASSIGN_OR_RETURN(bool taken, other.Bind(device.name).Bind(device.id).Step());
  if (taken) {
    return InvalidInput(fmt::format("save device {}: the name belongs to {}",
                                    device.name, other.Text(0)));
  }
  ASSIGN_OR_RETURN(
      Statement save,
      database_.Prepare("INSERT INTO devices (id, name, registered_at, "
                        "document) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO "
                        "UPDATE SET name = excluded.name, registered_at = "
                        "excluded.registered_at, document = "
                        "excluded.document"));
  RETURN_IF_ERROR(save.Bind(device.id)
                      .Bind(device.name)
                      .Bind(Microseconds(device.registered_at))
                      .Bind(CompactJson(DeviceToJson(device)))
                      .Run());
  return transaction.Commit();
}

Result<Device> SqliteRunStore::FindDevice(const std::string& name_or_id) {
  // A device named like another's id must not hide it.
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT registered_at, document FROM devices WHERE ?1 "
                        "IN (id, name) ORDER BY id = ?1 DESC LIMIT 1"));
  ASSIGN_OR_RETURN(bool found, select.Bind(name_or_id).Step());
  if (!found) return NotFound("no device is called '" + name_or_id + "'");
  return DeviceOfRow(select);
}

Result<std::vector<Device>> SqliteRunStore::ListDevices() {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare(
          "SELECT registered_at, document FROM devices ORDER BY name"));
  std::vector<Device> devices;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return devices;
    ASSIGN_OR_RETURN(Device device, DeviceOfRow(select));
    devices.push_back(std::move(device));
  }
}

Status SqliteRunStore::CheckIntegrity() {
  ASSIGN_OR_RETURN(std::string answer,
                   database_.QueryText("PRAGMA integrity_check(1)"));
  if (answer == "ok") return {};
  return Corrupt("store " + database_.file().string() + ": " + answer);
}

}  // namespace mete
