// JobStore in the SQLite file that also contains the runs.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "adapters/sqlite/database.h"
#include "adapters/sqlite/store_file.h"
#include "ports/job_store.h"

namespace mete {

// Has its own connection. Thread-safe.
class SqliteJobStore final : public JobStore {
 public:
  // Fails like OpenStoreFile.
  static Result<std::unique_ptr<SqliteJobStore>> Open(
      const SqliteStoreRequest& request);
  static Result<std::unique_ptr<SqliteJobStore>> Open(
      const std::filesystem::path& path) {
    return Open(SqliteStoreRequest{.path = path});
  }

  Status CheckUsable() override;
  Status SubmitJob(const Job& job) override;
  Result<std::vector<Job>> ListJobs(const JobFilter& filter) override;
  Result<Job> FindJob(const std::string& id) override;
  Result<std::optional<Job>> ClaimJob(const JobClaim& claim) override;
  Result<bool> UpdateJob(const std::string& id, const std::string& worker,
                         const JobUpdate& update) override;
  Result<Job> CancelJob(const std::string& id, Job::Time now) override;
  Result<Job> ResumeJob(const std::string& id) override;
  Result<size_t> InterruptStaleJobs(const std::string& device_id,
                                    Job::Time heard_before) override;
  Status SignWorker(const WorkerSign& sign) override;
  Status ForgetWorker(const std::string& worker) override;
  Result<size_t> CountWorkers(const std::string& device_id,
                              Job::Time heard_since) override;

 private:
  explicit SqliteJobStore(Database database) : database_(std::move(database)) {}

  // All of these require that the mutex is held.
  Result<Job> ReadJob(const std::string& id);
  Result<bool> OwnJobIsCancelled(const std::string& id,
                                 const std::string& worker);
  Result<int64_t> Count(Statement select);
  Result<int64_t> CountStale(const std::string& device_id,
                             Job::Time heard_before);

  std::mutex mutex_;
  Database database_;
};

}  // namespace mete
