#include "adapters/sqlite/sqlite_run_store.h"

#include <fmt/format.h>

#include "adapters/sqlite/resolve_id.h"
#include "adapters/sqlite/run_rows.h"
#include "domain/device_json.h"
#include "domain/network_traits_json.h"
#include "ports/unknown_errors.h"
#include "support/json.h"

namespace mete {
namespace {

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
  ASSIGN_OR_RETURN(Database database, OpenStoreFile(request));
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
  if (taken)
    return InvalidInput("save run " + run.id + ": the id already exists");
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

Result<Run> SqliteRunStore::FindRun(const std::string& id) {
  ASSIGN_OR_RETURN(
      std::string whole,
      ResolveId(database_,
                {.table = "runs", .noun = "run", .unknown = UnknownRun}, id));
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT started_at, document FROM runs WHERE id = ?"));
  ASSIGN_OR_RETURN(bool found, select.Bind(whole).Step());
  if (!found) return UnknownRun(whole);
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
  // A device whose name is another's id must not hide that one.
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT registered_at, document FROM devices WHERE ?1 "
                        "IN (id, name) ORDER BY id = ?1 DESC LIMIT 1"));
  ASSIGN_OR_RETURN(bool found, select.Bind(name_or_id).Step());
  if (!found) return UnknownDevice(name_or_id);
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

Status SqliteRunStore::RemoveDevice(const std::string& name_or_id) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(Device device, FindDevice(name_or_id));
  for (const char* sql : {"DELETE FROM runs WHERE device_id = ?",
                          "DELETE FROM devices WHERE id = ?"}) {
    ASSIGN_OR_RETURN(Statement remove, database_.Prepare(sql));
    RETURN_IF_ERROR(remove.Bind(device.id).Run());
  }
  return transaction.Commit();
}

Status SqliteRunStore::SaveNetwork(const NetworkTraits& network) {
  if (network.sha256.empty()) {
    return InvalidInput("save network: it has no sha256");
  }
  ASSIGN_OR_RETURN(
      Statement save,
      database_.Prepare("INSERT OR REPLACE INTO networks (sha256, batch, "
                        "name, document) VALUES (?, ?, ?, ?)"));
  return save.Bind(network.sha256)
      .Bind(network.batch)
      .Bind(network.name)
      .Bind(CompactJson(NetworkTraitsToJson(network)))
      .Run();
}

Result<NetworkTraits> SqliteRunStore::FindNetwork(const std::string& sha256,
                                                  int64_t batch) {
  ASSIGN_OR_RETURN(Statement select,
                   database_.Prepare("SELECT document FROM networks WHERE "
                                     "sha256 = ? AND batch = ?"));
  ASSIGN_OR_RETURN(bool found, select.Bind(sha256).Bind(batch).Step());
  if (found) return NetworkOfRow(select);
  return NotFound(
      fmt::format("no network has the sha256 '{}' at batch {}", sha256, batch));
}

Result<std::vector<NetworkTraits>> SqliteRunStore::ListNetworks() {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare(
          "SELECT document FROM networks ORDER BY name, sha256, batch"));
  std::vector<NetworkTraits> networks;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return networks;
    ASSIGN_OR_RETURN(NetworkTraits network, NetworkOfRow(select));
    networks.push_back(std::move(network));
  }
}

Status SqliteRunStore::CheckIntegrity() {
  ASSIGN_OR_RETURN(std::string answer,
                   database_.QueryText("PRAGMA integrity_check(1)"));
  if (answer == "ok") return {};
  return Corrupt("store " + database_.file().string() + ": " + answer);
}

}  // namespace mete
