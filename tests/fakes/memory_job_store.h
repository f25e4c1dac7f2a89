// An in-memory JobStore for tests.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ports/job_store.h"
#include "ports/unknown_errors.h"

namespace mete {

class MemoryJobStore final : public JobStore {
 public:
  Status CheckUsable() override { return usable; }
  Status usable;

  // The failure of a call, given its name such as "ClaimJob". Set it before the
  // store is used; it is called from every thread.
  std::function<Status(std::string_view)> fail = [](std::string_view) {
    return Status();
  };

  Status SubmitJob(const Job& job) override {
    std::lock_guard lock(mutex_);
    if (job.id.empty()) return InvalidInput("submit job: it has no id");
    if (!jobs_.emplace(job.id, job).second) {
      return InvalidInput("submit job " + job.id + ": the id already exists");
    }
    return {};
  }

  Result<std::vector<Job>> ListJobs(const JobFilter& filter) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("ListJobs"));
    std::vector<Job> jobs;
    for (const auto& [id, job] : jobs_) {
      if (filter.state && job.state != *filter.state) continue;
      if (filter.device_id && job.device_id != *filter.device_id) continue;
      if (filter.before && id >= *filter.before) continue;
      jobs.push_back(job);
    }
    if (filter.last && jobs.size() > *filter.last) {
      jobs.erase(jobs.begin(),
                 jobs.end() - static_cast<std::ptrdiff_t>(*filter.last));
    }
    return jobs;
  }

  Result<Job> FindJob(const std::string& id) override {
    std::lock_guard lock(mutex_);
    if (id.empty()) return InvalidInput("find job: the id is empty");
    if (auto exact = jobs_.find(id); exact != jobs_.end()) {
      return exact->second;
    }
    std::vector<const Job*> found;
    std::vector<std::string> candidates;
    for (const auto& [candidate, job] : jobs_) {
      if (!candidate.starts_with(id)) continue;
      candidates.push_back(candidate);
      found.push_back(&job);
    }
    if (found.empty()) return UnknownJob(id);
    if (found.size() == 1) return *found[0];
    return InvalidInput(fmt::format("several jobs begin with '{}': {}", id,
                                    fmt::join(candidates, ", ")));
  }

  Result<std::optional<Job>> ClaimJob(const JobClaim& claim) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("ClaimJob"));
    size_t running = 0;
    Job* oldest = nullptr;
    for (auto& [id, job] : jobs_) {
      if (job.device_id != claim.device_id) continue;
      if (job.state == JobState::kRunning) ++running;
      if (job.state == JobState::kQueued && !oldest) oldest = &job;
    }
    if (!oldest || running >= claim.parallel) return std::optional<Job>();
    oldest->state = JobState::kRunning;
    oldest->worker = claim.worker;
    oldest->started = claim.now;
    oldest->heartbeat = claim.now;
    oldest->ended.reset();
    return std::optional(*oldest);
  }

  Result<bool> UpdateJob(const std::string& id, const std::string& worker,
                         const JobUpdate& update) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("UpdateJob"));
    auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.worker != worker ||
        found->second.state != JobState::kRunning) {
      return NotFound("job " + id + " is not running on worker " + worker);
    }
    Job& job = found->second;
    if (update.state) job.state = *update.state;
    if (update.run_ids) job.run_ids = *update.run_ids;
    if (update.folder) job.folder = *update.folder;
    if (update.error) job.error = *update.error;
    if (update.ended) job.ended = *update.ended;
    if (update.heartbeat) job.heartbeat = *update.heartbeat;
    return job.cancel_requested;
  }

  Result<Job> CancelJob(const std::string& id, Job::Time now) override {
    std::lock_guard lock(mutex_);
    auto found = jobs_.find(id);
    if (found == jobs_.end()) {
      return UnknownJob(id);
    }
    Job& job = found->second;
    if (IsFinal(job.state) && job.state != JobState::kInterrupted) {
      return InvalidInput("job " + id + " is already " +
                          std::string(ToString(job.state)));
    }
    job.cancel_requested = true;
    if (job.state == JobState::kRunning) return job;
    job.state = JobState::kCancelled;
    job.ended = now;
    return job;
  }

  Result<Job> ResumeJob(const std::string& id) override {
    std::lock_guard lock(mutex_);
    auto found = jobs_.find(id);
    if (found == jobs_.end()) {
      return UnknownJob(id);
    }
    Job& job = found->second;
    if (!IsFinal(job.state) || job.state == JobState::kCompleted) {
      return InvalidInput("job " + id + " is " +
                          std::string(ToString(job.state)) +
                          ": nothing to resume");
    }
    job.state = JobState::kQueued;
    job.ended.reset();
    job.heartbeat.reset();
    job.error.clear();
    job.worker.clear();
    job.cancel_requested = false;
    return job;
  }

  Result<size_t> InterruptStaleJobs(const std::string& device_id,
                                    Job::Time heard_before) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("InterruptStaleJobs"));
    size_t stale = 0;
    for (auto& [id, job] : jobs_) {
      bool running =
          job.device_id == device_id && job.state == JobState::kRunning;
      if (!running || *job.heartbeat >= heard_before) continue;
      job.state =
          job.cancel_requested ? JobState::kCancelled : JobState::kInterrupted;
      job.ended = job.heartbeat;
      ++stale;
    }
    return stale;
  }

  Status SignWorker(const WorkerSign& sign) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("SignWorker"));
    workers_[sign.worker] = sign;
    return {};
  }
  Status ForgetWorker(const std::string& worker) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("ForgetWorker"));
    workers_.erase(worker);
    return {};
  }
  Result<size_t> CountWorkers(const std::string& device_id,
                              Job::Time heard_since) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(fail("CountWorkers"));
    size_t count = 0;
    for (const auto& [name, sign] : workers_) {
      if (sign.device_id == device_id && sign.now >= heard_since) ++count;
    }
    return count;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Job> jobs_;
  std::map<std::string, WorkerSign> workers_;
};

}  // namespace mete
