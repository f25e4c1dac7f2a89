// mete jobs cancel|resume: stops a job or queues it again.
#include "cli/jobs_actions.h"
#include "jobs/job_table.h"
#include "support/json.h"

namespace mete {
namespace {

// A worker stops a job within a second; under heavy load it may take longer.
constexpr Seconds kCancelPatience{5};

void Print(Invocation& invocation, const Job& job) {
  invocation.output.Print({
      .text = [&] { return job.name + ": " + DescribeState(job) + "\n"; },
      .json = [&] { return JobToJson(job); },
      .csv = [&] { return JobCsv({job}); },
  });
}

struct ChangeFlags {
  std::string id;
};

Result<ExitCode> Cancel(Invocation& invocation, const ChangeFlags& flags,
                        const Queue& queue, const JobsDependencies&) {
  ASSIGN_OR_RETURN(Job job, CancelJob(queue.jobs, flags.id, queue.clock));
  ASSIGN_OR_RETURN(job,
                   AwaitEnd(queue, job.id, kCancelPatience, invocation.stop));
  Print(invocation, job);
  if (!IsFinal(job.state)) {
    invocation.console.Warn(
        "the worker was notified but has not stopped the job yet");
  }
  return ExitCode::kDone;
}

Result<ExitCode> Resume(Invocation& invocation, const ChangeFlags& flags,
                        const Queue& queue, const JobsDependencies&) {
  ASSIGN_OR_RETURN(Job job, ResumeJob(queue.jobs, flags.id));
  Print(invocation, job);
  NoteWithoutWorker(invocation.console, queue);
  return ExitCode::kDone;
}

}  // namespace

void AddJobsChange(Command jobs, Verbs& verbs,
                   const Lazy<JobsDependencies>& dependencies) {
  auto add = [&](Command command, JobsAction<ChangeFlags> action) {
    auto flags = std::make_shared<ChangeFlags>();
    command.Option("ID", flags->id, "Job ID or a unique prefix").Required();
    verbs.push_back(BindToQueue(command, flags, action, dependencies));
  };
  add(jobs.Add("cancel", "Stop a job or remove it from the queue",
               "mete jobs cancel 01J8"),
      Cancel);
  add(jobs.Add("resume",
               "Queue a stopped job again and continue with the remaining runs",
               "mete jobs resume 01J8"),
      Resume);
}

}  // namespace mete
