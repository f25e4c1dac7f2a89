#include "adapters/sqlite/sqlite_job_store.h"

#include <fmt/format.h>

#include "adapters/sqlite/job_rows.h"
#include "adapters/sqlite/resolve_id.h"
#include "adapters/sqlite/run_rows.h"
#include "ports/unknown_errors.h"

namespace mete {
namespace {

// Signs of life from killed workers are removed after this time.
constexpr std::chrono::hours kSignsKept{1};

// The parameters follow in the order of the filter's fields. Selects the
// newest; the caller reverses the order.
std::string ListSql(const JobFilter& filter) {
  std::string sql = fmt::format("SELECT {} FROM jobs WHERE true", kJobColumns);
  if (filter.state) sql += " AND state = ?";
  if (filter.device_id) sql += " AND device_id = ?";
  if (filter.before) sql += " AND id < ?";
  sql += " ORDER BY id DESC";
  if (filter.last) sql += " LIMIT ?";
  return sql;
}

bool IsEmpty(const JobUpdate& update) {
  return !update.state && !update.run_ids && !update.folder && !update.error &&
         !update.ended && !update.heartbeat;
}

bool IsHeartbeat(const JobUpdate& update) {
  JobUpdate rest = update;
  rest.heartbeat.reset();
  return update.heartbeat && IsEmpty(rest);
}

// While it exists, a commit does not wait for the disk. Signs of life are
// written once a second, and a power failure may lose the last one: syncing
// each would disturb the measurement.
class UnsyncedCommits {
 public:
  static Result<UnsyncedCommits> Begin(Database& database) {
    RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = NORMAL"));
    return UnsyncedCommits(database);
  }
  UnsyncedCommits(UnsyncedCommits&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  UnsyncedCommits& operator=(UnsyncedCommits&&) = delete;
  ~UnsyncedCommits() {
    if (database_ == nullptr) return;
    Status back = database_->Execute("PRAGMA synchronous = FULL");
    CHECK(back.ok()) << "synchronous: " << back.error().message();
  }

 private:
  explicit UnsyncedCommits(Database& database) : database_(&database) {}

  Database* database_;
};

Status WriteUpdate(Database& database, const std::string& id,
                   const JobUpdate& update) {
  std::vector<std::string> sets;
  auto set = [&sets](const std::string& column) {
    sets.push_back(column + " = ?");
  };
  if (update.state) set("state");
  if (update.run_ids) set("run_ids");
  if (update.folder) set("folder");
  if (update.error) set("error");
  if (update.ended) set("ended_at");
  if (update.heartbeat) set("heartbeat_at");
  ASSIGN_OR_RETURN(Statement change, database.Prepare(fmt::format(
                                         "UPDATE jobs SET {} WHERE id = ?",
                                         fmt::join(sets, ", "))));
  if (update.state) change.Bind(ToString(*update.state));
  if (update.run_ids) change.Bind(RunIdsText(*update.run_ids));
  if (update.folder) change.Bind(*update.folder);
  if (update.error) change.Bind(*update.error);
  if (update.ended) change.Bind(Microseconds(*update.ended));
  if (update.heartbeat) change.Bind(Microseconds(*update.heartbeat));
  return change.Bind(id).Run();
}

}  // namespace

Result<std::unique_ptr<SqliteJobStore>> SqliteJobStore::Open(
    const SqliteStoreRequest& request) {
  ASSIGN_OR_RETURN(Database database, OpenStoreFile(request));
  return std::unique_ptr<SqliteJobStore>(
      new SqliteJobStore(std::move(database)));
}

Result<int64_t> SqliteJobStore::Count(Statement select) {
  ASSIGN_OR_RETURN(bool row, select.Step());
  CHECK(row) << "count without a row";
  return select.Integer(0);
}

Result<Job> SqliteJobStore::ReadJob(const std::string& id) {
  ASSIGN_OR_RETURN(Statement select,
                   database_.Prepare(fmt::format(
                       "SELECT {} FROM jobs WHERE id = ?", kJobColumns)));
  ASSIGN_OR_RETURN(bool found, select.Bind(id).Step());
  if (!found) return UnknownJob(id);
  return JobOfRow(select);
}

Status SqliteJobStore::CheckUsable() {
  std::lock_guard lock(mutex_);
  RETURN_IF_ERROR(database_.CheckFile());
  return database_.QueryText("SELECT count(*) FROM jobs WHERE false").ok()
             ? Status()
             : database_.LastError();
}

Status SqliteJobStore::SubmitJob(const Job& job) {
  if (job.id.empty()) return InvalidInput("submit job: it has no id");
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  if (ReadJob(job.id).ok()) {
    return InvalidInput("submit job " + job.id + ": the id already exists");
  }
  RETURN_IF_ERROR(InsertJob(database_, job));
  return transaction.Commit();
}

Result<std::vector<Job>> SqliteJobStore::ListJobs(const JobFilter& filter) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(Statement select, database_.Prepare(ListSql(filter)));
  if (filter.state) select.Bind(ToString(*filter.state));
  if (filter.device_id) select.Bind(*filter.device_id);
  if (filter.before) select.Bind(*filter.before);
  if (filter.last) select.Bind(static_cast<int64_t>(*filter.last));
  std::vector<Job> jobs;
  while (true) {
    ASSIGN_OR_RETURN(bool row, select.Step());
    if (!row) break;
    ASSIGN_OR_RETURN(Job job, JobOfRow(select));
    jobs.push_back(std::move(job));
  }
  return std::vector<Job>(std::make_move_iterator(jobs.rbegin()),
                          std::make_move_iterator(jobs.rend()));
}

Result<Job> SqliteJobStore::FindJob(const std::string& id) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(
      std::string whole,
      ResolveId(database_,
                {.table = "jobs", .noun = "job", .unknown = UnknownJob}, id));
  return ReadJob(whole);
}

Result<std::optional<Job>> SqliteJobStore::ClaimJob(const JobClaim& claim) {
  std::lock_guard lock(mutex_);
  const std::string oldest =
      "SELECT id FROM jobs WHERE device_id = ? AND state = 'queued' ORDER BY "
      "id LIMIT 1";
  {  // The usual case of an idle worker takes no lock.
    ASSIGN_OR_RETURN(Statement select, database_.Prepare(oldest));
    ASSIGN_OR_RETURN(bool waiting, select.Bind(claim.device_id).Step());
    if (!waiting) return std::optional<Job>();
  }
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(
      Statement running,
      database_.Prepare("SELECT count(*) FROM jobs WHERE device_id = ? AND "
                        "state = 'running'"));
  running.Bind(claim.device_id);
  ASSIGN_OR_RETURN(int64_t busy, Count(std::move(running)));
  if (busy >= static_cast<int64_t>(claim.parallel)) return std::optional<Job>();
  std::string id;
  {
    ASSIGN_OR_RETURN(Statement select, database_.Prepare(oldest));
    ASSIGN_OR_RETURN(bool waiting, select.Bind(claim.device_id).Step());
    if (!waiting) return std::optional<Job>();
    id = select.Text(0);
  }
  ASSIGN_OR_RETURN(
      Statement take,
      database_.Prepare("UPDATE jobs SET state = 'running', worker = ?2, "
                        "started_at = ?3, heartbeat_at = ?3, ended_at = NULL "
                        "WHERE id = ?1"));
  RETURN_IF_ERROR(
      take.Bind(id).Bind(claim.worker).Bind(Microseconds(claim.now)).Run());
  ASSIGN_OR_RETURN(Job job, ReadJob(id));
  RETURN_IF_ERROR(transaction.Commit());
  return std::optional(std::move(job));
}

Result<bool> SqliteJobStore::OwnJobIsCancelled(const std::string& id,
                                               const std::string& worker) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT cancel_requested FROM jobs WHERE id = ? AND "
                        "worker = ? AND state = 'running'"));
  ASSIGN_OR_RETURN(bool own, select.Bind(id).Bind(worker).Step());
  if (!own)
    return NotFound("job " + id + " is not running on worker " + worker);
  return select.Integer(0) != 0;
}

Result<bool> SqliteJobStore::UpdateJob(const std::string& id,
                                       const std::string& worker,
                                       const JobUpdate& update) {
  std::lock_guard lock(mutex_);
  if (IsEmpty(update)) return OwnJobIsCancelled(id, worker);
  std::optional<UnsyncedCommits> unsynced;
  if (IsHeartbeat(update)) {
    ASSIGN_OR_RETURN(auto begun, UnsyncedCommits::Begin(database_));
    unsynced.emplace(std::move(begun));
  }
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(bool cancelled, OwnJobIsCancelled(id, worker));
  RETURN_IF_ERROR(WriteUpdate(database_, id, update));
  RETURN_IF_ERROR(transaction.Commit());
  return cancelled;
}

Result<Job> SqliteJobStore::CancelJob(const std::string& id, Job::Time now) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(Job job, ReadJob(id));
  if (IsFinal(job.state) && job.state != JobState::kInterrupted) {
    return InvalidInput(
        fmt::format("job {} is already {}", id, ToString(job.state)));
  }
  ASSIGN_OR_RETURN(
      Statement cancel,
      database_.Prepare(
          job.state == JobState::kRunning
              ? "UPDATE jobs SET cancel_requested = 1 WHERE id = ?1"
              : "UPDATE jobs SET cancel_requested = 1, state = 'cancelled', "
                "ended_at = ?2 WHERE id = ?1"));
  cancel.Bind(id);
  if (job.state != JobState::kRunning) cancel.Bind(Microseconds(now));
  RETURN_IF_ERROR(cancel.Run());
  ASSIGN_OR_RETURN(job, ReadJob(id));
  RETURN_IF_ERROR(transaction.Commit());
  return job;
}

Result<Job> SqliteJobStore::ResumeJob(const std::string& id) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(Job job, ReadJob(id));
  if (!IsFinal(job.state) || job.state == JobState::kCompleted) {
    return InvalidInput(fmt::format("job {} is {}: nothing to resume", id,
                                    ToString(job.state)));
  }
  ASSIGN_OR_RETURN(
      Statement queue,
      database_.Prepare("UPDATE jobs SET state = 'queued', ended_at = NULL, "
                        "heartbeat_at = NULL, worker = '', error = '', "
                        "cancel_requested = 0 WHERE id = ?"));
  RETURN_IF_ERROR(queue.Bind(id).Run());
  ASSIGN_OR_RETURN(job, ReadJob(id));
  RETURN_IF_ERROR(transaction.Commit());
  return job;
}

Result<int64_t> SqliteJobStore::CountStale(const std::string& device_id,
                                           Job::Time heard_before) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT count(*) FROM jobs WHERE device_id = ? AND "
                        "state = 'running' AND heartbeat_at < ?"));
  select.Bind(device_id).Bind(Microseconds(heard_before));
  return Count(std::move(select));
}

Result<size_t> SqliteJobStore::InterruptStaleJobs(const std::string& device_id,
                                                  Job::Time heard_before) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(int64_t seen, CountStale(device_id, heard_before));
  if (seen == 0) return size_t{0};  // without a lock
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(int64_t stale, CountStale(device_id, heard_before));
  ASSIGN_OR_RETURN(
      Statement end,
      database_.Prepare("UPDATE jobs SET state = CASE cancel_requested WHEN 1 "
                        "THEN 'cancelled' ELSE 'interrupted' END, ended_at = "
                        "heartbeat_at WHERE device_id = ? AND state = "
                        "'running' AND heartbeat_at < ?"));
  RETURN_IF_ERROR(end.Bind(device_id).Bind(Microseconds(heard_before)).Run());
  RETURN_IF_ERROR(transaction.Commit());
  return static_cast<size_t>(stale);
}

Status SqliteJobStore::SignWorker(const WorkerSign& sign) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(auto unsynced, UnsyncedCommits::Begin(database_));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database_));
  ASSIGN_OR_RETURN(Statement write,
                   database_.Prepare("INSERT OR REPLACE INTO workers (id, "
                                     "device_id, heartbeat_at) VALUES (?, ?, "
                                     "?)"));
  RETURN_IF_ERROR(write.Bind(sign.worker)
                      .Bind(sign.device_id)
                      .Bind(Microseconds(sign.now))
                      .Run());
  ASSIGN_OR_RETURN(
      Statement tidy,
      database_.Prepare("DELETE FROM workers WHERE heartbeat_at < ?"));
  RETURN_IF_ERROR(tidy.Bind(Microseconds(sign.now - kSignsKept)).Run());
  return transaction.Commit();
}

Status SqliteJobStore::ForgetWorker(const std::string& worker) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(Statement erase,
                   database_.Prepare("DELETE FROM workers WHERE id = ?"));
  return erase.Bind(worker).Run();
}

Result<size_t> SqliteJobStore::CountWorkers(const std::string& device_id,
                                            Job::Time heard_since) {
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(
      Statement select,
      database_.Prepare("SELECT count(*) FROM workers WHERE device_id = ? AND "
                        "heartbeat_at >= ?"));
  select.Bind(device_id).Bind(Microseconds(heard_since));
  ASSIGN_OR_RETURN(int64_t count, Count(std::move(select)));
  return static_cast<size_t>(count);
}

}  // namespace mete
