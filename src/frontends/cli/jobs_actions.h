// What the commands below `mete jobs` share.
#pragma once

#include <memory>

#include "cli/jobs_command.h"

namespace mete {

// Says how to start a worker when there is none. Best effort.
void NoteWithoutWorker(Console& console, const Queue& queue);

// Each adds its commands.
void AddJobsSubmit(Command jobs, Verbs& verbs,
                   const Lazy<JobsDependencies>& dependencies);
// list, show, logs, wait
void AddJobsLook(Command jobs, Verbs& verbs,
                 const Lazy<JobsDependencies>& dependencies);
// cancel, resume
void AddJobsChange(Command jobs, Verbs& verbs,
                   const Lazy<JobsDependencies>& dependencies);
void AddJobsRun(Command jobs, Verbs& verbs, Lazy<WorkOffDependencies> worker);

// What one of the commands does with the queue of this device.
template <typename Flags>
using JobsAction = Result<ExitCode> (*)(Invocation&, const Flags&, const Queue&,
                                        const JobsDependencies&);

// A command that opens the queue and acts on it.
template <typename Flags>
Verb BindToQueue(Command command, const std::shared_ptr<Flags>& flags,
                 JobsAction<Flags> action,
                 const Lazy<JobsDependencies>& dependencies) {
  return {.command = command,
          .run = [=](Invocation& invocation) -> Result<ExitCode> {
            ASSIGN_OR_RETURN(JobsDependencies needs, dependencies());
            ASSIGN_OR_RETURN(Queue queue,
                             OpenQueue(needs.jobs, needs.host, needs.clock));
            return action(invocation, *flags, queue, needs);
          }};
}

}  // namespace mete
