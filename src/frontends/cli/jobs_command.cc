// mete jobs: applications measured later, by a worker.
#include "cli/jobs_command.h"

#include "cli/unconverted_commands.h"

#include "jobs/job_pace.h"
#include "jobs/stale_jobs.h"
#include "jobs/worker.h"

namespace mete {

Result<Queue> OpenQueue(Services& services) {
  ASSIGN_OR_RETURN(JobStore * store, services.Jobs());
  ASSIGN_OR_RETURN(std::string device_id, services.ThisHost().DeviceId());
  auto stale = InterruptStaleJobs(*store, device_id, services.TheClock());
  if (!stale.ok()) return stale.error();
  return Queue{.store = *store, .device_id = std::move(device_id)};
}

void WarnWithoutWorker(Invocation& invocation, const Queue& queue) {
  auto there =
      HasWorker(queue.store, queue.device_id, invocation.services.TheClock());
  if (!there.ok() || *there) return;
  invocation.talk.Note(
      "no worker is there to run it; start one with mete jobs run or mete "
      "serve");
}

Result<Job> AwaitEnd(Invocation& invocation, const Queue& queue,
                     const std::string& id, Seconds at_most) {
  Clock& clock = invocation.services.TheClock();
  const auto began = clock.Now();
  StaleWatch watch(queue.store, queue.device_id, clock);
  while (true) {
    auto stale = watch.Look();
    if (!stale.ok()) return stale.error();
    ASSIGN_OR_RETURN(Job job, queue.store.FindJob(id));
    if (IsFinal(job.state)) return job;
    if (Seconds(clock.Now() - began) >= at_most) return job;
    if (!clock.SleepFor(kCancelLook, invocation.stop)) {
      return Error(ErrorCode::kInterrupted,
                   "stopped waiting; the job goes on: mete jobs show " + id);
    }
  }
}

void AddJobsCommand(Command root, Verbs& verbs) {
  Command jobs = root.Add("jobs", "Applications measured later, by a worker",
                          "mete jobs submit -- ./app --fast");
  jobs.WantsSubcommand();
  AddJobsSubmit(jobs, verbs);
  AddJobsLook(jobs, verbs);
  AddJobsChange(jobs, verbs);
  AddJobsRun(jobs, verbs);
}

}  // namespace mete
