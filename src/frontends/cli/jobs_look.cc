// mete jobs list|show|logs|wait: reads the queue.
#include <fmt/format.h>

#include <limits>

#include "cli/jobs_actions.h"
#include "cli/run_output.h"
#include "jobs/job_log.h"
#include "jobs/job_pace.h"
#include "jobs/job_table.h"
#include "support/json.h"

namespace mete {
namespace {

struct LookFlags {
  std::string id;
  std::optional<std::string> state;
  uint64_t last = 20;
  bool follow = false;
  std::optional<std::string> timeout;
};

Json ListJson(const std::vector<Job>& jobs) {
  Json json = Json::array();
  for (const Job& job : jobs) json.push_back(JobToJson(job));
  return json;
}

Result<ExitCode> List(Invocation& invocation, const LookFlags& flags,
                      const Queue& queue, const JobsDependencies&) {
  JobFilter filter;
  if (flags.state) {
    ASSIGN_OR_RETURN(filter.state, ParseJobState(*flags.state));
  }
  if (flags.last > 0) filter.last = flags.last;
  ASSIGN_OR_RETURN(auto jobs, queue.jobs.ListJobs(filter));
  if (jobs.empty()) {
    invocation.console.Note(
        flags.state ? "no job is " + *flags.state
                    : "no jobs yet; try: mete jobs submit -- ./app");
  }
  invocation.output.Print({
      .text = [&] { return JobListTable(jobs).Text(); },
      .json = [&] { return ListJson(jobs); },
      .csv = [&] { return JobCsv(jobs); },
  });
  return ExitCode::kDone;
}

Result<ExitCode> Show(Invocation& invocation, const LookFlags& flags,
                      const Queue& queue, const JobsDependencies&) {
  ASSIGN_OR_RETURN(Job job, queue.jobs.FindJob(flags.id));
  invocation.output.Print({
      .text = [&] { return JobText(job); },
      .json = [&] { return JobToJson(job); },
      .csv = [&] { return JobCsv({job}); },
  });
  return ExitCode::kDone;
}

// Prints everything written so far.
Status PrintLog(Output& output, JobLog& log) {
  while (true) {
    ASSIGN_OR_RETURN(std::string text, log.Read());
    if (text.empty() || !output.complete()) return {};
    output.PrintText(text);
  }
}

Result<ExitCode> Logs(Invocation& invocation, const LookFlags& flags,
                      const Queue& queue, const JobsDependencies&) {
  ASSIGN_OR_RETURN(Job job, queue.jobs.FindJob(flags.id));
  // Get the state before reading the log: the log of an ended job is complete.
  bool over = IsFinal(job.state) || !flags.follow;
  while (job.folder.empty() && !over) {
    ASSIGN_OR_RETURN(job, AwaitEnd(queue, job.id, kQueueLook, invocation.stop));
    over = IsFinal(job.state);
  }
  if (job.folder.empty()) {
    invocation.console.Note("the job has not run yet");
    return ExitCode::kDone;
  }
  JobLog log(job.folder);
  while (true) {
    RETURN_IF_ERROR(PrintLog(invocation.output, log));
    if (over || !invocation.output.complete()) return ExitCode::kDone;
    ASSIGN_OR_RETURN(job, AwaitEnd(queue, job.id, kQueueLook, invocation.stop));
    over = IsFinal(job.state);
  }
}

// The exit code that `mete measure` would have returned.
Result<ExitCode> Conclude(Invocation& invocation, const Job& job,
                          RunStore& store) {
  ASSIGN_OR_RETURN(std::vector<Run> runs, FindJobRuns(job, store));
  if (!runs.empty()) PrintRuns(invocation.output, runs);
  switch (job.state) {
    case JobState::kCompleted:
      return ExitCodeFor(runs);
    case JobState::kFailed:
      return Unavailable(job.error);
    default:
      return Error(ErrorCode::kInterrupted,
                   fmt::format("the job was {}", ToString(job.state)));
  }
}

Result<ExitCode> Wait(Invocation& invocation, const LookFlags& flags,
                      const Queue& queue,
                      const JobsDependencies& dependencies) {
  Seconds at_most(std::numeric_limits<double>::infinity());
  if (flags.timeout) {
    ASSIGN_OR_RETURN(at_most, ParseDuration(*flags.timeout));
  }
  ASSIGN_OR_RETURN(Job job, queue.jobs.FindJob(flags.id));
  ASSIGN_OR_RETURN(job, AwaitEnd(queue, job.id, at_most, invocation.stop));
  if (IsFinal(job.state)) {
    ASSIGN_OR_RETURN(RunStore * runs, dependencies.open_runs());
    return Conclude(invocation, job, *runs);
  }
  invocation.console.Warn(fmt::format("the job is still {} after {}",
                                      ToString(job.state), *flags.timeout));
  return ExitCode::kInfeasible;
}

void AddId(Command command, LookFlags& flags) {
  command.Option("ID", flags.id, "Job ID or a unique prefix").Required();
}

}  // namespace

void AddJobsLook(Command jobs, Verbs& verbs,
                 const Lazy<JobsDependencies>& dependencies) {
  auto bind = [&](Command command, const std::shared_ptr<LookFlags>& flags,
                  JobsAction<LookFlags> action) {
    Verb verb = BindToQueue(command, flags, action, dependencies);
    verb.reads_store = true;
    return verb;
  };

  auto list_flags = std::make_shared<LookFlags>();
  Command list = jobs.Add("list", "List the newest jobs",
                          "mete jobs list --state running");
  list.Option("--state", list_flags->state,
              "Only jobs in this state: queued, running, completed, failed, "
              "cancelled "
              "or interrupted")
      .Check(ParseJobState, "STATE");
  list.Option("--last", list_flags->last,
              "Maximum number of jobs (default 20; 0: all)")
      .Check(ParseCount, "N");
  verbs.push_back(bind(list, list_flags, List));

  auto show_flags = std::make_shared<LookFlags>();
  Command show =
      jobs.Add("show", "Show all details of a job", "mete jobs show 01J8");
  AddId(show, *show_flags);
  verbs.push_back(bind(show, show_flags, Show));

  auto logs_flags = std::make_shared<LookFlags>();
  Command logs = jobs.Add("logs", "Print the output of a job's application",
                          "mete jobs logs 01J8 --follow");
  AddId(logs, *logs_flags);
  logs.Switch("--follow", logs_flags->follow,
              "Keep printing until the job ends");
  verbs.push_back(bind(logs, logs_flags, Logs));

  auto wait_flags = std::make_shared<LookFlags>();
  Command wait =
      jobs.Add("wait", "Wait for a job; exit codes as for mete measure",
               "mete jobs wait 01J8 --timeout 60s");
  AddId(wait, *wait_flags);
  wait.Option("--timeout", wait_flags->timeout,
              "Stop waiting after this time (exit code 3)")
      .Check(CheckDuration, "DURATION");
  Verb waiting = bind(wait, wait_flags, Wait);
  waiting.interruptible = true;
  verbs.push_back(std::move(waiting));
}

}  // namespace mete
