// Runs one job that a worker has claimed.
#pragma once

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>

#include "domain/device.h"
#include "domain/job.h"
#include "jobs/job_runs.h"
#include "measure/application_dependencies.h"
#include "measure/progress_lines.h"
#include "ports/job_store.h"
#include "support/result.h"

namespace mete {

// The device and the worker that run a job.
struct JobContext {
  Device device;
  std::string mete_version;
  std::string worker;
  std::filesystem::path folder;       // parent of the jobs' folders
  std::optional<ProcessUser> user{};  // runs commands; absent: mete's own
};

// The dependencies of RunJob, borrowed for the duration of a call.
struct JobPorts {
  JobStore& jobs;
  JobRuns& runs;
  const ApplicationDependencies& platform;
  std::mutex& starting;  // shared by concurrent jobs (one_at_a_time.h)
};

// Makes the runs the job still needs, stores each one when it ends, and records
// how the job ended: completed; failed if it cannot be run; cancelled on
// request; interrupted if `stop` is requested. Returns the job as it ended.
// Fails when the store cannot be written, and with kNotFound when another
// worker has taken the job over.
Result<Job> RunJob(const Job& job, const JobContext& context,
                   const JobPorts& ports, const ProgressLines& lines,
                   std::stop_token stop);

// The folder for the job's next run, numbered from 1.
std::filesystem::path NextRunFolder(const std::filesystem::path& job_folder);

}  // namespace mete
