#include "jobs/run_job.h"

#include <fmt/format.h>

#include "jobs/job_pace.h"
#include "jobs/job_watch.h"
#include "jobs/job_work.h"
#include "measure/application_text.h"
#include "measure/one_at_a_time.h"
#include "measure/prepare_application.h"
#include "measure/recorded_run.h"
#include "support/json.h"

namespace mete {
namespace {

using std::filesystem::path;

// A job in progress.
class JobRun {
 public:
  JobRun(const Job& job, const JobContext& context, const JobPorts& ports,
         const ProgressLines& lines, const JobWatch& watch)
      : job_(job),
        context_(context),
        ports_(ports),
        lines_(lines),
        watch_(watch) {}

  // Makes every missing run. An error explains why none can be made.
  Status MakeRuns() {
    ASSIGN_OR_RETURN(JobWork work, JobWorkFromJson(job_.work));
    path folder = job_.folder;
    if (folder.empty()) folder = context_.folder / job_.id;
    RETURN_IF_ERROR(Update({.folder = folder.string()}));
    ASSIGN_OR_RETURN(uint64_t made, ports_.runs.CountMade(job_.run_ids));
    ASSIGN_OR_RETURN(PreparedApplication prepared, Prepare(work));
    OneAtATime launcher(*prepared.launcher, ports_.starting);
    prepared.launcher = &launcher;
    prepared.interrupt_grace = kCancelGrace;
    const uint64_t all = work.application.repeat;
    for (uint64_t run = made + 1; run <= all; ++run) {
      if (watch_.token().stop_requested()) return {};
      std::string which = all > 1
                              ? fmt::format("{}, {} of {}", job_.name, run, all)
                              : job_.name;
      prepared.check_machine = run == made + 1;
      ASSIGN_OR_RETURN(OutcomeKind outcome, MakeRun(prepared, folder, which));
      if (outcome == OutcomeKind::kInterrupted) return {};
      // Every further run would be rejected too.
      if (outcome == OutcomeKind::kRejected) break;
    }
    all_made_ = true;
    return {};
  }
  bool all_made() const { return all_made_; }

 private:
  Result<PreparedApplication> Prepare(const JobWork& work) {
    return PrepareApplication(
        work.application,
        {.device = context_.device,
         .mete_version = context_.mete_version,
         .allow_privileged = work.allow_privileged,
         .user = context_.user},
        ports_.platform,
        [this](const std::string& line) {
          Say(lines_.progress, job_.name + ": " + line);
        },
        watch_.token());
  }

  Result<OutcomeKind> MakeRun(const PreparedApplication& prepared,
                              const path& folder, const std::string& which) {
    ASSIGN_OR_RETURN(
        ApplicationRun done,
        RecordRun(prepared, NextRunFolder(folder), ports_.platform,
                  {.progress =
                       [&](const ApplicationProgress& progress) {
                         Say(lines_.progress,
                             which + ": " + ProgressText(progress));
                       },
                   .warn =
                       [&](const std::string& text) {
                         Say(lines_.warn, which + ": " + text);
                       }},
                  watch_.token()));
    if (!began_) began_ = done.run.started_at;
    ports_.runs.NoteEarlierSpeed(*began_, done.run);
    RETURN_IF_ERROR(ports_.runs.Save(done.run));
    job_.run_ids.push_back(done.run.id);
    RETURN_IF_ERROR(Update({.run_ids = job_.run_ids}));
    return done.run.outcome.kind;
  }

  Status Update(const JobUpdate& update) {
    auto updated = ports_.jobs.UpdateJob(job_.id, context_.worker, update);
    if (!updated.ok()) return updated.error();
    return {};
  }

  static void Say(const std::function<void(const std::string&)>& to,
                  const std::string& text) {
    if (to) to(text);
  }

  Job job_;
  const JobContext& context_;
  const JobPorts& ports_;
  const ProgressLines& lines_;
  const JobWatch& watch_;
  bool all_made_ = false;
  // When the first run of this worker started.
  std::optional<std::chrono::system_clock::time_point> began_;
};

// Determines the final state. A job that was stopped did not fail, whatever the
// outcome of its last run.
JobUpdate MakeFinalUpdate(const Status& made, const JobRun& run,
                          const JobWatch& watch) {
  if (run.all_made()) return {.state = JobState::kCompleted};
  if (watch.cancelled()) return {.state = JobState::kCancelled};
  if (watch.token().stop_requested()) return {.state = JobState::kInterrupted};
  CHECK(!made.ok()) << "a job ended early without a reason";
  return {.state = JobState::kFailed, .error = made.error().message()};
}

}  // namespace

path NextRunFolder(const path& job_folder) {
  std::error_code ignored;
  for (uint64_t number = 1;; ++number) {
    path folder = job_folder / std::to_string(number);
    // Keeps the folder of a run whose worker was killed, with its output.
    if (!std::filesystem::exists(folder, ignored)) return folder;
  }
}

Result<Job> RunJob(const Job& job, const JobContext& context,
                   const JobPorts& ports, const ProgressLines& lines,
                   std::stop_token stop) {
  Clock& clock = ports.platform.clock;
  JobUpdate end;
  {
    JobWatch watch(ports.jobs, clock,
                   {.job_id = job.id, .worker = context.worker},
                   std::move(stop));
    JobRun run(job, context, ports, lines, watch);
    Status made = run.MakeRuns();
    end = MakeFinalUpdate(made, run, watch);
  }  // stop the heartbeats before the end is written
  end.ended = clock.Wall();
  auto ended = ports.jobs.UpdateJob(job.id, context.worker, end);
  if (!ended.ok()) return ended.error();
  return ports.jobs.FindJob(job.id);
}

}  // namespace mete
