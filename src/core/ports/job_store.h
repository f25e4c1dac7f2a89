// Port: stores jobs. Several processes use it at once: those that submit jobs,
// those that list them, and the workers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domain/job.h"
#include "support/result.h"

namespace mete {

// Which jobs to list. Absent fields do not filter.
struct JobFilter {
  std::optional<JobState> state;
  std::optional<std::string> device_id;
  std::optional<std::string> before{};  // only ids below this one: older jobs
  std::optional<size_t> last{};         // only the newest N of those
};

// A worker's request for a job.
struct JobClaim {
  std::string device_id;
  std::string worker;
  size_t parallel = 1;  // maximum number running on the device
  Job::Time now;
};

// Changes of a worker to its job. Absent fields stay as they are.
struct JobUpdate {
  std::optional<JobState> state;
  std::optional<std::vector<std::string>> run_ids;
  std::optional<std::string> folder;
  std::optional<std::string> error;
  std::optional<Job::Time> ended;
  std::optional<Job::Time> heartbeat;
};

// A sign of life from a worker, with or without a job.
struct WorkerSign {
  std::string worker;
  std::string device_id;
  Job::Time now;
};

// Stores jobs. Every call is one transaction and fails with kNotFound for an
// unknown id. Thread-safe.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // Fails when jobs could not be read or stored now.
  virtual Status CheckUsable() = 0;
  // Fails with kInvalidInput when it has no id or the id exists.
  virtual Status SubmitJob(const Job& job) = 0;
  // Oldest first.
  virtual Result<std::vector<Job>> ListJobs(const JobFilter& filter) = 0;
  // By id or an unambiguous prefix. Fails with kNotFound, or with kInvalidInput
  // and a list of the candidates.
  virtual Result<Job> FindJob(const std::string& id) = 0;

  // Starts the oldest queued job of the device, unless the maximum number is
  // already running there. Absent: nothing to do now. No two workers get the
  // same job.
  virtual Result<std::optional<Job>> ClaimJob(const JobClaim& claim) = 0;
  // Called by the worker that runs the job; fails with kNotFound when the job
  // is no longer its own. Returns true if the job should be cancelled. An empty
  // update only queries that and is cheap.
  virtual Result<bool> UpdateJob(const std::string& id,
                                 const std::string& worker,
                                 const JobUpdate& update) = 0;
  // A queued or interrupted job is cancelled immediately, a running one by its
  // worker. Fails with kInvalidInput when it is already done.
  virtual Result<Job> CancelJob(const std::string& id, Job::Time now) = 0;
  // Queues an interrupted, failed or cancelled job again, keeping its runs.
  // Fails with kInvalidInput for others.
  virtual Result<Job> ResumeJob(const std::string& id) = 0;
  // Running jobs of the device whose worker has given no sign of life since
  // then become interrupted (or cancelled if that was requested), ended at its
  // last sign of life. Returns their number.
  virtual Result<size_t> InterruptStaleJobs(const std::string& device_id,
                                            Job::Time heard_before) = 0;

  // A worker reports now and then that it is alive, and when it leaves.
  virtual Status SignWorker(const WorkerSign& sign) = 0;
  virtual Status ForgetWorker(const std::string& worker) = 0;
  // Number of workers of the device with a sign of life since then.
  virtual Result<size_t> CountWorkers(const std::string& device_id,
                                      Job::Time heard_since) = 0;
};

}  // namespace mete
