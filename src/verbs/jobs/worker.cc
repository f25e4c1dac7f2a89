#include "jobs/worker.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <thread>

#include "jobs/job_pace.h"
#include "jobs/job_runs.h"
#include "jobs/run_job.h"
#include "jobs/stale_jobs.h"

namespace mete {
namespace {

class Worker {
 public:
  Worker(const WorkerRequest& request, const WorkerPorts& ports,
         const WorkerCallbacks& callbacks, std::stop_token stop)
      : request_(request),
        jobs_(ports.jobs),
        platform_(ports.platform),
        runs_(ports.runs),
        stale_(jobs_, request.device.id, platform_.clock),
        callbacks_(callbacks),
        stop_(std::move(stop)) {}

  Result<std::vector<Job>> Run() {
    Tend();  // now, so that a submitter sees the worker at once
    {
      std::jthread tending([this](const std::stop_token& end) {
        while (platform_.clock.SleepFor(kHeartbeat, end)) Tend();
      });
      std::vector<std::jthread> slots;  // joined before the tending thread ends
      for (size_t slot = 1; slot <= request_.parallel; ++slot) {
        slots.emplace_back([this, slot] { Work(slot); });
      }
    }
    Status forgotten = jobs_.ForgetWorker(request_.name);
    if (failure_) return *failure_;
    if (!forgotten.ok()) Warn(forgotten.error().message());
    return std::move(ended_);
  }

 private:
  // Sends the worker's heartbeat and looks for dead workers.
  void Tend() {
    Status signed_in = jobs_.SignWorker({.worker = request_.name,
                                         .device_id = request_.device.id,
                                         .now = platform_.clock.Wall()});
    if (!signed_in.ok()) Warn(signed_in.error().message());
    auto stale = stale_.Look();
    if (!stale.ok()) return Warn(stale.error().message());
    if (*stale > 0) {
      Warn(
          fmt::format("{} job{} of a dead worker marked as interrupted; resume "
                      "with mete jobs resume ID",
                      *stale, *stale == 1 ? "" : "s"));
    }
  }

  // Runs one job after another until there is a reason to stop.
  void Work(size_t slot) {
    // Each slot has its own name, so that a job that was taken away and claimed
    // again is not mistaken for the same claim.
    const std::string name = fmt::format("{}/{}", request_.name, slot);
    while (!stop_.stop_requested() && !HasFailed()) {
      auto job = jobs_.ClaimJob({.device_id = request_.device.id,
                                 .worker = name,
                                 .parallel = request_.parallel,
                                 .now = platform_.clock.Wall()});
      if (job.ok() && *job) {
        RunOne(**job, name);
        continue;
      }
      if (!job.ok() && !Bearable(job.error())) return;
      if (job.ok() && request_.until_empty && QueueIsEmpty()) return;
      platform_.clock.SleepFor(kQueueLook, stop_);
    }
  }

  void RunOne(const Job& job, const std::string& name) {
    {
      std::lock_guard lock(callbacks_mutex_);
      if (callbacks_.started) callbacks_.started(job);
    }
    auto ended =
        RunJob(job,
               {.device = request_.device,
                .mete_version = request_.mete_version,
                .worker = name,
                .folder = request_.folder,
                .user = request_.user},
               {.jobs = jobs_,
                .runs = runs_,
                .platform = platform_,
                .starting = starting_},
               {.progress =
                    [this](const std::string& line) {
                      std::lock_guard lock(callbacks_mutex_);
                      if (callbacks_.progress) callbacks_.progress(line);
                    },
                .warn = [this](const std::string& line) { Warn(line); }},
               stop_);
    if (!ended.ok()) {
      return Warn(fmt::format("job {}: {}", job.id, ended.error().message()));
    }
    std::lock_guard lock(callbacks_mutex_);
    if (callbacks_.ended) callbacks_.ended(*ended);
    ended_.push_back(*std::move(ended));
  }

  bool QueueIsEmpty() {
    auto queued = jobs_.ListJobs({.state = JobState::kQueued,
                                  .device_id = request_.device.id,
                                  .last = 1});
    return queued.ok() && queued->empty();
  }

  // A store that is locked or full may recover; other errors are final.
  bool Bearable(const Error& error) {
    if (error.code() == ErrorCode::kUnavailable) {
      Warn(error.message());
      return true;
    }
    std::lock_guard lock(callbacks_mutex_);
    failure_ = error;
    return false;
  }
  bool HasFailed() {
    std::lock_guard lock(callbacks_mutex_);
    return failure_.has_value();
  }

  void Warn(const std::string& text) {
    std::lock_guard lock(callbacks_mutex_);
    if (callbacks_.warn) callbacks_.warn(text);
  }

  const WorkerRequest& request_;
  JobStore& jobs_;
  std::mutex starting_;
  const ApplicationDependencies& platform_;
  JobRuns runs_;
  StaleWatch stale_;
  const WorkerCallbacks& callbacks_;
  std::stop_token stop_;
  std::mutex callbacks_mutex_;  // also guards the two below
  std::vector<Job> ended_;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::vector<Job>> RunWorker(const WorkerRequest& request,
                                   const WorkerPorts& ports,
                                   const WorkerCallbacks& callbacks,
                                   std::stop_token stop) {
  return Worker(request, ports, callbacks, std::move(stop)).Run();
}

Result<bool> HasWorker(JobStore& store, const std::string& device_id,
                       const Clock& clock) {
  ASSIGN_OR_RETURN(size_t workers,
                   store.CountWorkers(device_id, clock.Wall() - kPatience));
  return workers > 0;
}

}  // namespace mete
