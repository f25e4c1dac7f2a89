// mete jobs run: runs a worker in the foreground.
#include <fmt/format.h>

#include <algorithm>

#include "cli/jobs_actions.h"
#include "flags/version.h"
#include "jobs/job_table.h"
#include "support/json.h"

namespace mete {
namespace {

struct RunFlags {
  uint64_t parallel = 1;
  bool until_empty = false;
};

void Print(Invocation& invocation, const std::vector<Job>& jobs) {
  invocation.output.Print({
      .text =
          [&] {
            return jobs.empty() ? std::string() : JobListTable(jobs).Text();
          },
      .json =
          [&] {
            Json json = Json::array();
            for (const Job& job : jobs) json.push_back(JobToJson(job));
            return json;
          },
      .csv = [&] { return JobCsv(jobs); },
  });
}

Result<ExitCode> Work(Invocation& invocation, const RunFlags& flags,
                      const WorkOffDependencies& dependencies) {
  const WorkerPorts& ports = dependencies.ports;
  // Marks the jobs of workers that have died.
  RETURN_IF_ERROR(
      OpenQueue(ports.jobs, ports.platform.host, ports.platform.clock));
  auto ended =
      WorkOff({.parallel = flags.parallel,
               .until_empty = flags.until_empty,
               .mete_version = kVersion},
              dependencies, WorkerTalkTo(invocation.console), invocation.stop);
  invocation.console.ClearProgress();
  if (!ended.ok()) return ended.error();
  Print(invocation, *ended);
  // Stopping an idle worker is not an error.
  bool cut =
      std::ranges::count(*ended, JobState::kInterrupted, &Job::state) > 0;
  return cut ? ExitCode::kInterrupted : ExitCode::kDone;
}

}  // namespace

WorkerCallbacks WorkerTalkTo(Console& console) {
  return {.started =
              [&console](const Job& job) {
                console.Note(fmt::format("{}: started ({})", job.name, job.id));
              },
          .ended =
              [&console](const Job& job) {
                console.Note(fmt::format(
                    "{}: {}{}{} ({})", job.name, ToString(job.state),
                    job.error.empty() ? "" : ", ", job.error, job.id));
              },
          .progress =
              [&console](const std::string& line) { console.Progress(line); },
          .warn = [&console](const std::string& line) { console.Warn(line); }};
}

void AddParallelFlag(Command command, uint64_t& parallel) {
  command
      .Option("--parallel", parallel,
              "Jobs to run in parallel on this device (default 1)")
      .Within(1, 256);
}

void AddJobsRun(Command jobs, Verbs& verbs, Lazy<WorkOffDependencies> worker) {
  auto flags = std::make_shared<RunFlags>();
  Command command =
      jobs.Add("run", "Run the queued jobs of this device until Ctrl-C",
               "mete jobs run --until-empty");
  AddParallelFlag(command, flags->parallel);
  command.Switch("--until-empty", flags->until_empty,
                 "Exit when the queue is empty");
  verbs.push_back({.command = command,
                   .run = [flags, worker = std::move(worker)](
                              Invocation& invocation) -> Result<ExitCode> {
                     ASSIGN_OR_RETURN(WorkOffDependencies needs, worker());
                     return Work(invocation, *flags, needs);
                   },
                   .interruptible = true});
}

}  // namespace mete
