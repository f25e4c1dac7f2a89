// Code shared by the subcommands of `mete jobs`.
#pragma once

#include <memory>

#include "cli/jobs_command.h"

namespace mete {

// Prints how to start a worker if there is none. Best effort.
void NoteWithoutWorker(Console& console, const Queue& queue);

// Each adds one or more subcommands.
void AddJobsSubmit(Command jobs, Verbs& verbs,
                   const Lazy<JobsDependencies>& dependencies);
// list, show, logs, wait
void AddJobsLook(Command jobs, Verbs& verbs,
                 const Lazy<JobsDependencies>& dependencies);
// cancel, resume
void AddJobsChange(Command jobs, Verbs& verbs,
                   const Lazy<JobsDependencies>& dependencies);
void AddJobsRun(Command jobs, Verbs& verbs, Lazy<WorkOffDependencies> worker);

// The action of a subcommand on the queue of this device.
template <typename Flags>
using JobsAction = Result<ExitCode> (*)(Invocation&, const Flags&, const Queue&,
                                        const JobsDependencies&);

// Adds a command that opens the queue and runs the action.
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
