// mete jobs cancel|resume: ends a job, or lets it go on.
#include "cli/jobs_command.h"
#include "jobs/job_table.h"
#include "support/json.h"

namespace mete {
namespace {

// A worker ends a job within a second; five are a worker under heavy load.
constexpr Seconds kCancelPatience{5};

void Print(Invocation& invocation, const Job& job) {
  invocation.output.Print({
      .text = [&] { return job.name + ": " + WordsOf(job) + "\n"; },
      .json = [&] { return JobToJson(job); },
      .csv = [&] { return JobCsv({job}); },
  });
}

Result<ExitCode> Cancel(Invocation& invocation, const std::string& id) {
  ASSIGN_OR_RETURN(Queue queue, OpenQueue(invocation.services));
  ASSIGN_OR_RETURN(Job job, queue.store.FindJob(id));
  ASSIGN_OR_RETURN(job, queue.store.CancelJob(
                            job.id, invocation.services.TheClock().Wall()));
  ASSIGN_OR_RETURN(job, AwaitEnd(invocation, queue, job.id, kCancelPatience));
  Print(invocation, job);
  if (!IsFinal(job.state)) {
    invocation.talk.Warn("its worker was told and has not ended it yet");
  }
  return ExitCode::kDone;
}

Result<ExitCode> Resume(Invocation& invocation, const std::string& id) {
  ASSIGN_OR_RETURN(Queue queue, OpenQueue(invocation.services));
  ASSIGN_OR_RETURN(Job job, queue.store.FindJob(id));
  ASSIGN_OR_RETURN(job, queue.store.ResumeJob(job.id));
  Print(invocation, job);
  WarnWithoutWorker(invocation, queue);
  return ExitCode::kDone;
}

using ChangeAction = Result<ExitCode> (*)(Invocation&, const std::string&);

Verb Bind(Command command, ChangeAction action) {
  auto id = std::make_shared<std::string>();
  command.Option("ID", *id, "Id, or the beginning of one").Required();
  return {.command = command, .run = [id, action](Invocation& invocation) {
            return action(invocation, *id);
          }};
}

}  // namespace

void AddJobsChange(Command jobs, Verbs& verbs) {
  verbs.push_back(Bind(jobs.Add("cancel",
                                "End a job, or take it out of the "
                                "queue",
                                "mete jobs cancel 01J8"),
                       Cancel));
  verbs.push_back(
      Bind(jobs.Add("resume", "Queue a job that ended early; it goes on",
                    "mete jobs resume 01J8"),
           Resume));
}

}  // namespace mete
