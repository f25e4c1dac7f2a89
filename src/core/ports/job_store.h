// Port: where jobs are kept until they are done. Several processes use it at
// once: those that submit, those that look, and the workers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "domain/job.h"
#include "support/result.h"

namespace mete {

// Which jobs to list. What is absent does not matter.
struct JobFilter {
  std::optional<JobState> state;
  std::optional<std::string> device_id;
  std::optional<size_t> last;  // so many, the newest
};

// Who takes a job.
struct JobClaim {
  std::string device_id;
  std::string worker;
  size_t parallel = 1;  // running at once on the device, at most
  Job::Time now;
};

// What a worker changes of its job. Absent: stays.
struct JobUpdate {
  std::optional<JobState> state;
  std::optional<std::vector<std::string>> run_ids;
  std::optional<std::string> folder;
  std::optional<std::string> error;
  std::optional<Job::Time> ended;
  std::optional<Job::Time> heartbeat;
};

// A worker that is there, with or without a job.
struct WorkerSign {
  std::string worker;
  std::string device_id;
  Job::Time now;
};

// Every call is one transaction. Fails with kNotFound for an unknown id. Calls
// may come from any thread.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // Fails with kInvalidInput when it has no id or the id is taken.
  virtual Status SubmitJob(const Job& job) = 0;
  // Oldest first.
  virtual Result<std::vector<Job>> ListJobs(const JobFilter& filter) = 0;
  // By id or by an unambiguous beginning of one. Fails with kNotFound, or
  // kInvalidInput naming the candidates.
  virtual Result<Job> FindJob(const std::string& id) = 0;

  // Makes the oldest queued job of the device running, unless as many as
  // allowed run there already. Absent: nothing to do now. No two workers get
  // the same job.
  virtual Result<std::optional<Job>> ClaimJob(const JobClaim& claim) = 0;
  // By the worker that has it: fails with kNotFound when the job is no longer
  // its own. Answers whether the job is to be cancelled; an empty update only
  // asks and is cheap.
  virtual Result<bool> UpdateJob(const std::string& id,
                                 const std::string& worker,
                                 const JobUpdate& update) = 0;
  // A queued or interrupted one is cancelled at once, a running one by its
  // worker. Fails with kInvalidInput when it is done already.
  virtual Result<Job> CancelJob(const std::string& id, Job::Time now) = 0;
  // An interrupted, failed or cancelled job is queued again, with its runs.
  // Fails with kInvalidInput for others.
  virtual Result<Job> ResumeJob(const std::string& id) = 0;
  // Running jobs of the device whose worker was not heard of since then become
  // interrupted (or cancelled when that was asked for); they ended when it was
  // last heard of. Answers how many.
  virtual Result<size_t> InterruptStaleJobs(const std::string& device_id,
                                            Job::Time heard_before) = 0;

  // A worker says now and then that it is there, and when it leaves.
  virtual Status SignWorker(const WorkerSign& sign) = 0;
  virtual Status ForgetWorker(const std::string& worker) = 0;
  // How many of the device were heard of at that time or later.
  virtual Result<size_t> CountWorkers(const std::string& device_id,
                                      Job::Time heard_since) = 0;
};

}  // namespace mete
