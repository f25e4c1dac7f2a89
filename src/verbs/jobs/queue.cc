#include "jobs/queue.h"

#include "jobs/job_pace.h"
#include "jobs/stale_jobs.h"

namespace mete {

Result<Queue> OpenQueue(JobStore& jobs, Host& host, Clock& clock) {
  ASSIGN_OR_RETURN(std::string device_id, host.DeviceId());
  auto stale = InterruptStaleJobs(jobs, device_id, clock);
  if (!stale.ok()) return stale.error();
  return Queue{.jobs = jobs, .clock = clock, .device_id = std::move(device_id)};
}

Result<Job> AwaitEnd(const Queue& queue, const std::string& id, Seconds at_most,
                     std::stop_token stop) {
  const auto began = queue.clock.Now();
  StaleWatch watch(queue.jobs, queue.device_id, queue.clock);
  while (true) {
    auto stale = watch.Look();
    if (!stale.ok()) return stale.error();
    ASSIGN_OR_RETURN(Job job, queue.jobs.FindJob(id));
    if (IsFinal(job.state)) return job;
    if (Seconds(queue.clock.Now() - began) >= at_most) return job;
    if (!queue.clock.SleepFor(kCancelLook, stop)) {
      return Error(
          ErrorCode::kInterrupted,
          "stopped waiting; the job keeps running: mete jobs show " + id);
    }
  }
}

Result<Job> CancelJob(JobStore& jobs, const std::string& id,
                      const Clock& clock) {
  ASSIGN_OR_RETURN(Job job, jobs.FindJob(id));
  return jobs.CancelJob(job.id, clock.Wall());
}

Result<Job> ResumeJob(JobStore& jobs, const std::string& id) {
  ASSIGN_OR_RETURN(Job job, jobs.FindJob(id));
  return jobs.ResumeJob(job.id);
}

void TendQueue(const Queue& queue, std::stop_token stop) {
  StaleWatch stale(queue.jobs, queue.device_id, queue.clock);
  while (queue.clock.SleepFor(std::chrono::seconds(1), stop)) {
    static_cast<void>(stale.Look().ok());
  }
}

Result<std::vector<Run>> FindJobRuns(const Job& job, RunStore& runs) {
  std::vector<Run> found;
  for (const std::string& id : job.run_ids) {
    ASSIGN_OR_RETURN(Run run, runs.FindRun(id));
    found.push_back(std::move(run));
  }
  return found;
}

}  // namespace mete
