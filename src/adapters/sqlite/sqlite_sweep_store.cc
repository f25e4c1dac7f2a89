#include "adapters/sqlite/sqlite_sweep_store.h"

#include "adapters/sqlite/resolve_id.h"
#include "adapters/sqlite/run_rows.h"
#include "domain/sweep_json.h"
#include "ports/unknown_errors.h"
#include "support/json.h"

namespace mete {
namespace {

Result<Sweep> SweepOfRow(const Statement& row) {
  ASSIGN_OR_RETURN(Json document, ParseJson(row.Text(0)));
  return SweepFromJson(document);
}

}  // namespace

Result<std::unique_ptr<SqliteSweepStore>> SqliteSweepStore::Open(
    const SqliteStoreRequest& request) {
  ASSIGN_OR_RETURN(Database database, OpenStoreFile(request));
  return std::unique_ptr<SqliteSweepStore>(
      new SqliteSweepStore(std::move(database)));
}

Status SqliteSweepStore::SaveSweep(const Sweep& sweep) {
  if (sweep.id.empty()) return InvalidInput("save sweep: it has no id");
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(
      Statement insert,
      database_.Prepare("INSERT OR REPLACE INTO sweeps (id, key, started_at, "
                        "finished, document) VALUES (?, ?, ?, ?, ?)"));
  RETURN_IF_ERROR(insert.Bind(sweep.id)
                      .Bind(sweep.key)
                      .Bind(Microseconds(sweep.started_at))
                      .Bind(static_cast<int64_t>(sweep.finished))
                      .Bind(DumpJson(SweepToJson(sweep)))
                      .Run());
  return transaction.Commit();
}

Result<Sweep> SqliteSweepStore::FindSweep(const std::string& id) {
  ASSIGN_OR_RETURN(
      std::string whole,
      ResolveId(database_,
                {.table = "sweeps", .noun = "sweep", .unknown = UnknownSweep},
                id));
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT document FROM sweeps WHERE id = ?"));
  ASSIGN_OR_RETURN(bool found, select.Bind(whole).Step());
  if (!found) return UnknownSweep(id);
  return SweepOfRow(select);
}

Result<std::optional<Sweep>> SqliteSweepStore::UnfinishedSweep(
    const std::string& key) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT document FROM sweeps WHERE key = ? AND "
                        "finished = 0 ORDER BY id DESC LIMIT 1"));
  ASSIGN_OR_RETURN(bool found, select.Bind(key).Step());
  if (!found) return std::optional<Sweep>();
  ASSIGN_OR_RETURN(Sweep sweep, SweepOfRow(select));
  return std::optional<Sweep>(std::move(sweep));
}

Result<std::vector<Sweep>> SqliteSweepStore::ListSweeps() {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT document FROM sweeps ORDER BY id DESC"));
  std::vector<Sweep> sweeps;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) return sweeps;
    ASSIGN_OR_RETURN(Sweep sweep, SweepOfRow(select));
    sweeps.push_back(std::move(sweep));
  }
}

}  // namespace mete
