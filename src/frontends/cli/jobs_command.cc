// mete jobs: a queue of applications that a worker measures.
#include "cli/jobs_command.h"

#include "cli/jobs_actions.h"

namespace mete {

void NoteWithoutWorker(Console& console, const Queue& queue) {
  auto there = HasWorker(queue.jobs, queue.device_id, queue.clock);
  if (!there.ok() || *there) return;
  console.Note(
      "no worker is running; start one with mete jobs run or mete "
      "serve");
}

void AddJobsCommand(Command root, Verbs& verbs,
                    Lazy<JobsDependencies> dependencies,
                    Lazy<WorkOffDependencies> worker) {
  Command jobs =
      root.Add("jobs", "Run measurements in the background with the job queue",
               "mete jobs submit -- ./app --fast");
  jobs.WantsSubcommand();
  AddJobsSubmit(jobs, verbs, dependencies);
  AddJobsLook(jobs, verbs, dependencies);
  AddJobsChange(jobs, verbs, dependencies);
  AddJobsRun(jobs, verbs, std::move(worker));
}

}  // namespace mete
