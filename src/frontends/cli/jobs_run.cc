// mete jobs run: a worker in the foreground.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/application_services.h"
#include "cli/jobs_command.h"
#include "devices/this_device.h"
#include "flags/version.h"
#include "jobs/job_table.h"
#include "jobs/worker.h"
#include "support/json.h"

namespace mete {
namespace {

struct RunFlags {
  uint64_t parallel = 1;
  bool until_empty = false;
};

WorkerTalk TalkOf(Talk& talk) {
  return {.started =
              [&talk](const Job& job) {
                talk.Note(fmt::format("{}: started ({})", job.name, job.id));
              },
          .ended =
              [&talk](const Job& job) {
                talk.Note(fmt::format(
                    "{}: {}{}{} ({})", job.name, NameOf(job.state),
                    job.error.empty() ? "" : ", ", job.error, job.id));
              },
          .progress = [&talk](const std::string& line) { talk.Progress(line); },
          .warn = [&talk](const std::string& line) { talk.Warn(line); }};
}

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

Result<ExitCode> Work(Invocation& invocation, const RunFlags& flags) {
  ASSIGN_OR_RETURN(Queue queue, OpenQueue(invocation.services));
  auto ended =
      WorkOff(invocation, queue,
              {.parallel = flags.parallel, .until_empty = flags.until_empty});
  invocation.talk.ClearProgress();
  if (!ended.ok()) return ended.error();
  Print(invocation, *ended);
  // To stop a worker that has nothing to do is no accident.
  bool cut =
      std::ranges::count(*ended, JobState::kInterrupted, &Job::state) > 0;
  return cut ? ExitCode::kInterrupted : ExitCode::kDone;
}

}  // namespace

Result<std::vector<Job>> WorkOff(Invocation& invocation, const Queue& queue,
                                 const WorkOptions& options) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(RunStore * runs, services.Store());
  ASSIGN_OR_RETURN(Device device, RegisterThisDevice(*runs, services.ThisHost(),
                                                     services.TheClock()));
  return RunWorker(
      {.device = device,
       .mete_version = kVersion,
       .name = fmt::format("{}:{}", device.name, getpid()),
       .folder = services.RunsFolder(),
       .parallel = options.parallel,
       .until_empty = options.until_empty},
      {.jobs = queue.store, .runs = *runs, .outside = OutsideOf(services)},
      TalkOf(invocation.talk), invocation.stop);
}

void AddParallelFlag(Command command, uint64_t& parallel) {
  command
      .Option("--parallel", parallel, "Jobs at once on this device (default 1)")
      .Within(1, 256);
}

void AddJobsRun(Command jobs, Verbs& verbs) {
  auto flags = std::make_shared<RunFlags>();
  Command command =
      jobs.Add("run", "Work off the queue of this device until Ctrl-C",
               "mete jobs run --until-empty");
  AddParallelFlag(command, flags->parallel);
  command.Switch("--until-empty", flags->until_empty,
                 "End when no job is left in the queue");
  verbs.push_back(
      {.command = command,
       .run =
           [flags](Invocation& invocation) { return Work(invocation, *flags); },
       .interruptible = true});
}

}  // namespace mete
